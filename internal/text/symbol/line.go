package symbol

import "strings"

// What happens at the beginning of a line: heredocs begin, prompts and output
// of sessions are skipped, hidden lines are passed over.

// lineHabits are those that startLine looks at.
const lineHabits = hereDocs | sessions | hiddenLines

// startLine prepares for the line that begins here.
func (l *lexer) startLine() {
	l.first = true
	if l.has(lineHabits) {
		l.skipLines()
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
func (l *lexer) skipLines() {
	for _, end := range l.pending {
		l.skipBody(end)
	}
	l.pending = l.pending[:0]
	for l.pos < len(l.src) {
		end := l.lineEnd(l.pos)
		line := l.src[l.pos:end]
		switch {
		case l.session != "":
			if n := promptLen(l.session, line); n >= 0 {
				l.pos += n
				return
			}
		case l.has(hiddenLines):
			if trimmed := trimBlanks(line); !strings.HasPrefix(trimmed, "# ") && strings.TrimRight(trimmed, " \r") != "#" {
				return
			}
		case strings.HasPrefix(line, "=begin") && l.has(querySuffix):
			if stop := l.find("\n=end", l.pos); stop >= 0 {
				end = l.lineEnd(stop + 1)
			}
		default:
			return
		}
		l.pos = min(end+1, len(l.src))
	}
}

// skipBody passes over the lines of a heredoc, the last one up to its end mark.
func (l *lexer) skipBody(end string) {
	for pos := l.pos; pos < len(l.src); {
		if l.misses >= maxMisses {
			return
		}
		stop := l.lineEnd(pos)
		line := trimBlanks(l.src[pos:stop])
		if strings.HasPrefix(line, end) && wordEnd(line, len(end), false) == len(end) {
			l.pos = stop - len(line) + len(end)
			return
		}
		pos = stop + 1
	}
	l.misses++
}

// hereDoc notes the heredoc that begins at "<<". Its body is on the next line.
func (l *lexer) hereDoc() bool {
	n := 2
	if l.has(phpTags) {
		if l.at(2) != '<' {
			return false
		}
		n = 3
		for l.at(n) == ' ' {
			n++
		}
	} else if c := l.at(2); c == '~' || c == '-' {
		n = 3
	}
	quote := l.at(n)
	if quote == '\'' || quote == '"' {
		n++
	} else {
		quote = 0
	}
	start := l.pos + n
	end := wordEnd(l.src, min(start, len(l.src)), false)
	if end <= start || quote != 0 && (end >= len(l.src) || l.src[end] != quote) {
		return false
	}
	if name := l.src[start:end]; quote != 0 || n == 3 || name[0] <= 'Z' {
		if len(l.pending) < maxMisses {
			l.pending = append(l.pending, name)
		}
		if quote != 0 {
			end++
		}
		l.emit(text, 0, l.pos, end)
		l.pos = end
		return true
	}
	return false
}

// The sessions known: Python's and IPython's, Ruby's, Node's.
const (
	pythonSession  = ">>>"
	ipythonSession = "In ["
	rubySession    = "irb"
	nodeSession    = ">"
)

// sessionPrompt returns which kind of session src is, or "".
func sessionPrompt(lang, src string) string {
	switch lang {
	case "python":
		if hasLine(src, pythonSession) {
			return pythonSession
		}
		if hasLine(src, ipythonSession) {
			return ipythonSession
		}
	case "ruby":
		if hasLine(src, rubySession) && strings.Contains(src, "> ") {
			return rubySession
		}
	case "javascript":
		if strings.HasPrefix(strings.TrimLeft(src, " \n"), "> ") {
			return nodeSession
		}
	}
	return ""
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

// promptLen returns the length of the prompt that line begins with, or -1 for
// a line of output.
func promptLen(session, line string) int {
	trimmed := trimBlanks(line)
	n := len(line) - len(trimmed)
	switch session {
	case pythonSession, nodeSession:
		size := 3
		if !strings.HasPrefix(trimmed, "...") {
			if !strings.HasPrefix(trimmed, session) {
				return -1
			}
			size = len(session)
		}
		if strings.HasPrefix(trimmed[size:], " ") {
			size++
		}
		return n + size
	case ipythonSession:
		i := strings.Index(trimmed, ": ")
		if i < 0 || !strings.HasPrefix(trimmed, ipythonSession) && !strings.HasPrefix(trimmed, "...") {
			return -1
		}
		return n + i + 2
	case rubySession:
		i := strings.IndexAny(trimmed, ">*")
		if i < 0 || !strings.HasPrefix(trimmed, rubySession) {
			return -1
		}
		i++
		if strings.HasPrefix(trimmed[i:], " ") {
			i++
		}
		return n + i
	}
	return -1
}
