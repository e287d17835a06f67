package corpus

import (
	"os"

	"github.com/docent-md/docent/internal/source/crawl"
)

// foldersName is a cache in the folder of the index: what the folders of the corpus
// contained when they were last read. It is written in place, because it has a checksum,
// and losing it only means reading them again. The index may have come with a clone, so
// the file must be a regular one in that folder.
const foldersName = "folders"

// Folders returns the cached folders of the corpus.
func (c *Corpus) Folders() *crawl.Folders {
	var data []byte
	if root, err := os.OpenRoot(c.IndexDir); err == nil {
		defer root.Close()
		if info, err := root.Lstat(foldersName); err == nil && info.Mode().IsRegular() {
			data, _ = root.ReadFile(foldersName)
		}
	}
	f, _ := crawl.DecodeFolders(data) // damaged means empty
	return f
}

// SaveFolders caches the folders for the next run, if the index can be written.
func (c *Corpus) SaveFolders(f *crawl.Folders) {
	if !f.Worth() {
		return
	}
	root, err := os.OpenRoot(c.IndexDir)
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
