package content

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-md/docent/internal/text/markdown"
)

// Lines of code may have numbers at their ends, in comments: "x = 1  # (1)!", as MkDocs has
// it. They are explained by the items of a numbered list right behind the code, and lead
// there.

// annotations joins blocks of code with the lists behind them.
type annotations struct {
	blocks int             // that are explained, so far
	last   *markdown.Piece // the code with numbers that was just written; nil if none was
	from   int             // where in the page it begins
	lists  int             // that are open, from one that explains on
	number int             // of its last item
}

// code writes a block of code.
func (x *annotations) code(p *page, n *markdown.Piece) {
	from := len(p.html)
	if p.code(n, "") && p.embedded == 0 {
		x.last, x.from = &markdown.Piece{Info: slices.Clone(n.Info), Text: slices.Clone(n.Text)}, from
	}
}

// next is told of each piece before it is written. At the beginning of a list that explains
// the code before it, the code is written again, with links.
func (x *annotations) next(p *page, n *markdown.Piece) {
	code := x.last
	x.last = nil
	switch {
	case n.Kind != markdown.ListPiece:
	case x.lists > 0 && n.Close:
		x.lists--
	case x.lists > 0:
		x.lists++
	case code != nil && !n.Close && n.Number >= 0:
		x.blocks++
		x.lists, x.number = 1, n.Number-1
		p.html = p.html[:x.from]
		p.code(code, x.prefix())
	}
}

// prefix is what the ids of the items begin with that explain the current block.
func (x *annotations) prefix() string { return "docent-line-" + strconv.Itoa(x.blocks) + "-" }

// item returns the id of an item that explains a line; "" for any other piece.
func (x *annotations) item(n *markdown.Piece) string {
	if x.lists != 1 || n.Close {
		return ""
	}
	x.number++
	return x.prefix() + strconv.Itoa(x.number)
}

// A numbered is a line of code with a number.
type numbered struct {
	before, after []byte
	number        string
}

// comments are what the comments begin with that may have nothing but a number in them.
var comments = []string{"#", "//", "/*", "<!--", "--", ";", "%"}

// cutNumber takes the number off the end of a line, and with "!" the comment around it,
// if there is nothing else in it. all says that "(1)" is a number too, not only "(1)!".
func cutNumber(line []byte, all bool) (numbered, bool) {
	words := bytes.TrimRight(line, " \t\r\n")
	after := line[len(words):]
	inner := words
	for _, end := range []string{"*/", "-->"} {
		inner = bytes.TrimRight(bytes.TrimSuffix(inner, []byte(end)), " \t")
	}
	strip := bytes.HasSuffix(inner, []byte(")!"))
	if !strip && !(all && bytes.HasSuffix(inner, []byte(")"))) {
		return numbered{}, false
	}
	digits := bytes.TrimSuffix(bytes.TrimSuffix(inner, []byte("!")), []byte(")"))
	at := bytes.LastIndexByte(digits, '(')
	n, err := strconv.Atoi(string(digits[at+1:]))
	if at < 0 || err != nil || n < 1 || n > 999 || digits[at+1] == '+' {
		return numbered{}, false
	}
	x := numbered{before: digits[:at], number: strconv.Itoa(n)}
	code, comment := beforeComment(x.before)
	if !comment || code == nil && digits[at-1] != ' ' { // f(1) is a call
		return numbered{}, false
	}
	if strip && code != nil {
		x.before = code
	} else {
		x.after = words[len(inner):]
	}
	x.after = append(slices.Clone(x.after), after...)
	return x, true
}

// beforeComment reports whether text ends in a comment, and returns what stands before one
// that has just begun.
func beforeComment(text []byte) (code []byte, comment bool) {
	text = bytes.TrimRight(text, " \t")
	for _, c := range comments {
		if rest, ok := bytes.CutSuffix(text, []byte(c)); ok {
			return rest, true
		}
		comment = comment || bytes.Contains(text, []byte(c))
	}
	return nil, comment
}

// isAnnotated reports whether code has lines with numbers.
func isAnnotated(info string, text []byte) bool {
	return bytes.Contains(text, []byte(")!")) || strings.Contains(info, ".annotate") && bytes.IndexByte(text, '(') >= 0
}

// annotatedLine writes a line of code, and reports whether it has a number. Copied code
// does not have it. prefix is that of the ids of what explains it; "" if nothing does.
func (p *page) annotatedLine(line []byte, all bool, prefix string) bool {
	x, ok := cutNumber(line, all)
	if !ok {
		p.text(line)
		return false
	}
	p.text(x.before)
	if prefix != "" {
		p.raw(`<a class="line-number" href="#` + prefix + x.number + `" aria-label="explained in ` + x.number + `" data-number="` + x.number + `"></a>`)
	} else {
		p.raw(`<span class="line-number" role="img" aria-label="number ` + x.number + `" data-number="` + x.number + `"></span>`)
	}
	p.text(x.after)
	return true
}
