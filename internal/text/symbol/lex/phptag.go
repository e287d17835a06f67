package lex

import "strings"

// PHPBegin goes to the first PHP tag. A block without one is PHP throughout.
func PHPBegin(l *Lexer) {
	if at := phpTag(l); at >= 0 {
		l.pos = at
	}
}

// PHPEnd reads "?>" and goes to the next tag.
func PHPEnd(l *Lexer) bool {
	if l.at(1) != '>' {
		return false
	}
	if l.pos = phpTag(l); l.pos < 0 {
		l.pos = len(l.src)
	}
	return true
}

// PHPComment reads "#" to the end of the line, unless it begins an attribute.
func PHPComment(l *Lexer) bool { return l.at(1) != '[' && LineComment(l) }

// phpTag returns the position behind the next opening tag, or -1.
func phpTag(l *Lexer) int {
	for from := l.pos; ; {
		i := l.find("<?", from)
		if i < 0 {
			return -1
		}
		for _, tag := range [...]string{"<?php", "<?=", "<?\n", "<? "} {
			if strings.HasPrefix(l.src[i:], tag) {
				return i + len(tag)
			}
		}
		from = i + 2
	}
}
