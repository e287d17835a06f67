package snapshot

import (
	"path"

	"github.com/docent-md/docent/answer"
)

// indexPages are the names of the page that stands for its folder.
var indexPages = []string{"README.md", "index.md", "_index.md", "readme.md", "index.mdx"}

// AboutFolder returns the nearest folder above a document that is described, and whether the
// config does it; else it is the description of the folder's index page. It is nil where
// no folder is described.
func AboutFolder(v *View, file string) (about *answer.Folder, byConfig bool, err error) {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if text := v.Corpus.Config.Folders[dir]; text != "" {
			return &answer.Folder{Folder: dir, About: text}, true, nil
		}
		page, ok, err := IndexPage(v, dir)
		if err != nil {
			return nil, false, err
		}
		if ok && page.Info.Description != "" {
			return &answer.Folder{Folder: dir, About: page.Info.Description}, false, nil
		}
	}
	return nil, false, nil
}

// IndexPage returns the page that stands for a folder.
func IndexPage(v *View, dir string) (File, bool, error) {
	for _, name := range indexPages {
		if f, ok, err := v.Find(dir + "/" + name); ok || err != nil {
			return f, ok, err
		}
	}
	return File{}, false, nil
}
