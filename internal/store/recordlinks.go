package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/links"
	"github.com/docent-md/docent/internal/source/crawl"
	"github.com/docent-md/docent/internal/store/backend"
	"github.com/docent-md/docent/internal/text/markdown"
)

// References in records. The texts of the records of a document are put together again,
// each under its title, so that links and "see section 2.1" are found and resolved as
// those of documents are. Where they lead is then looked up among the records.

// A rebuilt document is the texts of its records, and the lines that each has there.
type rebuilt struct {
	crawl.File
	lines []doc.Lines
}

// rebuild puts the records of a document together.
func rebuild(f recordFile) rebuilt {
	b := &strings.Builder{}
	var out rebuilt
	line := 1
	for _, r := range f.records {
		text := strings.TrimRight(r.Content, "\n") + "\n\n"
		d := markdown.Parse(f.path, []byte(r.Content))
		if !slices.ContainsFunc(d.Headings, func(h doc.Heading) bool { return h.Title == r.Title }) {
			text = strings.Repeat("#", min(max(len(r.Headings), 1), 6)) + " " + r.Title + "\n\n" + text
		}
		n := strings.Count(text, "\n")
		out.lines = append(out.lines, doc.Lines{Start: line, End: line + n - 1})
		line += n
		b.WriteString(text)
	}
	out.File = crawl.File{Entry: crawl.Entry{Path: f.path, Size: int64(b.Len())}, Data: []byte(b.String())}
	return out
}

// recordLinks returns the references in records, by their section ids.
func recordLinks(ctx context.Context, c *corpus.Corpus, in *recordReader) (map[string][]backend.Reference, error) {
	all := make([]rebuilt, len(in.files))
	files := make([]crawl.File, len(in.files))
	target := map[string]string{} // ids, by the Refs of sections
	for i, f := range in.files {
		all[i] = rebuild(f)
		files[i] = all[i].File
		d := markdown.Parse(f.path, all[i].Data)
		target[f.path] = f.records[0].SectionID
		for _, s := range d.Sections {
			for k, lines := range all[i].lines {
				if lines.Start <= s.Lines.Start && s.Lines.Start <= lines.End {
					target[answer.RefIn(f.path, s.Anchor)] = f.records[k].SectionID
				}
			}
		}
	}
	order := slices.SortedFunc(slices.Values(files), func(a, b crawl.File) int { return cmp.Compare(a.Path, b.Path) })
	v, err := inMemory(ctx, c, order, nil, "")
	if err != nil {
		return nil, err
	}
	w, err := links.NewWalk(v)
	if err != nil {
		return nil, err
	}
	out := map[string][]backend.Reference{}
	for i, f := range in.files {
		k, ok, err := v.Find(f.path)
		if err != nil || !ok {
			return nil, err
		}
		for n, r := range f.records {
			refs, err := w.References(links.Node{ID: k.ID()}, all[i].lines[n])
			if err != nil {
				return nil, err
			}
			seen := map[string]bool{}
			for _, x := range refs {
				ref := backend.Reference{Text: cmp.Or(x.RefText, x.Target), Summary: x.Summary}
				if x.SectionID != nil {
					ref.To = target[*x.SectionID]
				}
				if ref.Text != "" && !seen[ref.Text] && ref.To != r.SectionID {
					seen[ref.Text] = true
					out[r.SectionID] = append(out[r.SectionID], ref)
				}
			}
		}
	}
	return out, nil
}
