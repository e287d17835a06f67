// Package web shows a corpus to people: what an agent finds in it, each document
// with what refers to it, a map of its links, its health and what is indexed.
//
// Pages are made by html/template and answer GET and HEAD only; nothing is ever
// written. A page asks for nothing but its own style and script, which are
// embedded, and its Content-Security-Policy allows nothing else: no inline
// script or style, no foreign picture, font or frame. Who may ask at all (Host,
// Origin, token) is up to the caller, who puts the same gate before these pages
// as before everything else it serves.
package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/visible"
)

// Options say what is shown. Corpora must hold at least one.
type Options struct {
	Corpora []Corpus

	Version    string // of the program
	Scoreboard string // what "docent eval" printed, for the page about quality; "" for none
	Disk       bool   // say where files lie on this machine: for readers who sit at it

	// Agent gives what an agent is told when it calls a tool, word for word. Nil
	// stands for the operation's own text, as the command line prints it.
	Agent func(ctx context.Context, corpus, tool string, params []byte) (string, error)

	Note func(string) // told of anything out of the ordinary, in lines for standard error; may be nil
}

// A Corpus is a library that may be replaced by a newer one at any time.
type Corpus struct {
	Name string

	// Index is the name by which agents ask for it, of a named index. It is searched
	// only when it is chosen: it may hold what the others do.
	Index string

	// With runs fn with the newest library, again with a newer one when files
	// behind its answer turn out to have changed. The note says how the answer
	// may fall short, if it may.
	With func(ctx context.Context, fn func(*docent.Library) error) (note string, err error)
}

// Fixed is the corpus of a library that does not change while it is shown.
func Fixed(name string, lib *docent.Library) Corpus {
	return Corpus{Name: name, With: func(_ context.Context, fn func(*docent.Library) error) (string, error) { return "", fn(lib) }}
}

// policy is what a page may do. Trusted types leave one way for text to become
// markup, which the script uses for hits that the server made.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types docent"

// A site serves the pages.
type site struct {
	opts    Options
	corpora []*corpus
	render  *renderer
	pages   *pages
}

// New returns the pages as a handler, to be mounted at the root.
func New(o Options) http.Handler {
	if o.Note == nil {
		o.Note = func(string) {}
	}
	s := &site{opts: o, render: newRenderer(), pages: loadPages()}
	for _, c := range o.Corpora {
		s.corpora = append(s.corpora, &corpus{Corpus: c})
	}
	mux := http.NewServeMux()
	for pattern, page := range map[string]func(http.ResponseWriter, *http.Request, *frame) error{
		"GET /{$}":            s.searchPage,
		"GET /hits":           s.hits,
		"GET /read/{path...}": s.readPage,
		"GET /map":            s.mapPage,
		"GET /health":         s.healthPage,
		"GET /index":          s.indexPage,
		"GET /quality":        s.qualityPage,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, page) })
	}
	mux.Handle("GET /assets/{name}", http.HandlerFunc(s.asset))
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		s.serve(w, r, func(http.ResponseWriter, *http.Request, *frame) error { return errNoPage })
	})
	return s.guard(mux)
}

var errNoPage = errors.New("there is no such page")

// guard sets the headers of every answer, turns away what other sites' pages ask
// for behind their readers' backs, and turns a panic into an error of one request.
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

// A frame is what all pages have in common.
type frame struct {
	Title   string // of the page
	Here    string // which of the pages it is
	Name    string // of the corpus
	Names   []string
	Main    string // what is searched when none is chosen
	Version string
	Quality bool // there is a page about quality
	Note    string
	Assets  map[string]string
	Report  bool // it is part of a report: one file, without a server
	Busy    bool // what it shows is still being worked out

	corpus *corpus
	site   *site
}

// serve runs one page, and shows what went wrong as a page too.
func (s *site) serve(w http.ResponseWriter, r *http.Request, page func(http.ResponseWriter, *http.Request, *frame) error) {
	f := &frame{Version: s.opts.Version, Quality: s.opts.Scoreboard != "", Assets: s.pages.assets, site: s}
	for _, c := range s.corpora {
		f.Names = append(f.Names, c.Name)
	}
	if f.Main = "all"; len(s.usual()) == 1 {
		f.Main = s.corpora[0].Name
	}
	err := s.choose(f, r.URL.Query().Get("in"))
	if err == nil {
		err = page(w, r, f)
	}
	if err == nil || r.Context().Err() != nil {
		return
	}
	status := http.StatusInternalServerError
	problem := problemPage{frame: f, Text: strings.ReplaceAll(err.Error(), "docent: ", "")}
	missing, isMissing := errors.AsType[*docent.NotFoundError](err)
	switch {
	case isMissing:
		status = http.StatusNotFound
		for _, n := range missing.Nearest {
			problem.Nearest = append(problem.Nearest, place{n, f.readURL(n)})
		}
	case errors.Is(err, errNoPage), errors.Is(err, errNoCorpus), errors.Is(err, doc.ErrBadRef), errors.Is(err, docent.ErrNoIndex), errors.Is(err, docent.ErrNoPath):
		status = http.StatusNotFound
	case errors.Is(err, errBusy):
		status = http.StatusServiceUnavailable
		f.Busy = true
	default:
		s.opts.Note(fmt.Sprintf("%s: %v", r.URL.Path, err))
	}
	f.Title = "Not to be had"
	_ = s.write(w, r, status, "problem", problem)
}

type problemPage struct {
	*frame
	Text    string
	Nearest []place
}

// A place is a Ref and its address.
type place struct{ Ref, URL string }

// usual are the corpora that are searched when none is chosen.
func (s *site) usual() []*corpus {
	var out []*corpus
	for i, c := range s.corpora {
		if i == 0 || c.Index == "" {
			out = append(out, c)
		}
	}
	return out
}

var errNoCorpus = errors.New("no index has that name")

// choose finds the corpus that a request asks for.
func (s *site) choose(f *frame, name string) error {
	i := 0
	if name != "" {
		i = slices.Index(f.Names, name)
	}
	if i < 0 || i >= len(s.corpora) {
		f.corpus = s.corpora[0]
		f.Name = f.corpus.Name
		return errNoCorpus
	}
	f.corpus = s.corpora[i]
	f.Name = f.corpus.Name
	return nil
}

// write sends a page. It is made whole before its first byte is sent, so that an
// error in it is still an error.
func (s *site) write(w http.ResponseWriter, r *http.Request, status int, name string, data any) error {
	b := &bytes.Buffer{}
	if err := s.pages.execute(b, name, data); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	if status == http.StatusServiceUnavailable {
		h.Set("Refresh", "1")
		status = http.StatusOK
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(visible.Bytes(b.Bytes()))
	}
	return nil
}

// with runs fn with the library of the frame's corpus.
func (f *frame) with(ctx context.Context, fn func(*docent.Library, *memory) error) error {
	note, err := f.corpus.with(ctx, fn)
	f.Note = note
	return err
}

// address is one within the site, with what is not empty of some parameters.
func (f *frame) address(path, anchor string, params ...string) string {
	q := url.Values{}
	if len(f.Names) > 1 {
		q.Set("in", f.Name)
	}
	for i := 0; i+1 < len(params); i += 2 {
		if params[i+1] != "" {
			q.Set(params[i], params[i+1])
		}
	}
	u := url.URL{Path: path, Fragment: anchor, RawQuery: q.Encode()}
	return u.String()
}
