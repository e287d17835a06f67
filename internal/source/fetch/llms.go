package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/url"
	"path"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/docent-md/docent/doc"
)

// What is fetched of a site with an llms.txt.
//
// The file itself, kept as llms.md, and the Markdown files it links to on the
// same origin (scheme, host and port), kept under their paths; no link in these
// is followed. There are at most 1,000 of them. One that is missing, or turns
// out to be a web page, is left out and reported; when more than half fail, the
// site is thought to be in trouble and the old folder stays.
//
// Sites give their pages no common version, so an update reads them all again.
const maxPages = 1000

// linkForm finds the targets of Markdown links. llms.txt has them in lists, one
// a line; what else looks like one and is not, is not there and left out.
var linkForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\]\(\s*<?([^\s()<>]{1,1000})`) })

func (f *fetcher) llms(s Source) error {
	base, err := url.Parse(s.URL)
	if err != nil {
		return err
	}
	index, err := f.page(f.ctx, base)
	if err != nil {
		return err
	}
	f.report.Bytes = int64(len(index))
	if err := f.open(); err != nil {
		return err
	}
	name := safeName(path.Base(base.Path))
	if !doc.IsMarkdown(name) {
		name = strings.TrimSuffix(name, path.Ext(name)) + ".md"
		return f.pages(base, index, name)
	}
	return f.sink.put(name, false, int64(len(index)), bytes.NewReader(index))
}

// pages keeps the list and what it links to.
func (f *fetcher) pages(base *url.URL, index []byte, name string) error {
	if err := f.sink.put(name, false, int64(len(index)), bytes.NewReader(index)); err != nil {
		return err
	}
	links := pageLinks(base, index)
	if len(links) > maxPages {
		f.sink.skip(shown(links[maxPages]), fmt.Sprintf("more than %d pages", maxPages))
		links = links[:maxPages]
	}
	failed := 0
	var first error
	for i, p := range f.readPages(links) {
		u := links[i]
		if f.ctx.Err() != nil {
			return p.err
		}
		if _, limited := errors.AsType[*RateLimitError](p.err); limited {
			return p.err
		}
		if p.err != nil {
			failed++
			if first == nil {
				first = p.err
			}
			f.sink.skip(shown(u), strings.TrimPrefix(p.err.Error(), shown(u)+": "))
			continue
		}
		f.report.Bytes += int64(len(p.text))
		name, err := f.sink.entry(pageName(u))
		if err != nil {
			return err
		}
		if err := f.sink.put(name, false, int64(len(p.text)), bytes.NewReader(p.text)); err != nil {
			return err
		}
	}
	if failed > len(links)/2 && failed > 1 {
		return fmt.Errorf("%d of %d pages could not be had, among them %w", failed, len(links), first)
	}
	return nil
}

// pageLinks lists the Markdown files that a list links to, once each.
func pageLinks(base *url.URL, text []byte) []*url.URL {
	var out []*url.URL
	seen := map[string]bool{}
	for _, m := range linkForm().FindAllSubmatch(text, -1) {
		u, err := base.Parse(string(m[1]))
		if err != nil || u.User != nil || origin(u) != origin(base) || !doc.IsMarkdown(path.Base(u.Path)) {
			continue
		}
		u.Fragment, u.RawFragment = "", ""
		if !seen[u.String()] {
			seen[u.String()] = true
			out = append(out, u)
		}
	}
	return out
}

// pageName is the path that a page is kept under: that of its address, made
// safe. Addresses that differ in their query alone stay apart.
func pageName(u *url.URL) string {
	var parts []string
	for part := range strings.SplitSeq(path.Clean("/"+u.Path), "/") {
		if part = strings.TrimLeft(safeName(part), "."); part != "" {
			parts = append(parts, part)
		}
	}
	name := strings.Join(parts, "/")
	if !doc.IsMarkdown(name) {
		name += ".md"
	}
	if u.RawQuery != "" {
		sum := sha256.Sum256([]byte(u.RawQuery))
		ext := path.Ext(name)
		name = fmt.Sprintf("%s-%x%s", strings.TrimSuffix(name, ext), sum[:4], ext)
	}
	return name
}

type page struct {
	text []byte
	err  error
}

// readPages reads pages, a few at once, and yields them in order.
func (f *fetcher) readPages(links []*url.URL) iter.Seq2[int, page] {
	const atOnce = 6
	return func(yield func(int, page) bool) {
		ctx, cancel := context.WithCancel(f.ctx)
		defer cancel()
		coming := make([]chan page, len(links))
		start := func(i int) {
			if i < len(links) {
				coming[i] = make(chan page, 1)
				go func() {
					text, err := f.page(ctx, links[i])
					coming[i] <- page{text, err}
				}()
			}
		}
		for i := range min(atOnce, len(links)) {
			start(i)
		}
		for i := range links {
			p := <-coming[i]
			start(i + atOnce)
			if !yield(i, p) {
				cancel()
				for _, c := range coming[i+1 : min(i+1+atOnce, len(links))] {
					<-c
				}
				return
			}
		}
	}
}

// page reads one page of text. It may be called by many goroutines at once.
func (f *fetcher) page(ctx context.Context, u *url.URL) ([]byte, error) {
	resp, err := f.client.get(ctx, u.String(), "Accept", "text/markdown, text/plain;q=0.9, */*;q=0.1")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, f.opt.limits.file+1))
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	start := bytes.ToLower(bytes.TrimSpace(text[:min(len(text), 200)]))
	switch {
	case err != nil:
	case int64(len(text)) > f.opt.limits.file:
		err = fmt.Errorf("larger than %d bytes", f.opt.limits.file)
	case kind == "text/html", bytes.HasPrefix(start, []byte("<!doctype html")), bytes.HasPrefix(start, []byte("<html")):
		err = errors.New("a web page, not Markdown")
	case len(start) == 0:
		err = errors.New("empty")
	case !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0:
		err = errors.New("not text")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown(u), err)
	}
	return text, nil
}
