package fetch

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

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
	return &metered{f: f, r: resp.Body, left: limit, limit: limit}
}

type metered struct {
	f           *fetcher
	r           io.Reader
	left, limit int64
	told        int64
}

func (m *metered) Read(b []byte) (int, error) {
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
