// Package diagram serves the frame in which the diagrams of documents are drawn.
//
// Mermaid draws them, of which the program carries the official small build: version
// 11.17.2 of @mermaid-js/tiny, 672 kB compressed. It saves us drawing some twenty kinds of
// diagram ourselves; mind maps and architecture diagrams, which it lacks, stay source. The
// full build would add 1.6 MB.
//
// Mermaid writes styles into what it draws, which the policy of pages forbids, and a
// diagram is not trusted. So it runs in a frame of its own: a sandbox without an origin,
// which may run the two scripts in it, known by their hashes, and fetch nothing at all.
// The page gets back the text of an SVG and shows it as a picture, in which a browser runs
// nothing.
package diagram

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"sync"
)

//go:embed mermaid.tiny.js.gz
var mermaid []byte

//go:embed draw.js
var draw string

// A frame is the page that draws.
type frame struct {
	policy       string
	page, zipped []byte
}

var load = sync.OnceValues(func() (*frame, error) {
	z, err := gzip.NewReader(bytes.NewReader(mermaid))
	if err != nil {
		return nil, err
	}
	library, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	page.WriteString("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Diagrams</title></head><body>\n")
	f := &frame{policy: "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts; script-src"}
	for _, script := range []string{string(library), draw} {
		sum := sha256.Sum256([]byte(script))
		f.policy += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		page.WriteString("<script>" + script + "</script>\n")
	}
	page.WriteString("</body></html>\n")
	f.page = page.Bytes()
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write(f.page); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	f.zipped = zipped.Bytes()
	return f, nil
})

// Serve answers with the frame.
func Serve(w http.ResponseWriter, r *http.Request) {
	f, err := load()
	if err != nil {
		http.Error(w, "diagrams cannot be drawn: "+err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", f.policy)
	h.Set("X-Frame-Options", "SAMEORIGIN")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "private, max-age=86400")
	h.Set("Vary", "Accept-Encoding")
	page := f.page
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		page = f.zipped
	}
	if r.Method != http.MethodHead {
		_, _ = w.Write(page)
	}
}
