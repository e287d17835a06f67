package markdown

import (
	"bytes"
	"fmt"

	"github.com/docent-md/docent/doc"
)

// check returns what is wrong with a document, whatever it was made of. It is
// the contract of package doc, for the fuzz target and the tests over corpora.
func check(d *doc.Document) error {
	starts := []int{0} // where lines begin
	for i, c := range d.Source {
		if c == '\n' && i+1 < len(d.Source) {
			starts = append(starts, i+1)
		}
	}
	lines := len(starts)
	if len(d.Source) == 0 {
		lines = 0
	}
	wholeLines := func(s doc.Span, l doc.Lines) error {
		if s.Len() <= 0 {
			if s.Len() < 0 || l != (doc.Lines{}) {
				return fmt.Errorf("empty span %v has lines %v", s, l)
			}
			return nil
		}
		if s.Start < 0 || s.End > len(d.Source) || l.Start < 1 || l.End > lines || l.End < l.Start {
			return fmt.Errorf("span %v, lines %v out of range", s, l)
		}
		end := len(d.Source)
		if l.End < lines {
			end = starts[l.End]
		}
		if starts[l.Start-1] != s.Start || end != s.End {
			return fmt.Errorf("span %v is not lines %v", s, l)
		}
		return nil
	}
	for _, f := range []func(*doc.Document, func(doc.Span, doc.Lines) error) error{
		checkSections, checkBlocks, checkHeadings,
	} {
		if err := f(d, wholeLines); err != nil {
			return err
		}
	}
	return checkLinks(d)
}

func checkSections(d *doc.Document, whole func(doc.Span, doc.Lines) error) error {
	if len(d.Sections) == 0 {
		return fmt.Errorf("no sections")
	}
	at := 0
	for i, s := range d.Sections {
		if err := whole(s.Span, s.Lines); err != nil {
			return fmt.Errorf("section %d: %w", i, err)
		}
		if s.Span.Start != at {
			return fmt.Errorf("section %d begins at %d, not %d", i, s.Span.Start, at)
		}
		at = s.Span.End
		if s.End <= i || s.End > len(d.Sections) {
			return fmt.Errorf("section %d ends at %d", i, s.End)
		}
		switch {
		case i == 0:
			if s.Parent != -1 || s.Level != 1 || s.End != len(d.Sections) {
				return fmt.Errorf("section 0 is not the document: %+v", s)
			}
		case s.Parent < 0 || s.Parent >= i || d.Sections[s.Parent].End < s.End:
			return fmt.Errorf("section %d has parent %d", i, s.Parent)
		case s.Parent > 0 && d.Sections[s.Parent].Level >= s.Level:
			return fmt.Errorf("section %d of level %d is in one of level %d", i, s.Level, d.Sections[s.Parent].Level)
		}
		if s.Heading >= 0 {
			h := d.Headings[s.Heading]
			if h.Nested || h.Anchor != s.Anchor || h.Title != s.Title || h.Level != s.Level ||
				i > 0 && h.Span.Start != s.Span.Start {
				return fmt.Errorf("section %d does not agree with its heading %+v", i, h)
			}
		} else if s.Anchor != "" || i > 0 {
			return fmt.Errorf("section %d has no heading", i)
		}
	}
	if at != len(d.Source) {
		return fmt.Errorf("sections end at %d of %d", at, len(d.Source))
	}
	return nil
}

func isContainer(k doc.Kind) bool {
	return k == doc.List || k == doc.Item || k == doc.Quote || k == doc.Admonition
}

func checkBlocks(d *doc.Document, whole func(doc.Span, doc.Lines) error) error {
	end := map[int]int{} // where the last child of each container ends
	for i, b := range d.Blocks {
		if b.Span.Len() == 0 {
			return fmt.Errorf("block %d is empty", i)
		}
		if err := whole(b.Span, b.Lines); err != nil {
			return fmt.Errorf("block %d, %s: %w", i, b.Kind, err)
		}
		if b.Span.Start < end[b.Parent] {
			return fmt.Errorf("block %d, %s, begins in the block before it", i, b.Kind)
		}
		end[b.Parent] = b.Span.End
		inList := false
		if b.Parent >= 0 {
			if b.Parent >= i {
				return fmt.Errorf("block %d comes before its parent", i)
			}
			p := d.Blocks[b.Parent]
			if !isContainer(p.Kind) {
				return fmt.Errorf("block %d is in a %s", i, p.Kind)
			}
			if b.Span.Start < p.Span.Start || b.Span.End > p.Span.End {
				return fmt.Errorf("block %d, %s %v, leaves its parent %s %v", i, b.Kind, b.Span, p.Kind, p.Span)
			}
			inList = p.Kind == doc.List
		}
		if inList != (b.Kind == doc.Item) {
			return fmt.Errorf("block %d, %s: items and only items are in lists", i, b.Kind)
		}
		if b.Kind == doc.Fence || b.Kind == doc.FrontMatter {
			if b.Inner.Start < b.Span.Start || b.Inner.End > b.Span.End || b.Inner.Len() < 0 {
				return fmt.Errorf("block %d: inner %v outside %v", i, b.Inner, b.Span)
			}
		}
	}
	return nil
}

func checkHeadings(d *doc.Document, whole func(doc.Span, doc.Lines) error) error {
	seen := map[string]bool{}
	at := 0
	for i, h := range d.Headings {
		if err := whole(h.Span, h.Lines); err != nil {
			return fmt.Errorf("heading %d: %w", i, err)
		}
		if h.Span.Start < at || h.Level < 1 || h.Level > 6 {
			return fmt.Errorf("heading %d: %+v", i, h)
		}
		at = h.Span.End
		if h.Anchor == "" || seen[h.Anchor] {
			return fmt.Errorf("heading %d: anchor %q is empty or taken", i, h.Anchor)
		}
		seen[h.Anchor] = true
	}
	return nil
}

func checkLinks(d *doc.Document) error {
	at, line := 0, 1
	for i, l := range d.Links {
		if l.Span.Start < at || l.Span.End > len(d.Source) || l.Span.Len() <= 0 {
			return fmt.Errorf("link %d: span %v", i, l.Span)
		}
		line += bytes.Count(d.Source[at:l.Span.Start], newline)
		at = l.Span.Start
		if l.Line != line {
			return fmt.Errorf("link %d is on line %d, not %d", i, line, l.Line)
		}
		if s := d.Sections[l.Section].Span; l.Span.Start < s.Start || l.Span.End > s.End {
			return fmt.Errorf("link %d is not in section %d", i, l.Section)
		}
	}
	return nil
}
