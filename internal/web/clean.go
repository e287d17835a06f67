package web

import "bytes"

// clean is the last gate before a browser: it takes out of a page what could hide
// words from its reader or show them in another order, wherever it comes from:
// control characters other than tab and newline, bidirectional overrides,
// invisible spaces and marks, and tag characters. Joiners stay: emoji and Indic
// scripts need them.
func clean(page []byte) []byte {
	if bytes.IndexFunc(page, hidden) < 0 {
		return page
	}
	return bytes.Map(func(r rune) rune {
		if hidden(r) {
			return -1
		}
		return r
	}, page)
}

func hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20, 0x7f <= r && r < 0xa0:
		return true
	case r == 0x200b, r == 0x200e, r == 0x200f, r == 0x061c, r == 0xfeff:
		return true
	case 0x202a <= r && r <= 0x202e, 0x2060 <= r && r <= 0x206f:
		return true
	case 0xfff9 <= r && r <= 0xfffb, 0xe0000 <= r && r <= 0xe0fff:
		return true
	}
	return false
}
