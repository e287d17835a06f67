package markdown

import (
	"bytes"
	"strings"
)

// Footnotes that stand where their mark is, ^[words], as Obsidian and pandoc have them, and
// keys, ++ctrl+c++, as MkDocs has them.

// caret handles the "^" at i, and returns what angle does. "^[" opens a footnote or, as
// "x^[1](notes.md)", a link.
func (w *pageReader) caret(i, from int) (next, rest int) {
	if i+1 >= len(w.s) || w.s[i+1] != '[' || len(w.d.Blocks) == 0 {
		return i + 1, from
	}
	w.flush(from, i)
	w.flush(i, i+1) // by itself: it is not shown before a footnote
	next, rest = w.openBracket(i+1, i+2, i+1)
	w.brackets[len(w.brackets)-1].note = true
	return next, rest
}

// closeNote makes a footnote of the text between a bracket and the "]" at i, and returns
// what closeBracket does. It has several words, or is a sentence: ^[a-z]+ is a pattern.
func (w *pageLinker) closeNote(open *pageBracket, i, from int) int {
	text := bytes.TrimSpace(w.s[open.after:i])
	if !bytes.ContainsAny(text, " \n") && !bytes.HasSuffix(text, []byte(".")) || len(text) < 2 {
		return -1
	}
	w.flush(from, i)
	w.emphasis(open.top)
	ref := int32(len(w.targets))
	w.targets = append(w.targets, pageTarget{})
	caret := &w.toks[open.tok-1]
	caret.end = caret.start
	w.toks[open.tok] = tok{kind: InlineNotePiece, ref: ref}
	w.push(tok{kind: InlineNotePiece, close: true, ref: ref})
	return i + 1
}

// maxKeys is the length of the longest combination of keys.
const maxKeys = 60

// keys handles the "+" at i, and returns what angle does.
func (w *pageReader) keys(i, from int) (next, rest int) {
	s := w.s
	n := run(s[i:], '+')
	if n != 2 || len(w.d.Blocks) == 0 || i > 0 && isWord(s[i-1]) {
		return i + n, from
	}
	end := bytes.Index(s[i+2:min(len(s), i+maxKeys)], []byte("++"))
	after := i + 2 + end + 2
	if end < 1 || after < len(s) && (isWord(s[after]) || s[after] == '+') {
		return i + n, from
	}
	for key := range strings.SplitSeq(string(s[i+2:after-2]), "+") {
		if !isKey(strings.ToLower(key)) {
			return i + n, from
		}
	}
	w.flush(from, i)
	w.push(tok{kind: KeysPiece, span: span{int32(i + 2), int32(after - 2)}})
	return after, after
}

// isKey reports whether a key of a keyboard has a name: a letter, a digit, F1, or one of
// those below. What is none of them may be C++.
func isKey(name string) bool {
	if len(name) == 1 {
		return isWord(name[0])
	}
	if name != "" && name[0] == 'f' && strings.Trim(name[1:], "0123456789") == "" && len(name) < 4 {
		return true
	}
	return keyNames[name]
}

// keyNames are the names that MkDocs (pymdownx.keys) has for keys.
var keyNames = wordSet(`alt alt-graph altgr apostrophe arrow-down arrow-left arrow-right arrow-up asterisk at
	back backslash backspace backtick bar break caps caps-lock capslock caret clear cmd colon comma command context-menu control
	ctrl dash del delete dollar dot double-quote down end enter equal esc escape exclam fn globe grave greater hash help home
	hyper hyphen ins insert left left-alt left-command left-control left-ctrl left-option left-shift left-windows less
	menu meta minus mod num-lock numlock opt option page-down page-up pause percent period pgdn pgup pipe plus
	print print-screen prtsc question quote return right right-alt right-command right-control right-ctrl
	right-option right-shift right-windows scroll-lock semicolon shift single-quote slash space spacebar super tab tilde
	underscore up win windows`)
