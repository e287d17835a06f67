package snapshot

import (
	"path"

	"github.com/docent-md/docent/answer"
)

// indexPages are the names of the page that stands for its folder.
var indexPages = []string{"README.md", "index.md", "_index.md", "readme.md", "index.mdx"}

// A Description says what the documents of a folder are about.
type Description struct {
	Folder   *answer.Folder // the folder itself or the nearest above it that is described; nil for none
	ByConfig bool           // else the folder's index page says it
}

// AboutFolder returns what the folder of a document is about. A view never changes, so
// each folder is looked up once: finding its index page takes longer than ranking the hits.
func AboutFolder(v *View, file string) (Description, error) {
	dir := path.Dir(file)
	if known, ok := v.folders.Load(dir); ok {
		return known.(Description), nil
	}
	d, err := aboutFolder(v, dir)
	if err == nil {
		v.folders.Store(dir, d)
	}
	return d, err
}

func aboutFolder(v *View, dir string) (Description, error) {
	for ; dir != "."; dir = path.Dir(dir) {
		if text := v.Corpus.Config.Folders[dir]; text != "" {
			return Description{&answer.Folder{Folder: dir, About: text}, true}, nil
		}
		page, ok, err := IndexPage(v, dir)
		if err != nil {
			return Description{}, err
		}
		if ok && page.Info.Description != "" {
			return Description{&answer.Folder{Folder: dir, About: page.Info.Description}, false}, nil
		}
	}
	return Description{}, nil
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
