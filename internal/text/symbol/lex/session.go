package lex

import "strings"

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
