// Package fetch turns a source into a folder of Markdown: a repository on
// GitHub, a site's llms.txt, a .tar.gz or .zip at an address or of this machine, or a
// local git repository at a revision.
//
// # Promises
//
// A folder is replaced as a whole. Everything is made in a folder next to it and
// put in its place by a rename; until then, whatever fails, and whenever the
// process dies, the old one stands. What a dead process left behind is cleared
// away by the next (stage.go).
//
// A folder that holds something of the user's is not replaced (manifest.go).
//
// What comes in is hostile until proven otherwise. An archive writes nothing
// outside its folder, makes no links, and has bounds to its size (options.go). A
// server cannot have the token: it goes to GitHub's API and nowhere else
// (client.go). A git repository's configuration runs no command (package git).
package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// ErrLocal is what Fetch returns, wrapped, for a local folder without revision.
var ErrLocal = errors.New("a local folder is read where it lies")

// Fetch makes the folder o.Dest, or brings it up to date, with what s holds.
func Fetch(ctx context.Context, s Source, o Options) (r Report, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("fetch %s: %w", s, hide(err, o.Token))
		}
	}()
	if s.Kind == Folder {
		return Report{}, ErrLocal
	}
	timeout := cmp.Or(max(o.Timeout, 0), 15*time.Minute)
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("not done after %v", timeout))
	defer cancel()
	o.limits = o.limits.orDefault()
	st, err := openStage(ctx, o)
	if err != nil {
		return Report{}, err
	}
	defer func() {
		if closeErr := st.close(); err == nil {
			err = closeErr
		}
	}()
	f, err := newFetcher(ctx, s, o, st)
	if err != nil {
		return Report{}, err
	}
	defer f.client.close()
	if err := f.fetch(s); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return Report{}, err
	}
	if f.report.Unchanged {
		f.report.Files = f.before.documents()
		return f.report, nil
	}
	if len(f.sink.files) == 0 {
		if len(f.sink.skipped) > 0 {
			return Report{}, fmt.Errorf("no Markdown files there that could be taken (%s)", f.sink.skipped[0])
		}
		return Report{}, errors.New("no Markdown files there")
	}
	return f.publish()
}

func (f *fetcher) fetch(s Source) error {
	switch s.Kind {
	case GitHub:
		return f.github(s)
	case Archive:
		return f.archive(s)
	case LLMs:
		return f.llms(s)
	case Git:
		return f.git(s)
	}
	return fmt.Errorf("a source of kind %q cannot be fetched", s.Kind)
}

// publish puts what was gathered in place of the folder.
func (f *fetcher) publish() (Report, error) {
	r := &f.report
	top := ""
	if r.Source.Kind == Archive {
		top = f.sink.top()
	}
	m := manifest{URL: r.Source.URL, Branch: r.Branch, Rev: r.Source.Rev, Sub: r.Source.Sub, Commit: r.Commit, ETag: r.ETag}
	m.Files = make(map[string]string, len(f.sink.files))
	for _, file := range f.sink.files {
		m.Files[strings.TrimPrefix(file.name, top)] = file.hash
	}
	if err := f.ctx.Err(); err != nil {
		return Report{}, context.Cause(f.ctx)
	}
	d, err := f.stage.publish(top, m)
	if err != nil {
		return Report{}, err
	}
	r.Added, r.Changed, r.Removed = d.added, d.changed, d.removed
	r.Unchanged = len(d.added)+len(d.changed)+len(d.removed) == 0
	r.Files = m.documents()
	r.Skipped = f.sink.skipped
	return *r, nil
}

// hide makes sure that no error, whoever wrote it, shows the token.
func hide(err error, token string) error {
	if token == "" || !strings.Contains(err.Error(), token) {
		return err
	}
	return errors.New(strings.ReplaceAll(err.Error(), token, "[token]"))
}

// fetcher is one fetch under way.
type fetcher struct {
	ctx    context.Context
	opt    Options
	client *client
	stage  *stage
	sink   *sink
	before manifest // what the folder holds of this source, whole; zero where it does not
	total  int64    // bytes to come, where the server said
	report Report
}

func newFetcher(ctx context.Context, s Source, o Options, st *stage) (*fetcher, error) {
	f := &fetcher{ctx: ctx, opt: o, stage: st, report: Report{Source: s}}
	var err error
	if f.client, err = newClient(o); err != nil {
		return nil, err
	}
	m := st.manifest
	if st.whole && m.URL == s.URL && (m.Rev == s.Rev || s.Rev != "" && m.Branch == s.Rev) {
		f.before = m
	}
	return f, nil
}

// open makes the staging folder, once it is clear that there is something to
// put into it.
func (f *fetcher) open() error {
	root, err := f.stage.open()
	if err != nil {
		return err
	}
	f.sink = newSink(root, f.opt.limits)
	f.sink.wrote = f.progress
	return nil
}

func (f *fetcher) progress() {
	if f.opt.Progress != nil {
		p := Progress{Bytes: f.report.Bytes, Total: f.total}
		if f.sink != nil {
			p.Files = len(f.sink.files)
		}
		f.opt.Progress(p)
	}
}

// body reads an answer, counts it and holds it to a limit.
func (f *fetcher) body(resp *http.Response, limit int64) io.Reader {
	f.total = max(resp.ContentLength, 0)
	return f.metered(resp.Body, limit)
}

func (f *fetcher) metered(r io.Reader, limit int64) io.Reader {
	return &metered{f: f, r: r, left: limit, limit: limit}
}

type metered struct {
	f           *fetcher
	r           io.Reader
	left, limit int64
	told        int64
}

func (m *metered) Read(b []byte) (int, error) {
	if err := m.f.ctx.Err(); err != nil { // a file of this machine does not look
		return 0, err
	}
	n, err := m.r.Read(b)
	m.left -= int64(n)
	m.f.report.Bytes += int64(n)
	if m.left < 0 {
		return 0, fmt.Errorf("larger than %d bytes", m.limit)
	}
	// A bar needs no more than that.
	if m.f.report.Bytes-m.told > 128<<10 || err == io.EOF {
		m.told = m.f.report.Bytes
		m.f.progress()
	}
	return n, err
}
