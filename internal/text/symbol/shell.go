package symbol

import (
	"strings"

	"github.com/docent-md/docent/internal/text/symbol/lex"
)

// The shell: functions, aliases, and variables that a line in the outermost
// column sets. "A=1 command" sets A for the command only and declares nothing.
// Lines of a session count if they have a prompt.

// shellReader goes through a script line by line, where lines that a backslash,
// a string or a bracket continues are one.
type shellReader struct {
	names  *nameSet
	src    string
	pos    int
	braces int      // functions we are in
	ends   []string // of the heredocs that begin on the next line
	misses int
}

// shellNames records the names that a script or a session declares.
func shellNames(src string, names *nameSet) {
	r := shellReader{src: src, names: names}
	session := isSession(src)
	base := -1
	for r.pos < len(src) {
		r.bodies()
		begin := r.pos
		for r.pos < len(src) && (src[r.pos] == ' ' || src[r.pos] == '\t') {
			r.pos++
		}
		indent := r.pos - begin
		end := r.pos + lex.LineLen(src[r.pos:])
		if session {
			n := shellPrompt(src[r.pos:end])
			if n == 0 {
				r.pos = end + 1
				continue
			}
			r.pos += n
			indent = 0
		} else if r.pos < end {
			if base < 0 || indent < base {
				base = indent
			}
			indent -= base
		}
		r.line(indent <= 0)
	}
}

// isSession reports whether some line begins with a prompt.
func isSession(src string) bool {
	for len(src) > 0 {
		n := lex.LineLen(src)
		if shellPrompt(lex.TrimBlanks(src[:n])) > 0 {
			return true
		}
		src = src[min(n+1, len(src)):]
	}
	return false
}

// shellPrompt returns the length of "$ ", "% " or "user@host:~$ " that line
// begins with, or 0.
func shellPrompt(line string) int {
	for i := 0; i < len(line) && i < 64; i++ {
		switch c := line[i]; {
		case c == '$' || c == '%':
			if i+1 < len(line) && line[i+1] == ' ' && (i == 0 || strings.ContainsAny(line[:i], "@:~]")) {
				return i + 2
			}
			return 0
		case lex.ClassOf(c) != lex.Letter && lex.ClassOf(c) != lex.Digit && strings.IndexByte("@:~/.-[]()", c) < 0:
			return 0
		}
	}
	return 0
}

// line reads one line to its end. What it declares counts only in the outermost
// column and outside of functions.
func (r *shellReader) line(outer bool) {
	outer = outer && r.braces == 0
	start := r.pos
	switch first := r.word(); first {
	case "function":
		if name := r.word(); outer && isShellName(name) {
			r.names.add(name)
		}
	case "export", "readonly", "declare", "typeset", "alias":
		if outer {
			r.declarations(first)
		}
	default:
		if first != "" && r.calls() {
			if outer && isShellName(first) && r.body() {
				r.names.add(first)
			}
		} else if outer {
			r.assignments(start, first)
		}
	}
	for r.pos < len(r.src) && r.src[r.pos] != '\n' { // the rest
		if r.word() == "" && r.pos < len(r.src) && r.src[r.pos] != '\n' {
			r.mark()
		}
	}
	r.pos++
}

// declarations reads what stands behind a command that declares names.
func (r *shellReader) declarations(command string) {
	for word := r.word(); word != ""; word = r.word() {
		name, _, assigned := strings.Cut(word, "=")
		if isShellName(name) && (assigned || command == "export" || command == "readonly") {
			r.names.add(name)
		}
	}
}

// assignments reads a line that began at start with the given word. Its
// assignments count if no command follows them.
func (r *shellReader) assignments(start int, word string) {
	var set []string
	for {
		name, _, ok := strings.Cut(word, "=")
		if !ok || !isVariable(name) {
			break
		}
		set = append(set, name)
		word = r.word()
	}
	if word != "" || len(set) > 2 && !strings.Contains(r.src[start:r.pos], "\n") { // three on a line are a log
		return
	}
	for _, name := range set {
		r.names.add(name)
	}
}

// calls passes "()" behind the name of a function, and blanks before it.
func (r *shellReader) calls() bool {
	rest := lex.TrimBlanks(r.src[min(r.pos, len(r.src)):])
	if !strings.HasPrefix(rest, "()") {
		return false
	}
	r.pos = len(r.src) - len(rest) + 2
	return true
}

// body reports whether that of a function follows, on this line or the next.
func (r *shellReader) body() bool {
	rest := lex.TrimBlanks(r.src[r.pos:])
	return rest == "" || rest[0] == '{' || rest[0] == '(' || rest[0] == '\n'
}

// mark passes one byte of what is between words.
func (r *shellReader) mark() {
	if r.pos >= len(r.src) {
		return
	}
	switch c := r.src[r.pos]; c {
	case '#':
		if r.pos == 0 || strings.IndexByte(" \t\n;", r.src[r.pos-1]) >= 0 {
			r.pos += lex.LineLen(r.src[r.pos:])
			return
		}
	case '{':
		r.braces++
	case '}':
		r.braces = max(0, r.braces-1)
	case '<':
		r.hereDoc()
	}
	r.pos++
}

// word reads the next word on the line, behind blanks: a sequence of characters
// and strings. It is "" where something else comes.
func (r *shellReader) word() string {
	for r.pos < len(r.src) {
		if c := r.src[r.pos]; c == ' ' || c == '\t' {
			r.pos++
		} else if strings.HasPrefix(r.src[r.pos:], "\\\n") {
			r.pos += 2
		} else {
			break
		}
	}
	start := r.pos
	depth := 0 // of $( ( {
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		if lex.IsWord(c) {
			r.pos++
			continue
		}
		switch c {
		case '\\':
			r.pos++
		case '"', '\'', '`':
			r.quoted(c)
			continue
		case '(', '{':
			if depth == 0 && (r.pos == start || r.src[r.pos-1] != '$' && (c == '{' || r.src[r.pos-1] != '=')) {
				return r.src[start:r.pos]
			}
			depth++
		case ')', '}':
			if depth == 0 {
				return r.src[start:r.pos]
			}
			depth--
		case '\n':
			if depth == 0 || r.src[start] == '#' {
				return r.src[start:r.pos]
			}
		case ' ', '\t', ';', '&', '|', '<', '>':
			if depth == 0 {
				return r.src[start:r.pos]
			}
		case '#':
			if r.pos == start {
				return ""
			}
		}
		r.pos++
	}
	r.pos = min(r.pos, len(r.src))
	return r.src[start:r.pos]
}

// quoted passes a string. One that never ends is only its quote.
func (r *shellReader) quoted(quote byte) {
	r.pos++
	if r.misses >= lex.MaxMisses {
		return
	}
	for i := r.pos; i < len(r.src); i++ {
		switch r.src[i] {
		case quote:
			r.pos = i + 1
			return
		case '\\':
			if quote != '\'' {
				i++
			}
		}
	}
	r.misses++
}

// hereDoc notes the end of the heredoc that begins at "<<".
func (r *shellReader) hereDoc() {
	rest := r.src[r.pos:]
	if !strings.HasPrefix(rest, "<<") || strings.HasPrefix(rest, "<<<") || len(r.ends) >= lex.MaxMisses {
		if strings.HasPrefix(rest, "<<<") {
			r.pos += 2
		}
		return
	}
	rest = strings.TrimLeft(strings.TrimPrefix(rest[2:], "-"), " '\"\\")
	if end := lex.WordEnd(rest, 0, false); end > 0 {
		r.ends = append(r.ends, rest[:end])
	}
	r.pos++
}

// bodies passes the bodies of heredocs that begin on this line.
func (r *shellReader) bodies() {
	for _, end := range r.ends {
		if r.misses >= lex.MaxMisses {
			break
		}
		pos := r.pos
		for pos < len(r.src) {
			n := lex.LineLen(r.src[pos:])
			line := strings.Trim(r.src[pos:pos+n], " \t\r")
			pos += n + 1
			if line == end {
				r.pos = min(pos, len(r.src))
				pos = -1
				break
			}
		}
		if pos >= 0 {
			r.misses++
		}
	}
	r.ends = r.ends[:0]
}

func isShellName(name string) bool {
	for i := 0; i < len(name); i++ {
		if c := name[i]; lex.ClassOf(c) != lex.Letter && (i == 0 || lex.ClassOf(c) != lex.Digit && strings.IndexByte(":.-", c) < 0) {
			return false
		}
	}
	return name != ""
}

func isVariable(name string) bool {
	return name != "" && lex.ClassOf(name[0]) == lex.Letter && lex.WordEnd(name, 0, false) == len(name)
}
