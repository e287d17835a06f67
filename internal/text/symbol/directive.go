package symbol

import "strings"

// hash reads what begins with "#": comments, directives, Swift's raw strings.
func (l *lexer) hash() bool {
	switch {
	case l.has(hashComments):
		if l.has(phpTags) && l.at(1) == '[' { // an attribute
			return false
		}
		l.pos = l.lineEnd(l.pos)
		return true
	case l.first && l.has(directives):
		return l.directive()
	case l.pos == 0 && l.at(1) == '!' && l.has(templates): // node's #!
		l.pos = l.lineEnd(l.pos)
		return true
	case l.has(slashParens):
		n := 1
		for l.at(n) == '#' && n < 16 {
			n++
		}
		if l.at(n) == '"' {
			return l.until(`"`+l.src[l.pos:l.pos+n], l.pos+n+1)
		}
	}
	return false
}

// directive reads the rest of a line that begins with "#", and the lines that
// go on from it behind a backslash.
func (l *lexer) directive() bool {
	start := l.pos + 1
	for start < len(l.src) && (l.src[start] == ' ' || l.src[start] == '\t') {
		start++
	}
	end := wordEnd(l.src, start, false)
	switch l.src[start:end] {
	case "if", "ifdef", "ifndef":
		l.emit(branch, '?', l.pos, end)
	case "else", "elif", "elseif", "elifdef", "elifndef":
		l.emit(branch, ':', l.pos, end)
	case "endif":
		l.emit(branch, ';', l.pos, end)
	case "define":
		for end < len(l.src) && (l.src[end] == ' ' || l.src[end] == '\t') {
			end++
		}
		if name := wordEnd(l.src, end, false); name > end {
			l.emit(macro, 0, end, name)
		}
	case "include", "import", "undef", "pragma", "error", "warning", "line", "region", "endregion", "using", "nullable", "r", "load":
	default:
		return false
	}
	for {
		l.pos = l.lineEnd(l.pos)
		if l.pos == len(l.src) || !strings.HasSuffix(strings.TrimSuffix(l.src[:l.pos], "\r"), "\\") {
			return true
		}
		l.pos++
	}
}

// skipHTML goes to the next PHP tag. A block without one is PHP throughout,
// which only counts at its start.
func (l *lexer) skipHTML(start bool) {
	for from := l.pos; ; {
		i := l.find("<?", from)
		if i < 0 {
			if !start {
				l.pos = len(l.src)
			}
			return
		}
		for _, tag := range [...]string{"<?php", "<?=", "<?\n", "<? "} {
			if strings.HasPrefix(l.src[i:], tag) {
				l.pos = i + len(tag)
				return
			}
		}
		from = i + 2
	}
}
