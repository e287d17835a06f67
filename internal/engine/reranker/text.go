package reranker

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxText limits how much of a text is read. A text of pieces that count has more
// of them in this than the model takes.
const maxText = 32 << 10

const (
	unknown   = 1
	cls       = 2
	separator = 3
)

// replacements returns what strip takes out: comments, link targets (twice: an
// image may stand in a link), tags, addresses. A "<" after a letter or digit
// begins a type parameter, unless a "/" follows.
func replacements() []replacement {
	link := regexp.MustCompile(`!?\[([^\[\]\n]*)\]\([^()\n]*\)`)
	return []replacement{
		{"<!--", regexp.MustCompile(`<!--(?s:.)*?-->`), " "},
		{"](", link, "${1}"},
		{"](", link, "${1}"},
		{"</", regexp.MustCompile(`</[A-Za-z][^<>\n]{0,200}>`), " "},
		{"<", regexp.MustCompile(`(^|[^A-Za-z0-9])<[A-Za-z][^<>\n]{0,200}>`), "${1} "},
		{"://", regexp.MustCompile("[A-Za-z]+://[^ \\t\\n)>\"'`]+"), " "},
	}
}

// strip takes the markup out of a text that says nothing.
func (m *Model) strip(text string) string {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	for _, r := range m.markup {
		if strings.Contains(text, r.sign) {
			text = r.re.ReplaceAllString(text, r.by)
		}
	}
	return text
}

// A pieces has the numbers of a text's pieces, and where in them its blocks begin,
// which blank lines part.
type pieces struct {
	ids    []int32
	starts []int
}

// An encoder takes the characters of a text, folded, and gives pieces.
type encoder struct {
	m     *Model
	out   pieces
	word  []byte
	runes int
	mark  rune // the mark that the last character was, or 0
	block bool // the next piece begins a block
}

// encode turns text without markup into pieces, and ends when it has most of them
// or more.
func (m *Model) encode(text string, most int) pieces {
	e := &encoder{m: m, block: true}
	before := rune(0)
	for i := 0; i < len(text) && len(e.out.ids) < most; {
		c, size := rune(text[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(text[i:])
		}
		i += size
		// A capital after a small letter or digit begins a word: getName is two.
		if 'A' <= c && c <= 'Z' && ('a' <= before && before <= 'z' || '0' <= before && before <= '9') {
			e.take(' ')
		}
		if before = c; c == '\n' && blank(text[i:]) {
			e.take(' ')
			e.block = true
		}
		switch by, ok := "", false; {
		case 'A' <= c && c <= 'Z':
			e.take(c + 'a' - 'A')
		case c < utf8.RuneSelf:
			e.take(c)
		default:
			if by, ok = m.fold[c]; !ok {
				e.take(c)
			}
			for _, c := range by {
				e.take(c)
			}
		}
	}
	e.flush()
	if e.out.starts == nil {
		e.out.starts = []int{0}
	}
	e.out.ids = e.out.ids[:min(most, len(e.out.ids))]
	return e.out
}

// blank says whether a text begins with a line that is empty.
func blank(text string) bool {
	rest := strings.TrimLeft(text, " \t\r")
	return rest != "" && rest[0] == '\n'
}

func (e *encoder) take(c rune) {
	mark := e.mark
	e.mark = 0
	switch {
	case 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || 0xC0 <= c && c <= 0x1FFF:
		if e.runes++; e.runes <= e.m.longest {
			e.word = utf8.AppendRune(e.word, c)
		}
	case c == '.' || c == '?' || c == '+' || c == '#':
		e.flush()
		if e.mark = c; mark != c {
			e.single(c)
		}
	case 0x2E80 <= c && c <= 0xFFEF || 0x20000 <= c && c <= 0x3FFFF:
		e.flush()
		e.single(c)
	default:
		e.flush()
	}
}

func (e *encoder) single(c rune) {
	e.word, e.runes = utf8.AppendRune(e.word, c), 1
	e.flush()
}

// flush ends a word: the longest piece it begins with, and so on with the rest.
func (e *encoder) flush() {
	if e.runes == 0 {
		return
	}
	begin, word := len(e.out.ids), e.word
	if e.block {
		e.out.starts, e.block = append(e.out.starts, begin), false
	}
	table := e.m.first
	if e.runes > e.m.longest {
		e.out.ids, word = append(e.out.ids, unknown), nil
	}
	for len(word) > 0 {
		n := min(len(word), e.m.pieceBytes)
		id, ok := table[string(word[:n])]
		for ; !ok && n > 1; id, ok = table[string(word[:n])] {
			n--
		}
		if !ok {
			e.out.ids = append(e.out.ids[:begin], unknown)
			break
		}
		e.out.ids, word, table = append(e.out.ids, id), word[n:], e.m.inner
	}
	e.word, e.runes = e.word[:0], 0
}
