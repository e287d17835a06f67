package browse

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/visible"
)

// Manifest maps the file or the files of the folder that ref names; "" means
// all.
func Manifest(ctx context.Context, v *snapshot.View, ref string) (*answer.Manifest, error) {
	files, err := filesUnder(v, ref)
	if err != nil {
		return nil, err
	}
	m := &answer.Manifest{Name: v.Corpus.Name, Summary: shorten(v.Corpus.Config.Description, maxSummary), Files: make([]answer.ManifestFile, 0, len(files))}
	for _, k := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := manifestFile(v, k)
		if err != nil {
			return nil, err
		}
		m.Files = append(m.Files, f)
		m.Total.Files++
		m.Total.Sections += k.Info.Sections
		m.Total.Lines += f.Lines
		m.Total.Tokens += f.Tokens
	}
	for _, front := range []string{"README.md", "index.md", "_index.md"} {
		for _, f := range m.Files {
			if m.Summary == "" && strings.EqualFold(f.File, front) {
				m.Summary = f.Summary
			}
		}
	}
	return m, nil
}

func manifestFile(v *snapshot.View, k snapshot.File) (answer.ManifestFile, error) {
	f := answer.ManifestFile{
		File: k.Path, Title: visible.Line(k.Info.Title), Summary: shorten(k.Info.Description, maxSummary),
		Lines: k.Info.Lines, Tokens: k.Info.Tokens, Headings: []answer.ManifestHeading{},
	}
	sections, err := v.Sections(k)
	if err != nil {
		return f, err
	}
	for i, s := range sections {
		if s.Anchor == "" {
			continue
		}
		lines := place.Subtree(sections, i)
		f.Headings = append(f.Headings, answer.ManifestHeading{
			Ref:   doc.Ref{Path: k.Path, Anchor: s.Anchor}.String(),
			Title: visible.Line(s.Title), Level: s.Level, Lines: [2]int{lines.Start, lines.End},
		})
	}
	if f.Summary == "" {
		data, err := v.Text(k)
		if err != nil {
			return f, err
		}
		f.Summary = firstSentences(data)
	}
	return f, nil
}

// notProse is how paragraphs begin that say nothing.
var notProse = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(!\[|\[!\[|\{\{|\{%|<)`) })

// maxSummary is the most characters of a summary.
const maxSummary = 160

// firstSentences is what a document opens with: its first paragraph that is no
// picture, badge or macro, as far as a summary reaches. Of a large document only
// the beginning is looked at.
func firstSentences(data []byte) string {
	const enough = 16 << 10
	if len(data) > enough {
		data = data[:enough]
		data = data[:strings.LastIndexByte(string(data), '\n')+1]
	}
	d := markdown.Parse("", data)
	for _, b := range d.Blocks {
		if b.Kind != doc.Paragraph || b.Parent >= 0 || notProse().Match(b.Span.Of(data)) {
			continue
		}
		if text := shorten(string(markdown.AppendText(nil, &d, b.Span)), maxSummary); text != "" {
			return text
		}
	}
	return ""
}

// shorten cuts a text to a line of at most n characters: after a sentence where
// one ends in its second half, else after a word.
func shorten(s string, n int) string {
	s = strings.Join(strings.Fields(visible.Text(s)), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	end := 0
	for i := range s {
		if n--; n < 3 { // room for the dots
			end = i
			break
		}
	}
	cut := s[:end]
	if i := max(strings.LastIndex(cut, ". "), strings.LastIndex(cut, "! "), strings.LastIndex(cut, "? ")); i >= len(cut)/2 {
		return cut[:i+1]
	}
	if i := strings.LastIndexByte(cut, ' '); i >= len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:-") + "..."
}
