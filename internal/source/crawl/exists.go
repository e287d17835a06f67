package crawl

import "io/fs"

// Exists reports whether there is a file or folder at path in the tree. A link
// counts as there without being followed.
func (t *Tree) Exists(path string) bool {
	if path == "" || badName(path) != "" || !fs.ValidPath(path) {
		return false
	}
	_, err := t.top.lstat(path)
	return err == nil
}
