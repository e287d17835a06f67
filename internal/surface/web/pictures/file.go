package pictures

import (
	"bytes"
	"net/http"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/docent-md/docent/doc"
)

// maxFile is the size in bytes of the largest file that is served.
const maxFile = 256 << 20

// download is the type of files that a browser is to save, not to show.
const download = "application/octet-stream"

// FindFile returns the path of the file, other than a document, that a link of the document
// at from leads to; "" if there is none, or git leaves it out.
func (f *Folder) FindFile(from, dest string) string {
	root, err := os.OpenRoot(f.Dir)
	if err != nil {
		return ""
	}
	defer root.Close()
	for _, name := range candidates(from, dest, false) {
		if info, ok := lookup(root, name); ok && info.Size() <= maxFile && !doc.IsMarkdown(name) && !f.isIgnored(name) {
			return name
		}
	}
	return ""
}

// Leads reports whether a link of the document at from leads to the file at a path. It
// looks only where the link may lead there.
func (f *Folder) Leads(from, dest, name string) bool {
	return slices.Contains(candidates(from, dest, false), name) && f.FindFile(from, dest) == name
}

// ServeFile answers a request with the file at a path: text and pictures to be shown, all
// else to be saved. It returns what Serve does.
func (f *Folder) ServeFile(w http.ResponseWriter, r *http.Request, name string) error {
	if doc.IsMarkdown(name) {
		return ErrNone
	}
	return f.serve(w, r, name, maxFile, func(head []byte) string {
		if kind := Type(head); kind != "" && kind != "image/svg+xml" {
			return kind
		}
		if isText(head) {
			return "text/plain; charset=utf-8"
		}
		return download
	})
}

// isText reports whether a file begins like text.
func isText(head []byte) bool {
	for cut := 0; cut < utf8.UTFMax && cut <= len(head); cut++ { // the last letter may be cut off
		if utf8.Valid(head[:len(head)-cut]) {
			return bytes.IndexByte(head, 0) < 0 && !bytes.HasPrefix(head, []byte("%PDF-"))
		}
	}
	return false
}
