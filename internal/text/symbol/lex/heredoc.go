package lex

// HereDoc reads "<<END" of Ruby. The text is on the lines that follow.
func HereDoc(l *Lexer) bool {
	if l.at(1) != '<' {
		return false
	}
	if c := l.at(2); c == '~' || c == '-' {
		return hereDoc(l, 3)
	}
	return hereDoc(l, 2)
}

// PHPHereDoc reads "<<<END" of PHP.
func PHPHereDoc(l *Lexer) bool {
	if l.at(1) != '<' || l.at(2) != '<' {
		return false
	}
	n := 3
	for l.at(n) == ' ' {
		n++
	}
	return hereDoc(l, n)
}

// hereDoc notes the heredoc whose end mark stands n bytes from here.
func hereDoc(l *Lexer, n int) bool {
	quote := l.at(n)
	if quote == '\'' || quote == '"' {
		n++
	} else {
		quote = 0
	}
	start := l.pos + n
	end := WordEnd(l.src, min(start, len(l.src)), false)
	if end <= start || quote != 0 && (end >= len(l.src) || l.src[end] != quote) {
		return false
	}
	if name := l.src[start:end]; quote == 0 && n != 3 && name[0] > 'Z' {
		return false
	} else if len(l.pending) < MaxMisses {
		l.pending = append(l.pending, name)
	}
	if quote != 0 {
		end++
	}
	l.emit(Text, 0, l.pos, end)
	l.pos = end
	return true
}
