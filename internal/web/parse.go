package web

import (
	"bytes"
	"sync"

	"github.com/docent-md/docent/doc"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Tables and struck text are parsed here, with goldmark's own nodes for them:
// its package of extensions compiles expressions when the program starts, which
// would cost every command 0.4 ms. Nor does it bound tables: rows that are
// shorter than their head are filled up there, and stay short here.

// tables turns paragraphs into the tables that GitHub sees in them.
type tables struct{}

func (tables) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	src := reader.Source()
	lines := p.Lines()
	for i := 1; i < lines.Len(); i++ {
		at := lines.At(i)
		aligned := alignments(at.Value(src))
		if aligned == nil {
			continue
		}
		head := cells(lines.At(i-1), src)
		if len(head) != len(aligned) {
			return
		}
		table := east.NewTable()
		table.Alignments = aligned
		table.AppendChild(table, east.NewTableHeader(row(head, aligned)))
		for j := i + 1; j < lines.Len(); j++ {
			table.AppendChild(table, row(cells(lines.At(j), src), aligned))
		}
		parent := p.Parent()
		parent.InsertAfter(parent, p, table)
		if i == 1 {
			parent.RemoveChild(parent, p)
		} else {
			lines.SetSliced(0, i-1)
			last := lines.At(i - 2)
			last.Stop--
			lines.Set(i-2, last)
		}
		return
	}
}

// alignments reads a line such as "|:--|--:|"; nil when it is none.
func alignments(line []byte) []east.Alignment {
	line = bytes.TrimSpace(line)
	if !bytes.ContainsRune(line, '|') && !bytes.ContainsRune(line, ':') {
		return nil
	}
	line = bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("|")), []byte("|"))
	var out []east.Alignment
	for col := range bytes.SplitSeq(line, []byte("|")) {
		col = bytes.TrimSpace(col)
		rest, left := bytes.CutPrefix(col, []byte(":"))
		rest, right := bytes.CutSuffix(rest, []byte(":"))
		if len(rest) == 0 || len(bytes.Trim(rest, "-")) > 0 || len(out) == maxColumns {
			return nil
		}
		a := east.AlignNone
		switch {
		case left && right:
			a = east.AlignCenter
		case left:
			a = east.AlignLeft
		case right:
			a = east.AlignRight
		}
		out = append(out, a)
	}
	return out
}

// cells divides a line at its pipes, but for those behind a backslash.
func cells(at text.Segment, src []byte) []text.Segment {
	at = at.TrimLeftSpace(src)
	at = at.TrimRightSpace(src)
	line := at.Value(src)
	from, end := 0, len(line)
	if end > 0 && line[0] == '|' {
		from = 1
	}
	if end > from && line[end-1] == '|' && (end < 2 || line[end-2] != '\\') {
		end--
	}
	var out []text.Segment
	add := func(to int) {
		s := text.NewSegment(at.Start+from, at.Start+to)
		s = s.TrimLeftSpace(src)
		out = append(out, s.TrimRightSpace(src))
		from = to + 1
	}
	for i := from; i < end; i++ {
		if line[i] == '|' && line[max(i-1, 0)] != '\\' {
			add(i)
		}
	}
	add(end)
	return out
}

func row(cells []text.Segment, aligned []east.Alignment) *east.TableRow {
	r := east.NewTableRow(aligned)
	for i, s := range cells[:min(len(cells), len(aligned))] {
		c := east.NewTableCell()
		c.Alignment = aligned[i]
		if s.Len() > 0 {
			c.Lines().Append(s)
		}
		r.AppendChild(r, c)
	}
	return r
}

// struck parses "~~text~~".
type struck struct{}

func (struck) Trigger() []byte { return []byte{'~'} }

func (struck) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	node := parser.ScanDelimiter(line, before, 1, struck{})
	if node == nil || node.OriginalLength != 2 || before == '~' {
		return nil
	}
	node.Segment = segment.WithStop(segment.Start + node.OriginalLength)
	block.Advance(node.OriginalLength)
	pc.PushDelimiter(node)
	return node
}

func (struck) IsDelimiter(b byte) bool                        { return b == '~' }
func (struck) CanOpenCloser(open, end *parser.Delimiter) bool { return open.Char == end.Char }
func (struck) OnMatch(int) ast.Node                           { return east.NewStrikethrough() }

// A linkNode is a link that only docent knows of: [[wiki]], {{macro}} or a bare
// address.
type linkNode struct {
	ast.BaseInline
	link doc.Link
}

func (*linkNode) Kind() ast.NodeKind        { return ast.KindLink }
func (n *linkNode) Dump(src []byte, lv int) { ast.DumpHelper(n, src, lv, nil, nil) }

// A taskNode is the box of an item in a list of tasks.
type taskNode struct {
	ast.BaseInline
	done bool
}

func (*taskNode) Kind() ast.NodeKind        { return ast.KindString }
func (n *taskNode) Dump(src []byte, lv int) { ast.DumpHelper(n, src, lv, nil, nil) }

// task parses "[ ] " and "[x] " where an item of a list begins.
func task(parent ast.Node, line []byte) *taskNode {
	item := parent.Parent()
	if len(line) < 4 || parent.FirstChild() != nil || item == nil || item.Kind() != ast.KindListItem || item.FirstChild() != parent {
		return nil
	}
	switch string(line[:4]) {
	case "[ ] ":
		return &taskNode{}
	case "[x] ", "[X] ":
		return &taskNode{done: true}
	}
	return nil
}

// known parses such links where docent's own reading of the document has them, so
// that both read the same.
type known struct{ key parser.ContextKey }

// Trigger holds what such a link begins with, or what goldmark stops at before a
// bare address.
func (known) Trigger() []byte { return []byte{'[', '{', '!', ' ', '('} }

func (k known) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	at, _ := pc.Get(k.key).(func(offset int) *doc.Link)
	if at == nil || pc.IsInLinkLabel() {
		return nil
	}
	line, segment := block.PeekLine()
	if n := task(parent, line); n != nil {
		block.Advance(3)
		return n
	}
	skip := 0
	l := at(segment.Start)
	if l == nil && len(line) > 0 && (line[0] == ' ' || line[0] == '(') {
		skip = 1
		if l = at(segment.Start + 1); l != nil && l.Kind != doc.Auto {
			return nil
		}
	}
	if l == nil || l.Span.Len() == 0 || l.Span.Len()+skip > len(line) {
		return nil
	}
	if skip > 0 {
		ast.MergeOrAppendTextSegment(parent, segment.WithStop(segment.Start+skip))
	}
	block.Advance(l.Span.Len() + skip)
	return &linkNode{link: *l}
}

// markdownParser is goldmark with what GitHub adds to Markdown. It is made when
// the first page is read.
type markdownParser struct {
	parser.Parser
	links parser.ContextKey // under what a parse finds docent's links
}

var newParser = sync.OnceValue(func() markdownParser {
	m := markdownParser{links: parser.NewContextKey()}
	m.Parser = parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
			util.Prioritized(known{m.links}, 150), util.Prioritized(struck{}, 500))...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(), util.Prioritized(tables{}, 200))...),
	)
	return m
})
