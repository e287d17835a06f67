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

// A Session is a kind of record of an interpreter: lines of code behind
// prompts, and lines of output.
type Session struct {
	in     func(src string) bool
	prompt func(line string) int // the length of the prompt that line begins with, or -1 for output
}

// PythonSession has the prompts ">>> " and "... ".
func PythonSession() Session {
	return Session{
		in:     func(src string) bool { return hasLine(src, ">>>") },
		prompt: func(line string) int { return dottedPrompt(line, ">>>") },
	}
}

// NodeSession has the prompts "> " and "... ".
func NodeSession() Session {
	return Session{
		in:     func(src string) bool { return strings.HasPrefix(strings.TrimLeft(src, " \n"), "> ") },
		prompt: func(line string) int { return dottedPrompt(line, ">") },
	}
}

// IPythonSession has the prompts "In [1]: " and "...: ".
func IPythonSession() Session {
	return Session{
		in: func(src string) bool { return hasLine(src, "In [") },
		prompt: func(line string) int {
			trimmed := TrimBlanks(line)
			i := strings.Index(trimmed, ": ")
			if i < 0 || !strings.HasPrefix(trimmed, "In [") && !strings.HasPrefix(trimmed, "...") {
				return -1
			}
			return len(line) - len(trimmed) + i + 2
		},
	}
}

// RubySession has prompts such as "irb(main):001> ".
func RubySession() Session {
	return Session{
		in: func(src string) bool { return hasLine(src, "irb") && strings.Contains(src, "> ") },
		prompt: func(line string) int {
			trimmed := TrimBlanks(line)
			i := strings.IndexAny(trimmed, ">*")
			if i < 0 || !strings.HasPrefix(trimmed, "irb") {
				return -1
			}
			return len(line) - len(trimmed) + withBlank(trimmed, i+1)
		},
	}
}

// sessionOf returns the first of the kinds that src is, or nil.
func sessionOf(kinds []Session, src string) *Session {
	for i := range kinds {
		if kinds[i].in(src) {
			return &kinds[i]
		}
	}
	return nil
}

// hasLine reports whether a line of src begins with prefix, behind blanks.
func hasLine(src, prefix string) bool {
	for from := 0; ; {
		i := strings.Index(src[from:], prefix)
		if i < 0 {
			return false
		}
		before := strings.TrimRight(src[:from+i], " \t")
		if before == "" || before[len(before)-1] == '\n' {
			return true
		}
		from += i + len(prefix)
	}
}

// dottedPrompt returns the length of the prompt of a session in which dots
// stand before a line that goes on.
func dottedPrompt(line, prompt string) int {
	trimmed := TrimBlanks(line)
	size := 3
	if !strings.HasPrefix(trimmed, "...") {
		if !strings.HasPrefix(trimmed, prompt) {
			return -1
		}
		size = len(prompt)
	}
	return len(line) - len(trimmed) + withBlank(trimmed, size)
}

// withBlank adds to the length of a prompt the blank behind it.
func withBlank(line string, size int) int {
	if strings.HasPrefix(line[size:], " ") {
		return size + 1
	}
	return size
}
