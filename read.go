package docent

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/texts"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/visible"
)

// MaxLines is how many lines Read returns unless told otherwise.
const MaxLines = 2000

// ReadOptions say which part of a place is read. The zero value reads all of it,
// up to MaxLines lines.
type ReadOptions struct {
	Offset int  // first line of the file to return, from 1; 0 means the place's first
	Limit  int  // most lines; 0 means MaxLines
	Budget int  // most tokens; 0 means no limit
	Plain  bool // without line numbers
}

// A Reading is some lines of a document.
type Reading struct {
	Ref    string `json:"ref"`
	File   string `json:"file"`
	Lines  [2]int `json:"lines"` // those that are returned; zero when there are none
	Total  int    `json:"total"` // lines of the file
	Tokens int    `json:"tokens"`
	Text   string `json:"text"` // without line numbers
	More   int    `json:"more"` // lines of the place that were not returned

	plain bool
}

// Read returns the lines a Ref leads to, numbered so that a follow-up can ask
// for others:
//
//	1  # Password Reset
//	2
//	3  ## How to reset your password
//
// An Offset past the end gives an empty string.
func (l *Library) Read(ref string, o ReadOptions) (string, error) {
	r, err := l.ReadPlace(context.Background(), ref, o)
	if err != nil {
		return "", err
	}
	return r.numbered(), nil
}

// ReadPlace is Read with what is known about the lines.
func (l *Library) ReadPlace(ctx context.Context, ref string, o ReadOptions) (*Reading, error) {
	if l.stored != nil {
		lib, err := l.stored.file(ctx, ref)
		if err != nil {
			return nil, err
		}
		return lib.ReadPlace(ctx, ref, o)
	}
	p, err := l.resolve(ref)
	if err != nil {
		return nil, err
	}
	data, err := l.text(p.known)
	if err != nil {
		return nil, err
	}
	if p.code > 0 {
		if p.lines, err = codeLines(data, p); err != nil {
			return nil, err
		}
	}
	want := p.lines
	if o.Offset > 0 {
		want.Start = o.Offset
	}
	limit := o.Limit
	if limit <= 0 {
		limit = MaxLines
	}
	r := &Reading{Ref: ref, File: p.path, Total: p.file.Lines, plain: o.Plain}
	last := min(want.Start+limit-1, want.End, p.file.Lines)
	if want.Start > last {
		return r, nil
	}
	text, ok := lineRange(data, doc.Lines{Start: want.Start, End: last})
	if !ok {
		return r, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o.Budget > 0 {
		last = l.fitLines(ctx, r, text, want.Start, last, o.Budget)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if text, ok = lineRange(data, doc.Lines{Start: want.Start, End: last}); !ok {
			return r, nil
		}
	}
	r.Lines = [2]int{want.Start, last}
	r.Text = string(text)
	r.Tokens = l.policy.Count(text)
	r.More = max(min(want.End, p.file.Lines)-last, 0)
	return r, nil
}

// text reads a file of the library and checks that it is what was indexed.
func (l *Library) text(k known) ([]byte, error) {
	if l.held != nil {
		return l.held.texts[k.path], nil
	}
	if l.pack != nil {
		data, err := l.pack.Text(k.row)
		if err == nil && contentHash(data) != k.file.Hash {
			err = fmt.Errorf("%w: %s", texts.ErrDamaged, k.path)
		}
		return data, err
	}
	if data, ok := l.kept.get(l.source.tree, k); ok {
		return data, nil
	}
	before, stamped := l.source.tree.Stamp(k.path)
	f, skip, err := l.source.read(k.path)
	if err != nil {
		return nil, err
	}
	if skip != nil || contentHash(f.Data) != k.file.Hash {
		return nil, &StaleError{[]string{k.path}}
	}
	if stamped {
		l.kept.put(l.source.tree, k, before, time.Now(), f.Data)
	}
	return f.Data, nil
}

// stands reports whether a file is still the one of the index, by its size and time
// where these can tell and by its content where not; a StaleError if it is not.
func (l *Library) stands(k known) error {
	if l.held != nil || l.pack != nil {
		return nil
	}
	if s, ok := l.source.tree.Stamp(k.path); ok && k.file.ModTime != 0 && s.Size == k.file.Size && s.Modified == k.file.ModTime {
		return nil
	}
	_, err := l.text(k)
	return err
}

// now reports whether ctx has ended, for the i-th turn of a loop whose turns are
// short.
func now(ctx context.Context, i int) error {
	if i%64 != 0 {
		return nil
	}
	return ctx.Err()
}

// settledText is text for a file whose size and time say that it has not
// changed: its content is then not compared.
func (l *Library) settledText(k known) ([]byte, error) {
	if l.pack != nil || k.file.ModTime == 0 {
		return l.text(k)
	}
	f, skip, err := l.source.read(k.path)
	if err != nil {
		return nil, err
	}
	if skip != nil || f.Size != k.file.Size || f.ModTime.UnixNano() != k.file.ModTime && contentHash(f.Data) != k.file.Hash {
		return nil, &StaleError{[]string{k.path}}
	}
	return f.Data, nil
}

// fitLines returns the last line that fits a budget, counted as printed, with
// the closing note.
func (l *Library) fitLines(ctx context.Context, r *Reading, text []byte, first, last, budget int) int {
	fits := func(n int) bool {
		t, _ := lineRange(text, doc.Lines{Start: 1, End: n})
		probe := *r
		probe.Lines, probe.Text, probe.More = [2]int{first, first + n - 1}, string(t), 1_000_000
		b := &strings.Builder{}
		_ = probe.WriteText(b)
		return l.policy.Count([]byte(b.String())) <= budget
	}
	lo, hi := 0, last-first+1
	for step := 1; lo+step < hi && ctx.Err() == nil; step *= 2 { // no more is counted than twice what fits
		if !fits(lo + step) {
			hi = lo + step - 1
			break
		}
		lo += step
	}
	for lo < hi && ctx.Err() == nil {
		if mid := (lo + hi + 1) / 2; fits(mid) {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return first + lo - 1
}

// codeLines finds a code block of a section, fences included.
func codeLines(data []byte, p place) (doc.Lines, error) {
	d := markdown.Parse(p.path, data)
	n, all := 0, 0
	for _, b := range d.Blocks {
		if b.Kind != doc.Fence && b.Kind != doc.IndentedCode {
			continue
		}
		all++
		if b.Lines.Start < p.lines.Start || b.Lines.End > p.lines.End {
			continue
		}
		if n++; n == p.code {
			return b.Lines, nil
		}
	}
	ref := p.ref
	if n == 0 && ref.Anchor != "" { // then those of the file may be meant
		ref.Anchor, n = "", all
	}
	return doc.Lines{}, noCode(p.ref, n, func(i int) string {
		ref.Code = i
		return ref.String()
	})
}

// numbered is the text with line numbers, which are as wide as the last of them.
func (r *Reading) numbered() string {
	if r.Text == "" {
		return ""
	}
	width := max(3, len(strconv.Itoa(r.Lines[1])))
	b := &strings.Builder{}
	b.Grow(len(r.Text) + (width+2)*(r.Lines[1]-r.Lines[0]+1))
	n := r.Lines[0]
	for line := range strings.Lines(r.Text) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			fmt.Fprintf(b, "%*d\n", width, n)
		} else {
			fmt.Fprintf(b, "%*d  %s\n", width, n, line)
		}
		n++
	}
	return b.String()
}

// WriteText writes the lines, and how to go on where there are more.
func (r *Reading) WriteText(w io.Writer) error {
	text := r.numbered()
	if r.plain {
		text = r.Text
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
	}
	if r.More > 0 {
		text += fmt.Sprintf("[%s more: docent read %s --offset %d]\n", plural(r.More, "line"), shellQuote(r.Ref), r.Lines[1]+1)
	}
	_, err := io.WriteString(w, visible.Text(text))
	return err
}
