package grep

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A scanner reads an expression by characters: src[at:] is to come.
type scanner struct {
	src   string
	at    int
	flags flags // those that hold at this place
}

type flags struct {
	fold  bool // i
	lazy  bool // U
	space bool // x
}

// fail ends parsing. The offending part begins at from and ends with the next
// character.
func (s *scanner) fail(from int, problem string) {
	end := s.at
	if s.more() && end == from {
		_, n := utf8.DecodeRuneInString(s.src[end:])
		end += n
	}
	panic(&SyntaxError{s.src, from, end, problem})
}

func (s *scanner) more() bool { return s.at < len(s.src) }

// peek returns the next character, or -1 at the end.
func (s *scanner) peek() rune {
	if !s.more() {
		return -1
	}
	r, _ := utf8.DecodeRuneInString(s.src[s.at:])
	return r
}

// take reads one character. There must be one.
func (s *scanner) take() rune {
	r, n := utf8.DecodeRuneInString(s.src[s.at:])
	s.at += n
	return r
}

// accept reads text if it is next.
func (s *scanner) accept(text string) bool {
	if strings.HasPrefix(s.src[s.at:], text) {
		s.at += len(text)
		return true
	}
	return false
}

// skip passes over spaces and comments where (?x) says that they do not count.
func (s *scanner) skip() {
	for s.flags.space && s.more() {
		switch r := s.peek(); {
		case unicode.In(r, unicode.Pattern_White_Space):
			s.take()
		case r == '#':
			_, rest, _ := strings.Cut(s.src[s.at:], "\n")
			s.at = len(s.src) - len(rest)
		default:
			return
		}
	}
}
