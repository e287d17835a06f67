package browse

import (
	"context"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// MaxLines is how many lines Read returns unless told otherwise.
const MaxLines = 2000

// Read returns the lines a Ref leads to. An offset past the end gives none.
func Read(ctx context.Context, s snapshot.Snapshot, ref string, o answer.ReadOptions) (*answer.Reading, error) {
	_, r, err := read(ctx, s, ref, o)
	return r, err
}

// read is Read, and the view that it read from.
func read(ctx context.Context, s snapshot.Snapshot, ref string, o answer.ReadOptions) (*snapshot.View, *answer.Reading, error) {
	v, err := s.View(ctx, snapshot.Want{Document: ref})
	if err != nil {
		return nil, nil, err
	}
	p, err := place.Resolve(v, ref)
	if err != nil {
		return nil, nil, err
	}
	r, err := readLines(ctx, v, p, ref, o)
	return v, r, err
}

// readLines reads the lines of a place.
func readLines(ctx context.Context, v *snapshot.View, p place.Place, ref string, o answer.ReadOptions) (*answer.Reading, error) {
	data, err := v.Text(p.File)
	if err != nil {
		return nil, err
	}
	if p.Code > 0 {
		if p.Lines, err = place.CodeLines(data, p); err != nil {
			return nil, err
		}
	}
	want := p.Lines
	if o.Offset > 0 {
		want.Start = o.Offset
	}
	limit := o.Limit
	if limit <= 0 {
		limit = MaxLines
	}
	r := &answer.Reading{Ref: ref, File: p.Path, Total: p.Info.Lines, Plain: o.Plain}
	last := min(want.Start+limit-1, want.End, p.Info.Lines)
	if want.Start > last {
		return r, nil
	}
	text, ok := place.LineRange(data, doc.Lines{Start: want.Start, End: last})
	if !ok {
		return r, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o.Budget > 0 {
		last = fitLines(ctx, v, r, text, want.Start, last, o.Budget)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if text, ok = place.LineRange(data, doc.Lines{Start: want.Start, End: last}); !ok {
			return r, nil
		}
	}
	r.Lines = [2]int{want.Start, last}
	r.Text = string(text)
	r.Tokens = v.Policy.Count(text)
	r.More = max(min(want.End, p.Info.Lines)-last, 0)
	return r, nil
}

// fitLines returns the last line that fits a budget, counted as printed, with
// the closing note.
func fitLines(ctx context.Context, v *snapshot.View, r *answer.Reading, text []byte, first, last, budget int) int {
	fits := func(n int) bool {
		t, _ := place.LineRange(text, doc.Lines{Start: 1, End: n})
		probe := *r
		probe.Lines, probe.Text, probe.More = [2]int{first, first + n - 1}, string(t), 1_000_000
		b := &strings.Builder{}
		_ = probe.WriteText(b)
		return v.Ceiling([]byte(b.String())) <= budget
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
