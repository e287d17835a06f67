package docent

import (
	"os"

	"github.com/docent-md/docent/internal/source/crawl"
)

// foldersName is a file beside the index that says what the folders of the corpus
// held when they were last read. It is written without care, because it has a
// checksum, and losing it costs no more than reading them again. The index may have
// come with a clone: the file must be a file, and lie in its folder.
const foldersName = "folders"

// folders returns what is known of the corpus' folders.
func (c *corpus) folders() *crawl.Folders {
	var data []byte
	if root, err := os.OpenRoot(c.store); err == nil {
		defer root.Close()
		if info, err := root.Lstat(foldersName); err == nil && info.Mode().IsRegular() {
			data, _ = root.ReadFile(foldersName)
		}
	}
	f, _ := crawl.DecodeFolders(data) // of damaged ones nothing is known
	return f
}

// keepFolders keeps them for the next time, where that can be done.
func (c *corpus) keepFolders(f *crawl.Folders) {
	if !f.Worth() {
		return
	}
	root, err := os.OpenRoot(c.store)
	if err != nil {
		return
	}
	defer root.Close()
	if info, err := root.Lstat(foldersName); err != nil || info.Mode().IsRegular() {
		if root.WriteFile(foldersName, f.Encode(), 0o644) != nil {
			_ = root.Remove(foldersName)
		}
	}
}
