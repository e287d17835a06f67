package lex

import "strings"

// startLine prepares for the line that begins here.
func (l *Lexer) startLine() {
	l.first = true
	if len(l.pending) > 0 || l.session != nil || l.grammar.SkipLine != nil {
		skipLines(l)
	}
	width := 0
	for l.pos < len(l.src) {
		switch l.src[l.pos] {
		case ' ':
			width++
		case '\t':
			width += 4
		default:
			l.indent = uint16(min(width, 1<<15))
			return
		}
		l.pos++
	}
}

// skipLines passes over lines that are not code, and the prompt of one that is.
func skipLines(l *Lexer) {
	for _, end := range l.pending {
		skipBody(l, end)
	}
	l.pending = l.pending[:0]
	for l.pos < len(l.src) {
		switch {
		case l.session != nil:
			end := l.lineEnd(l.pos)
			if n := l.session.prompt(l.src[l.pos:end]); n >= 0 {
				l.pos += n
				return
			}
			l.pos = min(end+1, len(l.src))
		case l.grammar.SkipLine == nil || !l.grammar.SkipLine(l):
			return
		}
	}
}

// skipBody passes over the lines of a heredoc, the last one up to its end mark.
func skipBody(l *Lexer, end string) {
	for pos := l.pos; pos < len(l.src); {
		if l.misses >= MaxMisses {
			return
		}
		stop := l.lineEnd(pos)
		line := TrimBlanks(l.src[pos:stop])
		if strings.HasPrefix(line, end) && WordEnd(line, len(end), false) == len(end) {
			l.pos = stop - len(line) + len(end)
			return
		}
		pos = stop + 1
	}
	l.misses++
}

// continued passes over a newline behind a backslash: the line goes on.
func (l *Lexer) continued() bool {
	rest := l.src[l.pos+1:]
	if !strings.HasPrefix(rest, "\n") && !strings.HasPrefix(rest, "\r\n") {
		return false
	}
	l.pos = l.lineEnd(l.pos) + 1
	return true
}

// HiddenLine passes over a line that rustdoc hides: one that begins with "# ".
func HiddenLine(l *Lexer) bool {
	end := l.lineEnd(l.pos)
	line := TrimBlanks(l.src[l.pos:end])
	if !strings.HasPrefix(line, "# ") && strings.TrimRight(line, " \r") != "#" {
		return false
	}
	l.pos = min(end+1, len(l.src))
	return true
}

// BeginEnd passes over Ruby's comments: lines from "=begin" to "=end".
func BeginEnd(l *Lexer) bool {
	if !strings.HasPrefix(l.src[l.pos:], "=begin") {
		return false
	}
	end := l.lineEnd(l.pos)
	if stop := l.find("\n=end", l.pos); stop >= 0 {
		end = l.lineEnd(stop + 1)
	}
	l.pos = min(end+1, len(l.src))
	return true
}
