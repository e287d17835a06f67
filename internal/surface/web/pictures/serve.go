package pictures

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
)

// policy is that of every picture. A browser runs nothing of an SVG in an <img>; opened
// by itself, it is in a sandbox.
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"

// Serve answers a request with the picture at a path. It returns ErrNone, and has written
// nothing, if there is none.
func (f *Folder) Serve(w http.ResponseWriter, r *http.Request, name string) error {
	return f.serve(w, r, name, MaxSize, Type)
}

// serve answers a request with a file of a type that kindOf knows.
func (f *Folder) serve(w http.ResponseWriter, r *http.Request, name string, most int64, kindOf func(head []byte) string) error {
	root, err := os.OpenRoot(f.Dir)
	if err != nil {
		return ErrNone
	}
	defer root.Close()
	before, ok := lookup(root, name)
	if !ok || before.Size() > most {
		return ErrNone
	}
	file, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return ErrNone
	}
	defer file.Close()
	// Between the look and the opening, something else may have taken its place.
	info, err := file.Stat()
	if err != nil || !os.SameFile(before, info) || !info.Mode().IsRegular() {
		return ErrNone
	}
	head := make([]byte, 1024)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return ErrNone
	}
	kind := kindOf(head[:n])
	if kind == "" {
		return ErrNone
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Content-Type", kind)
	if kind == download {
		h.Set("Content-Disposition", "attachment; filename*=UTF-8''"+url.PathEscape(path.Base(name)))
	}
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private, no-cache")
	http.ServeContent(w, r, "", info.ModTime(), file)
	return nil
}

// Type returns the type of the picture that begins with head, "" if it begins none.
func Type(head []byte) string {
	switch kind := http.DetectContentType(head); kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/x-icon":
		return kind
	}
	if len(head) > 12 && string(head[4:8]) == "ftyp" && (string(head[8:12]) == "avif" || string(head[8:12]) == "avis") {
		return "image/avif"
	}
	if isSVG(head) {
		return "image/svg+xml"
	}
	return ""
}

// isSVG reports whether a text begins with <svg, behind what may stand before it.
func isSVG(s []byte) bool {
	s = bytes.TrimPrefix(s, []byte("\xef\xbb\xbf"))
	for {
		s = bytes.TrimLeft(s, " \t\r\n")
		end := ""
		switch {
		case bytes.HasPrefix(s, []byte("<svg")):
			return len(s) > 4 && bytes.IndexByte([]byte(" \t\r\n>/"), s[4]) >= 0
		case bytes.HasPrefix(s, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(s, []byte("<?")):
			end = "?>"
		case bytes.HasPrefix(s, []byte("<!DOCTYPE svg")):
			end = ">"
		default:
			return false
		}
		_, rest, ok := bytes.Cut(s, []byte(end))
		if !ok {
			return false
		}
		s = rest
	}
}
