package grep

import (
	"math"
	"unicode"
)

// repeat reads a repetition operator and applies it to n.
func (p *parser) repeat(n *node) *node {
	from := p.at
	out := &node{op: opRepeat, sub: []*node{n}, greedy: !p.flags.lazy}
	switch p.take() {
	case '?':
		out.min, out.max = 0, 1
	case '*':
		out.min, out.max = 0, -1
	case '+':
		out.min, out.max = 1, -1
	case '{':
		out.min, out.max = p.counts(from)
	}
	if p.accept("?") {
		out.greedy = !out.greedy
	}
	if out.max == 0 || n.size(1) == 0 {
		return &node{op: opEmpty} // nothing, however often
	}
	return out
}

// counts reads what follows the "{" of a counted repetition at src[from].
func (p *parser) counts(from int) (low, high int) {
	low = p.count(from)
	high = low
	if p.accept(",") {
		p.skip()
		high = -1
		if p.peek() != '}' {
			high = p.count(from)
		}
	}
	if !p.accept("}") {
		p.fail(from, "the count has no closing }; write \\{ for a plain brace")
	}
	if high >= 0 && low > high {
		p.fail(from, "the count ends before it begins")
	}
	p.skip()
	return low, high
}

// count reads a number, with spaces around it.
func (p *parser) count(from int) int {
	blank := func() {
		for p.more() && unicode.IsSpace(p.peek()) {
			p.take()
		}
		p.skip()
	}
	blank()
	start, n := p.at, 0
	for '0' <= p.peek() && p.peek() <= '9' {
		if n = n*10 + int(p.take()-'0'); n > math.MaxInt32/10 {
			p.fail(start, "the count is too high")
		}
		p.skip()
	}
	if p.at == start {
		p.fail(from, "no count follows the {; write \\{ for a plain brace")
	}
	blank()
	return n
}
