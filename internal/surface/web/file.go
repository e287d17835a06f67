package web

import (
	"errors"
	"net/http"

	"github.com/docent-md/docent/internal/surface/web/pictures"
	"github.com/docent-md/docent/internal/text/markdown"
)

// Links lead to files beside the documents too: a PDF, a program, a table. Such a file has
// an address only as what a document links to, so that nothing else of the folder can be
// had: /file/PATH?from=DOCUMENT.

// maxFileLinks limits how many links of a page are looked up as files.
const maxFileLinks = 500

// filesOf returns what finds the addresses of files that a document links to; nil if its
// documents are not in a folder.
func (f *frame) filesOf(from, root string) func(dest string) string {
	folder := f.corpus.folder(root)
	if folder == nil || f.Report {
		return nil
	}
	found := map[string]string{}
	return func(dest string) string {
		name, ok := found[dest]
		if !ok && len(found) < maxFileLinks && len(dest) <= maxTarget {
			name = folder.FindFile(from, dest)
			found[dest] = name
		}
		if name == "" {
			return ""
		}
		return f.address("/file/"+name, "", "from", from)
	}
}

// linkedFile serves a file that a document links to.
func linkedFile(w http.ResponseWriter, r *http.Request, f *frame) error {
	now, err := f.release(r.Context())
	if err != nil {
		return err
	}
	folder := f.corpus.folder(now.status.Root)
	if folder == nil {
		return errNoPage
	}
	from := r.URL.Query().Get("from")
	reading, err := now.lib.Read(r.Context(), from, wholeText)
	if err != nil || reading.File != from {
		return errNoPage
	}
	name := r.PathValue("path")
	d := markdown.Parse(from, []byte(reading.Text))
	for i := range d.Links {
		if !folder.Leads(from, d.Links[i].Target, name) {
			continue
		}
		if err := folder.ServeFile(w, r, name); errors.Is(err, pictures.ErrNone) {
			break
		}
		return nil
	}
	return errNoPage
}
