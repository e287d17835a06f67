package content

import "strings"

// keys writes keys that are pressed together, "ctrl+alt+del".
func (p *page) keys(names string) {
	p.raw(`<span class="keys">`)
	first := true
	for name := range strings.SplitSeq(names, "+") {
		if !first {
			p.raw("+")
		}
		first = false
		p.around("<kbd>", keyLabel(name), "</kbd>")
	}
	p.raw("</span>")
}

// keyLabel returns what is written on a key.
func keyLabel(name string) string {
	name = strings.ToLower(name)
	if label := keyLabels[name]; label != "" {
		return label
	}
	words := strings.Split(name, "-")
	for i, w := range words {
		if w != "" {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, " ")
}

// keyLabels are those that differ from the name.
var keyLabels = map[string]string{
	"arrow-up": "↑", "up": "↑", "arrow-down": "↓", "down": "↓", "arrow-left": "←", "left": "←", "arrow-right": "→", "right": "→",
	"control": "Ctrl", "command": "Cmd", "option": "Opt", "escape": "Esc", "delete": "Del", "insert": "Ins", "altgr": "AltGr",
	"alt-graph": "AltGr", "pgup": "Page Up", "pgdn": "Page Down", "spacebar": "Space", "windows": "Win", "capslock": "Caps Lock",
	"numlock": "Num Lock", "prtsc": "Print Screen", "plus": "+", "minus": "-", "hyphen": "-", "dash": "-", "asterisk": "*", "at": "@",
	"backslash": "\\", "backtick": "`", "grave": "`", "bar": "|", "pipe": "|", "caret": "^", "colon": ":", "comma": ",",
	"dollar": "$", "dot": ".", "period": ".", "equal": "=", "exclam": "!", "hash": "#", "greater": ">", "less": "<",
	"percent": "%", "question": "?", "semicolon": ";", "slash": "/", "tilde": "~", "underscore": "_", "apostrophe": "'",
	"single-quote": "'", "quote": "'", "double-quote": `"`,
}
