package grep

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// How an expression is read.
//
// The grammar is that of ripgrep's default engine (the regex crate of Rust), and
// differs from package regexp in what people trip over: classes nest and have
// operators, [a-z&&[^aeiou]]; a{ and {2} are errors, not text; a** is allowed;
// \Q, \C and octal are not; \w, \b and friends are those of Unicode; (?x) allows
// spaces and comments. Newer forms that only late versions of ripgrep know (\<,
// \b{start}, (?<name>...), escapes of any punctuation) are read by all means.
//
// Three things are refused that ripgrep allows: (?-u), which switches to bytes;
// (?R), which changes what ends a line; and properties that package unicode has
// no table for, such as \p{Emoji} and \p{scx=...}.
//
// An expression is matched against single lines. So m and s change nothing, and
// a character that ends a line is refused, as ripgrep does.

type parser struct {
	scanner
	names map[string]bool // of groups
}

func parse(src string, fold bool) (n *node, err error) {
	if !utf8.ValidString(src) {
		at := strings.IndexRune(src, utf8.RuneError)
		return nil, &SyntaxError{src, at, at, "the pattern is not UTF-8"}
	}
	p := &parser{scanner{src: src, flags: flags{fold: fold}}, map[string]bool{}}
	defer func() {
		if e := recover(); e != nil {
			syntax, ok := e.(*SyntaxError)
			if !ok {
				panic(e)
			}
			n, err = nil, syntax
		}
	}()
	n = p.alternation()
	if p.more() {
		p.fail(p.at, "no group is open here; write \\) for a plain parenthesis")
	}
	return n, nil
}

// alternation reads up to the end of the group.
func (p *parser) alternation() *node {
	branches := []*node{p.concat()}
	for p.accept("|") {
		branches = append(branches, p.concat())
	}
	if len(branches) == 1 {
		return branches[0]
	}
	return &node{op: opAlternate, sub: branches}
}

// concat reads up to the end of the branch.
func (p *parser) concat() *node {
	n := &node{op: opConcat}
	repeatable := false // something stands before an operator
	for {
		p.skip()
		from := p.at
		switch p.peek() {
		case -1, '|', ')':
			switch len(n.sub) {
			case 0:
				return &node{op: opEmpty}
			case 1:
				return n.sub[0]
			}
			return n
		case '(':
			group := p.group()
			if repeatable = group != nil; repeatable {
				n.sub = append(n.sub, group)
			}
			continue
		case '*', '+', '?', '{':
			if !repeatable {
				p.fail(from, "nothing stands before it to repeat; write \\"+string(p.peek())+" for the character itself")
			}
			last := &n.sub[len(n.sub)-1]
			*last = p.repeat(*last)
			continue
		case '[':
			n.sub = append(n.sub, p.classNode(from, p.bracket()))
		case '\\':
			n.sub = append(n.sub, p.escape())
		case '.':
			p.take()
			n.sub = append(n.sub, p.classNode(from, everything))
		case '^':
			p.take()
			n.sub = append(n.sub, &node{op: opLook, look: lineStart})
		case '$':
			p.take()
			n.sub = append(n.sub, dollar())
		default:
			n.sub = append(n.sub, p.runeNode(from, p.take()))
		}
		repeatable = true
	}
}

// dollar returns the node of "$": the end of the line, or a carriage return before it.
func dollar() *node {
	return &node{op: opConcat, look: lineEnd, sub: []*node{
		{op: opRepeat, sub: []*node{runeNode('\r', false)}, max: 1, greedy: true},
		{op: opLook, look: lineEnd},
	}}
}

// runeNode returns the node of character r, which was read from src[from:].
func (p *parser) runeNode(from int, r rune) *node {
	if r == '\n' {
		p.fail(from, lineProblem)
	}
	return runeNode(r, p.flags.fold)
}

// classNode returns the node of class c, which was read from src[from:]. A
// class does not match the end of a line.
func (p *parser) classNode(from int, c class) *node {
	rest := c.minus(class{{'\n', '\n'}})
	if len(rest) == 0 && len(c) > 0 {
		p.fail(from, lineProblem)
	}
	return &node{op: opClass, class: rest}
}

// group reads a group, and returns nil if it only sets flags.
func (p *parser) group() *node {
	from := p.at
	p.take()
	p.skip()
	before := p.flags
	for _, s := range []string{"?=", "?!", "?<=", "?<!"} {
		if p.accept(s) {
			p.fail(from, "looking ahead or behind is not supported")
		}
	}
	switch {
	case p.accept("?P<"), p.accept("?<"):
		p.groupName()
	case p.accept("?"):
		if !p.more() {
			p.fail(from, "the group has no closing )")
		}
		start := p.at
		p.setFlags(from)
		if p.take() == ')' {
			if p.at == start+1 {
				p.fail(start-1, "nothing stands before it to repeat; write \\? for the character itself")
			}
			return nil
		}
	}
	n := p.alternation()
	if !p.accept(")") {
		p.at = from + 1
		p.fail(from, "the group has no closing )")
	}
	p.flags = before
	return n
}

// groupName reads the name of a group and the > behind it. Names are checked
// and forgotten.
func (p *parser) groupName() {
	from := p.at
	for p.more() && p.peek() != '>' {
		r := p.peek()
		if r != '_' && !unicode.IsLetter(r) && (p.at == from || !unicode.IsDigit(r) && !strings.ContainsRune(".[]", r)) {
			p.fail(p.at, "the name of a group cannot contain it")
		}
		p.take()
	}
	name := p.src[from:p.at]
	switch {
	case !p.more():
		p.fail(p.at, "the name of a group has no closing >")
	case name == "":
		p.fail(from, "the group has an empty name")
	case p.names[name]:
		p.fail(from, "two groups have this name")
	}
	p.names[name] = true
	p.take()
}

// setFlags reads flags up to ")" or ":".
func (p *parser) setFlags(group int) {
	on := true
	seen := map[rune]bool{}
	for {
		from := p.at
		r := p.peek()
		if r == ':' || r == ')' {
			if last := p.src[from-1]; last == '-' {
				p.fail(from-1, "no flag follows the -")
			}
			return
		}
		if seen[r] {
			p.fail(from, "the flag is there twice")
		}
		seen[r] = true
		switch r {
		case -1:
			p.fail(group, "the group has no closing )")
		case '-':
			on = false
		case 'i':
			p.flags.fold = on
		case 'U':
			p.flags.lazy = on
		case 'x':
			p.flags.space = on
		case 'm', 's': // make no difference within a line
		case 'u':
			if !on {
				p.fail(from, "matching bytes instead of characters is not supported")
			}
		case 'R':
			p.fail(from, "the flag R is not supported")
		default:
			p.fail(from, "there is no such flag; there are i, s, m, x and U")
		}
		p.take()
	}
}

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
