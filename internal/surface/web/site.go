package web

import (
	"bytes"
	"context"
	"errors"
	"hash/maphash"
	"net/http"
	"net/url"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Corpus is a library with its name.
type Corpus struct {
	Name string

	// Index is the name of a named index, as agents use it. Such a corpus is searched
	// only when it is chosen, because it may have the same documents as others.
	Index string

	// Library returns the library. It is asked for each request: a named index that is
	// made again is another library, and one that was removed is an error.
	Library func(context.Context) (*docent.Library, error)
}

// A site serves the pages.
type site struct {
	opts    Options
	corpora []*corpus
	render  *renderer
	pages   *pages
	seed    maphash.Seed // of the hashes of texts
}

var errNoPage = errors.New("there is no such page")

// A frame is what all pages have in common.
type frame struct {
	Title   string // of the page
	Here    string // the name of the page
	Name    string // of the corpus
	Names   []string
	Main    string // the corpus that is searched by default; "all" for several
	Version string
	Quality bool // the quality page exists
	Note    string
	Assets  map[string]string
	Report  bool // the page is part of a report: one file, without a server
	Busy    bool // a computation is under way: the page reloads itself

	corpus *corpus
}

// A place is a Ref and its address.
type place struct{ Ref, URL string }

// defaultCorpora returns those that are searched when none is chosen.
func defaultCorpora(all []*corpus) []*corpus {
	var out []*corpus
	for i, c := range all {
		if i == 0 || c.Index == "" {
			out = append(out, c)
		}
	}
	return out
}

var errNoCorpus = errors.New("no index has that name")

// write sends a page. The whole page is rendered first, so that an error in it can
// still be reported.
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

// release returns the current release of the frame's corpus, and notes what it lacks.
func (f *frame) release(ctx context.Context) (*release, error) {
	r, err := f.corpus.release(ctx)
	if err != nil {
		return nil, err
	}
	f.Note = r.lib.Shortfall()
	f.Quality = f.Quality || r.hasScoreboard()
	return r, nil
}

// address returns one within the site. params are names and values; empty values are
// left out.
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

// Start is the address of the start page.
func (f *frame) Start() string { return f.address("/", "") }

// readURL returns the address of the page for a Ref; "" in a report.
func (f *frame) readURL(ref string) string {
	r, err := doc.ParseRef(ref)
	if err != nil || f.Report {
		return ""
	}
	return f.address("/read/"+r.Path, r.Anchor)
}

// Options say what is shown. Corpora must have at least one element.
type Options struct {
	Corpora []Corpus

	Version    string // of the program
	Scoreboard string // what "docent eval" printed, for the page about quality; "" for that of the documents
	Disk       bool   // show the paths of files on this machine, for readers who use it

	// Endpoint is the path on this server where agents connect; "" if there is none.
	Endpoint string
	Token    bool // agents need a token there

	// Agent returns what an agent gets when it calls a tool, word for word. Nil means
	// the operation's own text, as the command line prints it.
	Agent func(ctx context.Context, corpus, tool string, params []byte) (string, error)

	Note func(string) // receives warnings, in lines for standard error; may be nil

	wait time.Duration // that a page waits for a computation; 0 means pageWait
}
