package web

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
)

// A problemPage is shown instead of what was asked for. It says what is the matter and
// what to do.
type problemPage struct {
	*frame
	Heading string
	Text    string
	Advice  string
	Search  string // the address of a search that may find it
	Nearest []place
}

// problem describes an error, and returns its status.
func (s *site) problem(r *http.Request, f *frame, err error) (int, problemPage) {
	p := problemPage{frame: f, Heading: "Not available", Text: err.Error()}
	missing, isMissing := errors.AsType[*answer.NotFoundError](err)
	switch {
	case isMissing && errors.Is(err, errNoFolder):
		p.Heading, p.Advice = "There is no such folder", "It may have been renamed or removed."
		p.Search = f.searchFor(missing.Name)
		return http.StatusNotFound, p
	case isMissing:
		for _, n := range missing.Nearest {
			p.Nearest = append(p.Nearest, place{n, f.readURL(n)})
		}
		p.Heading = "This page is not there"
		p.Text = missing.Name + " is not among these documents."
		p.Advice = "It was renamed, moved or removed, or the address was never right."
		p.Search = f.searchFor(missing.Name)
		return http.StatusNotFound, p
	case errors.Is(err, docent.ErrNotFound): // it is there, but not among the documents
		p.Heading, p.Text = "This file is not shown", strings.TrimPrefix(p.Text, docent.ErrNotFound.Error()+": ")+"."
		p.Advice = "Repair the file and reload this page. The Index lists everything that was left out."
		return http.StatusNotFound, p
	case errors.Is(err, docent.ErrNoDocuments):
		p.Heading, p.Text = "No documents here yet", "The folder that is served has no Markdown files, or all of them are left out."
		if s.opts.Disk {
			p.Text = err.Error() + "."
		}
		p.Advice = "Put files that end in .md there and reload this page. “docent status” says which files are left out, and why."
		return http.StatusNotFound, p
	case errors.Is(err, docent.ErrNoIndex), errors.Is(err, errNoCorpus):
		p.Heading, p.Advice = "There is no such index", "“docent indexes” lists those that there are."
		return http.StatusNotFound, p
	case errors.Is(err, errNoPage), errors.Is(err, doc.ErrBadRef), errors.Is(err, docent.ErrNoPath):
		p.Heading, p.Advice = "This page is not there", "The address may have been mistyped."
		return http.StatusNotFound, p
	case errors.Is(err, errBusy), errors.Is(err, docent.ErrNoIndexYet):
		p.Heading, f.Busy = "A moment, please", true
		return http.StatusServiceUnavailable, p
	case errors.Is(err, fs.ErrPermission):
		p.Heading, p.Advice = "This file cannot be read", "Let the account that docent runs under read it, and reload this page."
	default:
		p.Heading, p.Advice = "This did not work", "Reload the page. If that does not help, what docent prints where it runs says more."
	}
	s.opts.Note(fmt.Sprintf("%s: %v", r.URL.Path, err))
	return http.StatusInternalServerError, p
}

// searchFor returns the address of a search for the words of a path.
func (f *frame) searchFor(name string) string {
	name, _, _ = strings.Cut(name, "#")
	name = strings.TrimSuffix(name, path.Ext(name))
	words := strings.FieldsFunc(path.Base(name), notWord)
	if base := strings.Join(words, " "); base == "index" || base == "README" {
		words = strings.FieldsFunc(path.Base(path.Dir(name)), notWord)
	}
	return f.address("/", "", "q", clip(strings.Join(words, " "), 200))
}
