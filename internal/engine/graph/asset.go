package graph

import "strings"

// Files returns where the file of an edge that is an Asset, or Missing, may lie,
// most likely first. Which of them is there is for the caller to see: this package
// opens no files. All are paths within the corpus.
//
// A path from the root of a site is looked for under the folders that hold the page,
// and in what generators call their static files; a wiki's embed under the folders
// that hold the page, and in those beside it that hold attachments.
func (e Edge) Files() []string {
	if e.Path == "" {
		return nil
	}
	var beside []string
	switch {
	case e.Kind == Wiki:
		beside = []string{"", "attachments", "assets", "images", "Attachments"}
	case strings.HasPrefix(e.Target, "/"):
		beside = []string{"", "static", "public", "assets"}
	default:
		return []string{e.Path}
	}
	var out []string
	add := func(dir string) {
		for _, b := range beside {
			if p, ok := join(dir, b+"/"+e.Path); ok {
				out = append(out, p)
			}
		}
	}
	if e.Kind != Wiki {
		add("")
	}
	for dir := folder(e.From.Path); dir != "" && len(out) < 64; dir = folder(dir) {
		add(dir)
	}
	if e.Kind == Wiki {
		add("")
	}
	return out
}
