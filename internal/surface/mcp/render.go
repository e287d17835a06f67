package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/token"
	"github.com/docent-md/docent/internal/text/visible"
	"github.com/docent-md/docent/tool"
)

// render turns an answer into what is sent, while the library is open.
func (r *request) render(ctx context.Context, lib *docent.Library, out tool.Answer) error {
	r.shown = r.shown[:0]
	if err := ctx.Err(); err != nil {
		return err
	}
	if s, ok := out.(*answer.Status); ok && r.s.opts.NoPaths {
		s.Root, s.Index, s.Config = "", "", ""
	}
	a, isSearch := out.(*answer.Answer)
	if r.asJSON {
		if isSearch {
			return r.records(a)
		}
		return r.document(ctx, lib, out)
	}
	more := ""
	switch v := out.(type) {
	case *answer.Answer:
		v.Limited = !r.usualLimit
		r.shorten(v)
	case *answer.SectionView:
		var err error
		if v, more, err = r.brief(ctx, lib); err != nil {
			return err
		}
		if s := &v.Section; r.had(s.Source.File, s.Source.Lines, s.Content) {
			s.Content = sentBefore
		} else if r.sent != nil && !r.again {
			s.Content = r.sent.without(s.Source.File, s.Source.Lines, s.Content)
		}
		out = v
	case *answer.Reading:
		more = r.moreLines(v)
		if v.Text != "" && count(v.Text) > closing && r.had(v.File, v.Lines, v.Text) {
			r.text = fmt.Sprintf("%s %d tokens\n", sentBefore, v.Tokens)
			return nil
		}
	case *answer.Several:
		more = r.shortenAll(v)
	case tool.Found: // JSON: cut short it could not be read
		for len(v) > 0 && ceiling(printed(v)) > r.budget {
			v = v[:len(v)-1]
		}
		out = v
	}
	var err error
	if r.s.opts.Structured {
		if r.structured, err = structured(out); err != nil {
			return err
		}
		if r.leads {
			withoutBodies(r.structured)
		}
	}
	text, err := r.write(out)
	if err != nil {
		return err
	}
	r.text = visible.Text(text + more)
	if r.text == "" {
		r.text = "(nothing)\n"
		switch v := out.(type) {
		case *answer.Reading:
			r.text = visible.Text(fmt.Sprintf("(no such lines: %s has %d)\n", v.File, v.Total))
		}
	}
	if isSearch {
		r.text += r.next(a)
	}
	return nil
}

// write writes the text of an answer, of a search with what leads on from each hit.
func (r *request) write(out tool.Answer) (string, error) {
	b := &strings.Builder{}
	write := out.WriteText
	if a, ok := out.(*answer.Answer); ok && r.leads {
		write = a.WriteLeads
	} else if ok {
		for i := range a.Hits {
			r.moreOfHit(&a.Hits[i])
		}
	}
	err := write(b)
	return b.String(), err
}

// brief gives a section at a price that an agent can foresee, and says how to get
// the rest: one that follows a Ref wants what stands there, and sees in the list
// of children what is worth more.
func (r *request) brief(ctx context.Context, lib *docent.Library) (*answer.SectionView, string, error) {
	var ref string
	_ = json.Unmarshal(r.args["ref"], &ref)
	b, err := lib.Brief(ctx, ref, wholeSection, answer.SectionOptions{Around: r.args.truth("around")})
	if err != nil {
		return nil, "", err
	}
	r.mark(b.SectionView)
	more := ""
	s := b.Section
	if b.MoreSiblings+b.MoreChildren > 0 {
		index, _, _ := strings.Cut(s.SectionID, doc.Ref{Path: s.Source.File}.String())
		more += fmt.Sprintf("\n[%d more around it: %s ref=%q]\n", b.MoreSiblings+b.MoreChildren, r.s.called("toc"), index+s.Source.File)
	}
	if s.Source.Lines != b.WholeLines {
		more += fmt.Sprintf("\n[lines %d-%d of %d-%d, %d tokens in all: %s ref=%q offset=%d]\n", s.Source.Lines[0], s.Source.Lines[1],
			b.WholeLines[0], b.WholeLines[1], b.Whole, r.s.called("read"), s.SectionID, min(s.Source.Lines[1]+1, b.WholeLines[1]))
	}
	return b.SectionView, more, nil
}

// moreOfHit says how to get the rest of a hit that was cut, as a call: by itself
// a hit names the command line.
func (r *request) moreOfHit(h *answer.Hit) {
	if h.Cut > 0 {
		h.Body = fmt.Sprintf("%s\n\n[%d tokens more: %s ref=%q]", strings.TrimRight(h.Body, "\n"), h.Cut, r.s.called("read"), h.Ref)
		h.Cut = 0
	}
}

// moreLines does the same for lines that were read.
func (r *request) moreLines(v *answer.Reading) string {
	if v.More == 0 {
		return ""
	}
	more := fmt.Sprintf("[%d lines more: %s ref=%q offset=%d]\n", v.More, r.s.called("read"), v.Ref, v.Lines[1]+1)
	v.More = 0
	return more
}

// sentBefore stands in the place of text that the session was sent.
const sentBefore = "[sent before in this session and unchanged; again:true sends it again]"

// shorten takes the text out of hits that the session was sent, and of leads to them what
// it knows.
func (r *request) shorten(a *answer.Answer) {
	for i := range a.Hits {
		h := &a.Hits[i]
		if (r.leads || h.AsLead) && r.sent != nil && !r.again && r.sent.has(lineKeys(h.File, h.Lines, h.Record.Content)) {
			h.Headings, h.BestLine = nil, "[sent before]"
			continue
		}
		if !r.leads && !h.AsLead && h.Cut == 0 && r.had(h.File, h.Lines, h.Body) {
			h.Body = sentBefore
		}
	}
}

// shortenAll does the same for several sections or readings, and says how to go on.
func (r *request) shortenAll(s *answer.Several) (more string) {
	for _, one := range s.Results {
		switch v := one.(type) {
		case *answer.SectionView:
			if c := &v.Section; r.had(c.Source.File, c.Source.Lines, c.Content) {
				c.Content = sentBefore
			}
		case *answer.Reading:
			if v.Text != "" && r.had(v.File, v.Lines, v.Text) {
				v.Text, v.Plain = sentBefore+"\n", true
			}
			more += r.moreLines(v)
		}
	}
	return more
}

// had reports whether the session was sent some lines before, by whatever tool. If
// not, it is after this.
func (r *request) had(file string, lines [2]int, text string) bool {
	if r.sent == nil {
		return false
	}
	keys := lineKeys(file, lines, text)
	if !r.again && r.sent.has(keys) {
		return true
	}
	r.shown = append(r.shown, keys...)
	return false
}

// next is the step that suggests itself after a search; "" if none does.
func (r *request) next(a *answer.Answer) string {
	called := r.s.called
	switch {
	case r.budget < 2*closing:
		return ""
	case len(a.Hits) == 0 && len(a.LeftOut) == 0:
		return "next: ask in other words" + r.ifServed("grep", ", "+called("grep")+" for exact text") + r.ifServed("toc", ", or see what there is with "+called("toc")) + "\n"
	case !r.leads && len(a.LeftOut) == 0 && !a.IsWeak():
		return "" // all that was found is there
	}
	return "next: " + r.ifServed("get_section", called("get_section")+" or ") + called("read") + " a Ref; path= narrows, full= shows all texts\n"
}

func (r *request) ifServed(name, text string) string {
	if r.s.serves(name) {
		return text
	}
	return ""
}

// recordFields are those of a result in the response that docsearch specifies.
var recordFields = []string{"section_id", "parent_id", "title", "path", "content", "source", "score", "match", "references"}

// records answers a search with the response that docsearch specifies: as many
// results as fit. References go before a result does.
func (r *request) records(a *answer.Answer) error {
	refs := 8
	for n := len(a.Hits); ; {
		records := a.Records()[:n]
		for i := range records {
			records[i].References = records[i].References[:min(len(records[i].References), refs)]
		}
		v, err := cleanJSON(records)
		if err != nil {
			return err
		}
		all, _ := v.([]any)
		for _, x := range all {
			if record, ok := x.(map[string]any); ok {
				maps.DeleteFunc(record, func(k string, _ any) bool { return !slices.Contains(recordFields, k) })
			}
		}
		response := map[string]any{"results": all}
		if left := leftOut(a, n); left != nil {
			response["left_out"] = left
		}
		text, err := jsonOf(response)
		if err != nil {
			return err
		}
		if n == 0 || ceiling(string(text)) <= r.budget {
			r.text, r.structured = string(text), response
			return nil
		}
		if refs > 0 {
			refs /= 2
		} else {
			n--
		}
	}
}

// leftOut says what an answer with the first n results lacks, and why; nil if nothing.
// What had no room in the budget is named; what the limit had no place for is counted.
func leftOut(a *answer.Answer, n int) map[string]any {
	const most = 5 // that are named
	refs := []string{}
	for _, h := range a.Hits[n:] {
		refs = append(refs, h.Ref)
	}
	for _, l := range a.LeftOut {
		refs = append(refs, l.Ref)
	}
	cut := len(refs) + a.Unlisted
	left := map[string]any{"count": cut + a.Beyond}
	switch {
	case cut == 0 && a.Beyond == 0:
		return nil
	case cut == 0:
		left["why"] = "limit"
		return left
	case a.Beyond == 0:
		left["why"] = "budget"
	default:
		left["why"] = "budget and limit"
	}
	left["refs"] = refs[:min(len(refs), most)]
	return left
}

// document answers with the answer's own JSON.
func (r *request) document(ctx context.Context, lib *docent.Library, out tool.Answer) error {
	if v, ok := out.(*answer.SectionView); ok {
		v.References = v.References[:min(len(v.References), 20)]
		v.Backlinks = v.Backlinks[:min(len(v.Backlinks), 10)]
	}
	v, err := structured(out)
	if err != nil {
		return err
	}
	text, err := jsonOf(v)
	if err != nil {
		return err
	}
	if price := ceiling(string(text)); price > r.budget {
		if _, ok := out.(*answer.SectionView); ok && lib != nil {
			short, _, err := r.brief(ctx, lib)
			if err != nil {
				return err
			}
			return r.document(ctx, nil, short)
		}
		return fmt.Errorf("%s: %d tokens as JSON, and an answer may have %d: ask for text or for less", r.tool.name, price, r.budget)
	}
	r.text, r.structured = string(text), v
	return nil
}

// close adds what there is to say of the answer as a whole, and keeps it within
// its budget.
func (r *request) close(note string) {
	if r.asJSON {
		return
	}
	if note != "" && r.budget >= 2*closing {
		note = "note: " + visible.Text(note) + "\n"
	} else {
		note = ""
	}
	whole := r.text + note
	if r.text = fit(r.text, note, r.budget); r.text != whole {
		r.shown = nil // not all of it was sent
	}
	if r.structured != nil {
		if text, err := jsonOf(r.structured); err != nil || ceiling(string(text)) > maxAnswer {
			r.structured = nil
		}
	}
}

// printed is what an answer writes.
func printed(out tool.Answer) string {
	b := &strings.Builder{}
	_ = out.WriteText(b)
	return b.String()
}

// fit cuts a text at the end of a line so that it costs, with the tail that
// follows it, no more than limit. The whole is counted as it is sent: the price
// of two texts is not always the sum of theirs.
func fit(text, tail string, limit int) string {
	if ceiling(text+tail) <= limit {
		return text + tail
	}
	tail = fmt.Sprintf("[cut: %d tokens in all. Ask for less at a time]\n", count(text+tail)) + tail
	lines := strings.SplitAfter(text, "\n")
	first := func(n int) string { return strings.Join(lines[:n], "") + tail }
	lo, hi := 0, len(lines)
	for step := 1; lo+step < hi; step *= 2 { // of a long text no more is counted than twice what fits
		if ceiling(first(lo+step)) > limit {
			hi = lo + step - 1
			break
		}
		lo += step
	}
	for lo < hi {
		if mid := (lo + hi + 1) / 2; ceiling(first(mid)) <= limit {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return first(lo)
}

func count(s string) int { return token.O200k().CountString(s) }

// ceiling is what limits are kept by.
func ceiling(s string) int { return token.O200k().Ceiling([]byte(s)) }

// withoutBodies leaves of structured hits what leads are.
func withoutBodies(v any) {
	object, _ := v.(map[string]any)
	hits, _ := object["hits"].([]any)
	for _, h := range hits {
		if h, ok := h.(map[string]any); ok {
			delete(h, "body")
		}
	}
}

// structured gives an answer as structured content, which must be an object.
func structured(out tool.Answer) (any, error) {
	v, err := cleanJSON(out)
	if _, isObject := v.(map[string]any); isObject || err != nil {
		return v, err
	}
	return map[string]any{"items": v}, nil
}
