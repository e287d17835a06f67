// Package grep matches patterns against lines of text, and says what a text must
// contain for a pattern to match it. It knows nothing of files or of an index.
//
// Which lines match is what ripgrep says with its default engine: the syntax is
// that of Rust's regex crate, \w, \b and case are those of Unicode, a line ends
// at "\n" and a "\r" before it belongs to the line.
//
// Time is linear in the text for every pattern, and bounded by caps on the size
// of the pattern. A pattern is run over as little text as possible: what it must
// contain is looked for first, at memory speed (see finder.go), and only lines
// that have it are matched, by an automaton (see dfa.go).
package grep

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
)

// Options say how a pattern is meant. The zero value is an expression in which
// case does not matter.
type Options struct {
	CaseSensitive bool // case matters
	Word          bool // no word character may stand before or after a match
	Fixed         bool // the pattern is plain text, not an expression
}

// The largest patterns Compile takes. Package regexp spends 14 seconds on
// (?:x?){1000}y and 256 KiB of text; a few thousand instructions are where an
// expression no longer costs about the same as any other.
const (
	MaxExpression = 512  // bytes of an expression
	MaxLiteral    = 4096 // bytes of a plain text
	MaxProgram    = 2000 // instructions an expression compiles to
)

// A Pattern is a compiled pattern. It never changes and may be used by many
// goroutines at once.
type Pattern struct {
	prog     *program // nil if a single literal is all there is
	need     Need
	literals literals
	pool     sync.Pool // of *dfa
}

// Compile compiles a pattern. The error is a *SyntaxError, or wraps ErrTooLong
// or ErrTooBig.
func Compile(pattern string, o Options) (*Pattern, error) {
	plain := o.Fixed || !strings.ContainsAny(pattern, `\.+*?()|[]{}^$`)
	limit := MaxExpression
	if plain {
		limit = MaxLiteral
	}
	if len(pattern) > limit {
		return nil, fmt.Errorf("%w: it has %d bytes; an expression may have %d, a plain text %d",
			ErrTooLong, len(pattern), MaxExpression, MaxLiteral)
	}
	tree, err := read(pattern, plain, !o.CaseSensitive)
	if err != nil {
		return nil, err
	}
	if !plain && tree.size(MaxProgram) > MaxProgram {
		return nil, fmt.Errorf("%w: %s: its repetitions unfold to more than %d steps; lower the counts",
			ErrTooBig, visible(pattern), MaxProgram)
	}
	if o.Word {
		tree = &node{op: opConcat, sub: []*node{
			{op: opLook, look: halfStart}, tree, {op: opLook, look: halfEnd},
		}}
	}

	p := &Pattern{}
	whole := describe(tree)
	p.need = whole.open().need
	p.literals = newLiterals(whole, p.need)
	if !p.literals.exact || len(p.literals.list) > 1 {
		p.prog = compile(tree)
	}
	p.pool.New = func() any { return newDFA(p.prog) }
	return p, nil
}

func read(pattern string, plain, fold bool) (*node, error) {
	if !plain {
		return parse(pattern, fold)
	}
	if i := strings.IndexByte(pattern, '\n'); i >= 0 {
		return nil, &SyntaxError{pattern, i, i + 1, lineProblem}
	}
	if !utf8.ValidString(pattern) {
		return parse(pattern, fold) // says where
	}
	return literalNode(pattern, fold), nil
}

// Need returns what every matching line contains.
func (p *Pattern) Need() Need { return p.need }
