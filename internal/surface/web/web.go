// Package web shows a corpus to people: what an agent finds in it, each document
// with the links to it, a map of all links, a health report and what is indexed.
//
// Pages are html/template and answer GET and HEAD only; nothing is ever written. A
// page loads only its own style and script, which are embedded, and its
// Content-Security-Policy allows nothing else: no inline script or style, no outside
// picture, font or frame. Access control (Host, Origin, token) is left to the caller,
// who applies the same checks to everything it serves.
package web

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"net/http"
	"runtime/debug"
	"slices"
)

// New returns the pages as a handler, to be mounted at the root.
func New(o Options) http.Handler { return newSite(o, &site{}) }

// newSite makes s the site of the pages.
func newSite(o Options, s *site) http.Handler {
	if o.Note == nil {
		o.Note = func(string) {}
	}
	*s = site{opts: o, render: newRenderer(), pages: loadPages(), seed: maphash.MakeSeed()}
	for _, c := range o.Corpora {
		s.corpora = append(s.corpora, &corpus{Corpus: c, wait: cmp.Or(o.wait, pageWait), computing: make(chan struct{}, maxComputing)})
	}
	mux := http.NewServeMux()
	for pattern, page := range map[string]func(http.ResponseWriter, *http.Request, *frame) error{
		"GET /{$}":               s.searchPage,
		"GET /lists":             s.homePart,
		"GET /hits":              s.hits,
		"GET /read/{path...}":    s.readPage,
		"GET /picture/{path...}": s.picture,
		"GET /file/{path...}":    linkedFile,
		"GET /raw/{path...}":     s.raw,
		"GET /folder/{path...}":  s.folderPage,
		"GET /tree":              s.treePart,
		"GET /map":               s.mapPage,
		"GET /map/details":       s.mapDetails,
		"GET /health":            s.healthPage,
		"GET /index":             s.indexPage,
		"GET /quality":           s.qualityPage,
		"GET /diagram":           diagramFrame,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, page) })
	}
	mux.Handle("GET /assets/{name}", http.HandlerFunc(s.pages.asset))
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		s.serve(w, r, func(http.ResponseWriter, *http.Request, *frame) error { return errNoPage })
	})
	return s.guard(mux)
}

// guard sets the headers of every response, refuses requests by pages of other sites,
// and turns a panic into an error of one request.
func (s *site) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		h.Set("Cache-Control", "no-store")
		defer func() {
			if p := recover(); p != nil {
				s.opts.Note(fmt.Sprintf("%s: panic: %v\n%s", r.URL.Path, p, debug.Stack()))
				http.Error(w, "internal error", http.StatusInternalServerError)
			}
		}()
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "these pages can only be read", http.StatusMethodNotAllowed)
		case r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.Header.Get("Sec-Fetch-Mode") != "navigate":
			http.Error(w, "forbidden: asked for by another site", http.StatusForbidden)
		case len(r.URL.RawQuery) > 4096:
			http.Error(w, "the address is too long", http.StatusRequestURITooLong)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// serve runs one page, and shows its error as a page too.
func (s *site) serve(w http.ResponseWriter, r *http.Request, page func(http.ResponseWriter, *http.Request, *frame) error) {
	f := &frame{Version: s.opts.Version, Quality: s.opts.Scoreboard != "", Assets: s.pages.assets}
	for _, c := range s.corpora {
		f.Names = append(f.Names, c.Name)
	}
	if f.Main = "all"; len(defaultCorpora(s.corpora)) == 1 {
		f.Main = s.corpora[0].Name
	}
	err := s.choose(f, r.URL.Query().Get("in"))
	if err == nil {
		err = page(w, r, f)
	}
	if err == nil || r.Context().Err() != nil {
		return
	}
	status, problem := s.problem(r, f, err)
	f.Title = problem.Heading
	_ = s.write(w, r, status, "problem", problem)
}

// choose sets the corpus that a request names.
func (s *site) choose(f *frame, name string) error {
	i := slices.Index(f.Names, name)
	f.corpus = s.corpora[max(i, 0)]
	f.Name = f.corpus.Name
	if i < 0 && name != "" {
		return errNoCorpus
	}
	return nil
}
