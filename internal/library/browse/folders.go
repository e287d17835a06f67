package browse

import (
	"path"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/markdown"
)

// foldersOf says what the folders of some files are about, where that is said: in the
// config, or by their index pages.
func foldersOf(v *snapshot.View, files []snapshot.File) ([]answer.Folder, error) {
	var out []answer.Folder
	seen := map[string]bool{}
	for _, f := range files {
		for dir := path.Dir(f.Path); dir != "." && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			about, err := aboutFolder(v, dir)
			if err != nil {
				return nil, err
			}
			if about != "" {
				out = append(out, answer.Folder{Folder: dir, About: about})
			}
		}
	}
	slices.SortFunc(out, func(a, b answer.Folder) int { return strings.Compare(a.Folder, b.Folder) })
	return out, nil
}

// aboutFolder is what the config says of a folder, else the summary of its index page.
func aboutFolder(v *snapshot.View, dir string) (string, error) {
	if about := v.Corpus.Config.Folders[dir]; about != "" {
		return shorten(about, maxSummary), nil
	}
	page, ok, err := snapshot.IndexPage(v, dir)
	if err != nil || !ok {
		return "", err
	}
	if about := page.Info.Description; about != "" {
		return shorten(about, maxSummary), nil
	}
	data, err := v.Text(page)
	if err != nil {
		return "", err
	}
	return shorten(markdown.Caption(data), maxSummary), nil
}
