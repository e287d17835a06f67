package docent

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/snippet"
	"github.com/docent-md/docent/internal/text/symbol"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Snippet is a code block, where it stands and the text that explains it.
type Snippet struct {
	Ref      string   `json:"ref"` // path#anchor:code-1
	File     string   `json:"file"`
	Lines    [2]int   `json:"lines"`
	Title    string   `json:"title"` // of its section
	Headings []string `json:"headings"`
	Language string   `json:"language"` // "" when it has none
	Symbols  []string `json:"symbols"`  // the names it declares
	Kind     string   `json:"kind,omitempty"`
	Code     string   `json:"code"`
	Before   string   `json:"before,omitempty"` // the text that leads up to it
	After    string   `json:"after,omitempty"`  // and the text behind it
	Tokens   int      `json:"tokens"`           // of all that is shown
}

// Snippets are code blocks that were found.
type Snippets struct {
	Query    string    `json:"query"`
	Snippets []Snippet `json:"snippets"`
	Total    int       `json:"total"`             // how many there are, shown or not
	Nearest  []string  `json:"nearest,omitempty"` // names there are, when the one asked for is not

	// Elsewhere is how many blocks have the name in other files or languages than
	// were asked for, when none in those has.
	Elsewhere int `json:"elsewhere,omitempty"`

	tokens func([]byte) int
	noun   string
}

// CodeQuery says which code blocks are wanted.
type CodeQuery struct {
	Text     string // a symbol, or words; "" for all
	Language string // "" means any
	File     string // only files whose path matches this glob
	Limit    int    // most blocks; 0 means 5, to explain 3, of a list 20
	Budget   int    // most tokens of the whole answer; 0 means no limit
}

// maxSnippets is the most blocks that can be asked for.
const maxSnippets = 200

func (q *CodeQuery) check(usual int) error {
	if q.Limit < 0 || q.Limit > maxSnippets {
		return fmt.Errorf("%d code blocks: must lie between 1 and %d", q.Limit, maxSnippets)
	}
	if q.Limit == 0 {
		q.Limit = usual
	}
	q.Language = symbol.Language(q.Language)
	if err := checkGlob(q.File); err != nil {
		return err
	}
	return checkBudget(q.Budget)
}

// Examples finds code blocks by a name in them: those that declare it first, and
// those in sections that are about it, each with the paragraph that leads up to
// it. Several names, or a dotted one, must all stand in a block.
func (l *Library) Examples(ctx context.Context, q CodeQuery) (*Snippets, error) {
	return l.bySymbol(ctx, q, 5, (*codePage).lead)
}

// ExplainSymbol finds code blocks by a name in them and gives each with the text
// of its section around it.
func (l *Library) ExplainSymbol(ctx context.Context, q CodeQuery) (*Snippets, error) {
	return l.bySymbol(ctx, q, 3, (*codePage).around)
}

func (l *Library) bySymbol(ctx context.Context, q CodeQuery, usual int, text func(*codePage, *Snippet, blockAt)) (*Snippets, error) {
	if err := q.check(usual); err != nil {
		return nil, err
	}
	names := symbolParts(q.Text)
	if len(names) == 0 {
		return nil, fmt.Errorf("symbol %q: has no letters or digits in it", q.Text)
	}
	blocks, err := l.blocksWith(names, q)
	if err != nil {
		return nil, err
	}
	s := &Snippets{Query: q.Text, Snippets: []Snippet{}, Total: len(blocks), tokens: l.policy.Count, noun: "code block"}
	if len(blocks) == 0 {
		others, err := l.blocksWith(names, CodeQuery{})
		if s.Elsewhere = len(others); err == nil && s.Elsewhere == 0 {
			s.Nearest, err = l.nearestSymbols(names)
		}
		return s, err
	}
	if err := l.showBlocks(ctx, s, blocks, q, text); err != nil {
		return nil, err
	}
	return s, nil
}

// showBlocks reads the best blocks, each text once.
func (l *Library) showBlocks(ctx context.Context, s *Snippets, blocks []blockAt, q CodeQuery, text func(*codePage, *Snippet, blockAt)) error {
	reader := newPageReader(l)
	pages := map[string]*codePage{}
	seen := map[string]bool{}
	whole := strings.TrimSpace(q.Text)
	for pass := range 2 { // first the blocks that have a dotted name as it is written
		for _, b := range blocks {
			if len(s.Snippets) == q.Limit {
				break
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			pg, ok := pages[b.path]
			if !ok {
				var err error
				if pg, err = reader.codePage(b); err != nil {
					return err
				}
				pages[b.path] = pg
			}
			if pg == nil {
				continue // stale: said at the end
			}
			code, ok := pg.code(b)
			if !ok || seen[code] || b.dotted && strings.Contains(code, whole) != (pass == 0) || !b.dotted && pass == 1 {
				continue
			}
			seen[code] = true
			s.Snippets = append(s.Snippets, pg.snippet(b, code, text))
		}
	}
	if len(reader.stale) > 0 {
		return &StaleError{reader.stale}
	}
	if q.Budget > 0 {
		s.fit(q.Budget)
	}
	return nil
}

// fit drops the last blocks until what is printed has at most limit tokens.
func (s *Snippets) fit(limit int) {
	for len(s.Snippets) > 0 {
		b := &strings.Builder{}
		_ = s.WriteText(b)
		if s.tokens([]byte(b.String())) <= limit {
			return
		}
		s.Snippets = s.Snippets[:len(s.Snippets)-1]
	}
}

// Nothing reports whether no block was found.
func (s *Snippets) Nothing() bool { return s.Total == 0 }

// WriteText writes the blocks as Markdown, each under its Ref and breadcrumb.
func (s *Snippets) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	for i, n := range s.Snippets {
		fmt.Fprintf(b, "# [%d] %s (%s)\n# %s\n\n", i+1, visible.Line(n.Ref), visible.Line(n.about()), visible.Line(strings.Join(n.Headings, " > ")))
		if n.Before != "" {
			b.WriteString(strings.Trim(visible.Text(n.Before), "\n") + "\n\n")
		}
		b.WriteString(strings.Trim(visible.Text(n.Code), "\n") + "\n")
		if n.After != "" {
			b.WriteString("\n" + strings.Trim(visible.Text(n.After), "\n") + "\n")
		}
		b.WriteString(hitEnd)
	}
	switch {
	case s.Elsewhere > 0:
		fmt.Fprintf(b, "no code block has %q in the files and language asked for; elsewhere: %s\n", visible.Line(s.Query), plural(s.Elsewhere, s.noun))
	case s.Total == 0 && s.Query == "":
		fmt.Fprintln(b, "no code block found")
	case s.Total == 0 && len(s.Nearest) > 0:
		fmt.Fprintf(b, "no code block has %q; there are %s\n", visible.Line(s.Query), visible.Line(strings.Join(s.Nearest, ", ")))
	case s.Total == 0:
		fmt.Fprintf(b, "no code block found for %q\n", visible.Line(s.Query))
	default:
		fmt.Fprintf(b, "%d of %s\n", len(s.Snippets), plural(s.Total, s.noun))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// about is what is said of a block in brackets.
func (n Snippet) about() string {
	parts := []string{plural(n.Tokens, "token")}
	if n.Language != "" {
		parts = append(parts, n.Language)
	}
	if n.Kind != "" && n.Kind != snippet.Uses.String() {
		parts = append(parts, n.Kind+" it")
	}
	return strings.Join(parts, ", ")
}

// codeRef is the Ref of a code block: the number counts those of its section.
func codeRef(path, anchor string, number int) string {
	return doc.Ref{Path: path, Anchor: anchor, Code: number}.String()
}
