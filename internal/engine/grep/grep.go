// Package grep matches patterns against lines of text, and says what a text must
// contain for a pattern to match it. It knows nothing of files or of an index.
//
// Which lines match is what ripgrep says with its default engine: the syntax is
// that of Rust's regex crate, \w, \b and case are those of Unicode, a line ends
// at "\n" and a "\r" before it belongs to the line. Unlike there, $ also matches before
// that "\r", so that word$ finds the same in files written on Windows; \z does not.
//
// Time is linear in the text for every pattern, and bounded by caps on the size
// of the pattern. A pattern is run over as little text as possible: what it must
// contain is looked for first, at memory speed (see finder.go), and only lines
// that have it are matched, by an automaton (see dfa.go).
package grep

import (
	"bytes"
	"context"
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
	plain := o.Fixed || isPlain(pattern)
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

// isPlain reports whether a pattern means itself.
func isPlain(pattern string) bool { return !strings.ContainsAny(pattern, `\.+*?()|[]{}^$`) }

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

// A Line is a line of a text that a pattern matches.
type Line struct {
	Number     int // from 1
	Start, End int // it is text[Start:End], without the "\n"
}

// Lines calls yield for every line of text that matches, in order, until yield
// returns false. A byte order mark at the beginning belongs to no line. What
// follows the last "\n" is a line if it is not empty.
//
// It returns the error of ctx if that is done first; it looks about every 64
// KiB, more often the slower the pattern is.
func (p *Pattern) Lines(ctx context.Context, text []byte, yield func(Line) bool) error {
	from := len(text) - len(bytes.TrimPrefix(text, []byte("\ufeff")))
	s := scan{Pattern: p, text: text, counted: from, number: 1, yield: yield}
	if p.prog != nil {
		s.dfa = p.pool.Get().(*dfa)
		defer p.pool.Put(s.dfa)
	}
	if len(p.literals.list) == 0 {
		return s.automaton(ctx, from, len(text))
	}
	for from < len(text) && !s.done {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := len(text)
		if len(text)-from > between {
			if i := bytes.IndexByte(text[from+between:], '\n'); i >= 0 {
				to = from + between + i + 1
			}
		}
		if err := s.block(ctx, from, to); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// scan is one call of Lines.
type scan struct {
	*Pattern
	text    []byte
	dfa     *dfa
	yield   func(Line) bool
	done    bool // yield returned false
	number  int  // of the line that begins at counted
	counted int
}

// around returns the line in which, or at the end of which, text[at] stands.
func (s *scan) around(at int) (start, end int) {
	start = s.counted + bytes.LastIndexByte(s.text[s.counted:at], '\n') + 1
	end = len(s.text)
	if i := bytes.IndexByte(s.text[at:], '\n'); i >= 0 {
		end = at + i
	}
	return start, end
}

func (s *scan) report(start, end int) {
	s.number += bytes.Count(s.text[s.counted:start], []byte{'\n'})
	s.counted = start
	s.done = !s.yield(Line{s.number, start, end})
}

// automaton reports the matching lines of text[from:to] by running the dfa over
// all of it. It begins and ends with a line.
func (s *scan) automaton(ctx context.Context, from, to int) error {
	for from < to && !s.done {
		at, err := s.dfa.find(ctx, s.text[from:to])
		if err != nil || at < 0 {
			return err
		}
		start, end := s.around(from + at)
		s.report(start, end)
		from = end + 1
	}
	return nil
}

// block reports the matching lines of text[from:to] by looking for the literals.
// It begins and ends with a line.
func (s *scan) block(ctx context.Context, from, to int) error {
	text := s.text[from:to]
	var few [4]hit
	hits := few[:0]
	for i := range s.literals.list {
		hits = append(hits, hit{cursor: newCursor(&s.literals.list[i], text)})
	}
	line := 0 // up to here text is done
	for i := range hits {
		hits[i].move(line)
	}
	for !s.done {
		h := &hits[0]
		for i := range hits {
			if hits[i].start < h.start {
				h = &hits[i]
			}
			if hits[i].tired {
				return s.slowly(ctx, from+line, to)
			}
		}
		if h.start == len(text) {
			return nil
		}
		if s.literals.exact && !h.f.holds(text, h.start, h.end) {
			h.step()
			continue
		}
		start, end := s.around(from + h.start)
		if s.literals.exact {
			s.report(start, end)
		} else {
			at, err := s.dfa.find(ctx, s.text[start:end])
			if err != nil {
				return err
			}
			if at >= 0 {
				s.report(start, end)
			}
		}
		line = min(end+1-from, len(text))
		for i := range hits {
			if hits[i].start < line {
				hits[i].move(line)
			}
		}
	}
	return nil
}

// slowly is block without cursors, which have become tired.
func (s *scan) slowly(ctx context.Context, from, to int) error {
	if s.dfa != nil {
		return s.automaton(ctx, from, to)
	}
	f, text := &s.literals.list[0], s.text[from:to]
	line := 0
	f.each(text, func(a, b int) bool {
		if a >= line && f.holds(text, a, b) {
			start, end := s.around(from + a)
			s.report(start, end)
			line = end + 1 - from
		}
		return !s.done
	})
	return ctx.Err()
}

// A hit is where a literal occurs next: len(text) if nowhere.
type hit struct {
	cursor
	start, end int
}

// move goes to the first hit in the lines from text[line] on.
func (h *hit) move(line int) {
	h.seek(line)
	h.step()
}

func (h *hit) step() {
	var ok bool
	if h.start, h.end, ok = h.next(); !ok {
		h.start = len(h.text)
	}
}
