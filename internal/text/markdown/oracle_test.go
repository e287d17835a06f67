package markdown

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	gmparser "github.com/yuin/goldmark/parser"
	gmtext "github.com/yuin/goldmark/text"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/gates/cases"
	"github.com/docent-md/docent/internal/needs"
)

// A feature is something both parsers find: where it stands, and the level of
// a heading.
type feature struct {
	kind       doc.Kind
	level      int
	start, end int
}

func oracle() gmparser.Parser {
	return goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()
}

// oracleFeatures returns what goldmark finds in src. The lines of a fence's end
// are not in its tree and are read from the source.
func oracleFeatures(p gmparser.Parser, src []byte) []feature {
	var starts []int
	for i := 0; i < len(src); i += lineLen(src[i:]) {
		starts = append(starts, i)
	}
	line := func(at int) int { return sort.SearchInts(starts, at+1) }
	lineText := func(n int) []byte {
		if n > len(starts) {
			return nil
		}
		s := src[starts[n-1]:]
		return s[:lineLen(s)]
	}
	var out []feature
	root := p.Parse(gmtext.NewReader(src))
	_ = ast.Walk(root, func(n ast.Node, in bool) (ast.WalkStatus, error) {
		if !in {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			f := feature{doc.HeadingBlock, n.Level, line(n.Pos()), line(n.Pos())}
			if src[n.Pos()] != '#' {
				if k := n.Lines().Len(); k > 0 {
					f.start = line(n.Lines().At(0).Start)
					f.end = line(n.Lines().At(k-1).Start) + 1
				}
			}
			out = append(out, f)
		case *ast.FencedCodeBlock:
			f := feature{doc.Fence, 0, line(n.Pos()), line(n.Pos())}
			if k := n.Lines().Len(); k > 0 {
				f.end = line(n.Lines().At(k - 1).Start)
			}
			open := bytes.TrimLeft(src[n.Pos():], " ")
			size := run(open, open[0])
			next := bytes.TrimLeft(bytes.TrimRight(lineText(f.end+1), " \t\r\n"), " \t>")
			if k := run(next, open[0]); k >= size && k == len(next) {
				f.end++
			}
			out = append(out, f)
		case *extast.Table:
			out = append(out, feature{doc.Table, 0, line(n.FirstChild().Pos()), max(line(n.FirstChild().Pos())+1, line(n.LastChild().Pos()))})
		}
		return ast.WalkContinue, nil
	})
	slices.SortFunc(out, compareFeatures)
	return out
}

func ourFeatures(d *doc.Document) []feature {
	var out []feature
	for i := range d.Headings {
		h := &d.Headings[i]
		out = append(out, feature{doc.HeadingBlock, h.Level, h.Lines.Start, h.Lines.End})
	}
	for i := range d.Blocks {
		b := &d.Blocks[i]
		if b.Kind == doc.Fence || b.Kind == doc.Table {
			out = append(out, feature{b.Kind, 0, b.Lines.Start, b.Lines.End})
		}
	}
	slices.SortFunc(out, compareFeatures)
	return out
}

// compareFeatures orders features by line, then by kind.
func compareFeatures(a, b feature) int {
	return cmp.Or(a.start-b.start, int(a.kind)-int(b.kind), a.end-b.end, a.level-b.level)
}

// blankFrontMatter overwrites front matter and a byte order mark, neither of
// which goldmark knows, so that lines and offsets stay.
func blankFrontMatter(d *doc.Document) []byte {
	src := d.Source
	end := 0
	if bytes.HasPrefix(src, bom) {
		end = len(bom)
	}
	if len(d.Blocks) > 0 && d.Blocks[0].Kind == doc.FrontMatter {
		end = d.Blocks[0].Span.End
	}
	if end == 0 {
		return src
	}
	src = bytes.Clone(src)
	for i := range end {
		if src[i] != '\n' {
			src[i] = ' '
		}
	}
	return src
}

// oracleTree returns the blocks goldmark finds, a line each, indented by depth.
func oracleTree(p gmparser.Parser, src []byte) string {
	var sb strings.Builder
	var walk func(n ast.Node, depth int)
	walk = func(n ast.Node, depth int) {
		var kind doc.Kind
		switch n.(type) {
		case *ast.Paragraph, *ast.TextBlock:
			kind = doc.Paragraph
		case *ast.Heading:
			kind = doc.HeadingBlock
		case *ast.List:
			kind = doc.List
		case *ast.ListItem:
			kind = doc.Item
		case *ast.Blockquote:
			kind = doc.Quote
		case *ast.FencedCodeBlock:
			kind = doc.Fence
		case *ast.CodeBlock:
			kind = doc.IndentedCode
		case *ast.HTMLBlock:
			kind = doc.HTML
		case *ast.ThematicBreak:
			kind = doc.Break
		case *extast.Table:
			kind = doc.Table
		default:
			return
		}
		fmt.Fprintf(&sb, "%*s%s\n", 2*depth, "", kind)
		if isContainer(kind) {
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				walk(c, depth+1)
			}
		}
	}
	root := p.Parse(gmtext.NewReader(src))
	for c := root.FirstChild(); c != nil; c = c.NextSibling() {
		walk(c, 0)
	}
	return sb.String()
}

// ourTree returns the blocks of d in the same form, without those goldmark has
// no word for.
func ourTree(d *doc.Document) string {
	var sb strings.Builder
	depth := make([]int, len(d.Blocks))
	for i, b := range d.Blocks {
		if b.Parent >= 0 {
			depth[i] = depth[b.Parent] + 1
		}
		if b.Kind != doc.Definition && b.Kind != doc.FrontMatter {
			fmt.Fprintf(&sb, "%*s%s\n", 2*depth[i], "", b.Kind)
		}
	}
	return sb.String()
}

// The tree of blocks, and the lines of headings, fences and tables, are those of
// goldmark in all 652 examples of the CommonMark specification.
func TestSpecExamples(t *testing.T) {
	examples := specExamples(t)
	if len(examples) != 652 {
		t.Fatalf("%d examples, not 652", len(examples))
	}
	p := oracle()
	for i, ex := range examples {
		d := Parse("x.md", []byte(ex))
		if err := check(&d); err != nil {
			t.Errorf("example %d, %q: %v", i+1, ex, err)
		}
		src := blankFrontMatter(&d)
		if ours, theirs := ourTree(&d), oracleTree(p, src); ours != theirs {
			t.Errorf("example %d, %q:\n%s\ngoldmark:\n%s", i+1, ex, ours, theirs)
		}
		for _, x := range diffFeatures(ourFeatures(&d), oracleFeatures(p, src)) {
			t.Errorf("example %d, %q: %v", i+1, ex, x)
		}
	}
	cases.Tried(t, "P2", len(examples))
}

// A difference is a feature that only one parser finds.
type difference struct {
	feature
	ours bool
}

func (x difference) String() string {
	who := "only goldmark has"
	if x.ours {
		who = "only we have"
	}
	return fmt.Sprintf("%s %s %d at lines %d-%d", who, x.kind, x.level, x.start, x.end)
}

// diffFeatures compares two sorted lists of features.
func diffFeatures(ours, theirs []feature) (out []difference) {
	for len(ours) > 0 || len(theirs) > 0 {
		switch {
		case len(theirs) == 0 || len(ours) > 0 && compareFeatures(ours[0], theirs[0]) < 0:
			out = append(out, difference{ours[0], true})
			ours = ours[1:]
		case len(ours) == 0 || compareFeatures(ours[0], theirs[0]) > 0:
			out = append(out, difference{theirs[0], false})
			theirs = theirs[1:]
		default:
			ours, theirs = ours[1:], theirs[1:]
		}
	}
	return out
}

// The causes of differences we want.
const (
	inMkDocs = "in a MkDocs block, whose content CommonMark takes for indented code"
	inMDX    = "in MDX, where tags do not hide the Markdown between them"
	unwanted = "unwanted"
)

// wanted lists every difference from goldmark over the corpora, by cause.
var wanted = map[string]map[string]int{
	"pydantic": {inMkDocs: 97},
}

// cause says why a feature is found by one parser only.
func cause(d *doc.Document, x difference) string {
	if !x.ours {
		return unwanted
	}
	mdx := false
	for i := range d.Blocks {
		b := &d.Blocks[i]
		if b.Lines.Start > x.start {
			break
		}
		switch {
		case b.Kind == doc.Component:
			mdx = true
		case b.Kind == doc.Admonition && b.Lines.End >= x.end:
			line := bytes.TrimLeft(b.Span.Of(d.Source), " \t")
			if bytes.HasPrefix(line, []byte("!!!")) || bytes.HasPrefix(line, []byte("???")) || bytes.HasPrefix(line, []byte("===")) {
				return inMkDocs
			}
		}
	}
	if mdx {
		return inMDX
	}
	return unwanted
}

// Over real documentation the lines of headings, fences and tables are those of
// goldmark, but for the differences listed above. With DOCENT_BENCH_PARSE set it
// prints the table of agreement.
func TestAgreesWithGoldmark(t *testing.T) {
	needs.Time(t)
	p := oracle()
	print := os.Getenv("DOCENT_BENCH_PARSE") != ""
	if print {
		fmt.Println("\n| corpus | headings | fences | tables | of goldmark's, found alike | differences, all wanted |")
		fmt.Println("|---|---|---|---|---|---|")
	}
	for _, name := range someCorpora() {
		causes := map[string]int{}
		count := map[doc.Kind]int{}
		differ, missed := 0, 0
		for _, f := range corpus(t, name) {
			d := Parse(f.path, f.text)
			if err := check(&d); err != nil {
				t.Errorf("%s: %v", f.path, err)
			}
			theirs := oracleFeatures(p, blankFrontMatter(&d))
			for _, x := range theirs {
				count[x.kind]++
			}
			for _, x := range diffFeatures(ourFeatures(&d), theirs) {
				differ++
				if !x.ours {
					missed++
				}
				c := cause(&d, x)
				causes[c]++
				if c == unwanted {
					t.Errorf("%s: %v", f.path, x)
				}
			}
		}
		if !maps.Equal(causes, wanted[name]) {
			t.Errorf("%s: differences %v, not %v", name, causes, wanted[name])
		}
		n := count[doc.HeadingBlock] + count[doc.Fence] + count[doc.Table]
		if differ-causes[inMkDocs]-causes[inMDX] > n/1000 {
			t.Errorf("%s: %d of %d differ", name, differ, n)
		}
		if print {
			var why []string
			for _, c := range slices.Sorted(maps.Keys(causes)) {
				why = append(why, fmt.Sprintf("%d %s", causes[c], c))
			}
			fmt.Printf("| %s | %d | %d | %d | %d of %d | %s |\n", name, count[doc.HeadingBlock], count[doc.Fence],
				count[doc.Table], n-missed, n, strings.Join(why, "; "))
		}
	}
}
