package crawl

import "strings"

// parseSet reads a set of bytes from behind its "[" and returns it with the
// number of bytes read, 0 if they are no set. "]" is a member when it comes
// first, "-" when it comes first, last, or behind a range or class.
func parseSet(s string) (set *[4]uint64, n int) {
	set = &[4]uint64{}
	i := 0
	negated := i < len(s) && (s[i] == '!' || s[i] == '^')
	if negated {
		i++
	}
	add := func(from, to byte) {
		for c := int(from); c <= int(to); c++ {
			set[c>>6] |= 1 << (c & 63)
		}
	}
	before := -1 // the byte a "-" would begin a range from
	for first := i; ; {
		if i >= len(s) {
			return nil, 0
		}
		c := s[i]
		i++
		switch {
		case c == ']' && i-1 > first:
			if negated {
				for k := range set {
					set[k] = ^set[k]
				}
			}
			set['/'>>6] &^= 1 << ('/' & 63)
			return set, i
		case c == '-' && before >= 0 && i < len(s) && s[i] != ']':
			to := s[i]
			i++
			if to == '\\' {
				if i >= len(s) {
					return nil, 0
				}
				to = s[i]
				i++
			}
			add(byte(before), to)
			before = -1
		case c == '[' && i < len(s) && s[i] == ':':
			name, size := className(s[i+1:])
			if size == 0 {
				add(c, c)
				before = int(c)
				continue
			}
			member, ok := classes[name]
			if !ok {
				return nil, 0
			}
			for b := range byte(0x80) {
				if member(b) {
					add(b, b)
				}
			}
			i += 1 + size
			before = -1
		case c == '\\':
			if i >= len(s) {
				return nil, 0
			}
			c = s[i]
			i++
			fallthrough
		default:
			add(c, c)
			before = int(c)
		}
	}
}

// className reads "alpha:]" and returns the name with the bytes read, 0 when
// the next "]" does not end a class.
func className(s string) (name string, size int) {
	end := strings.IndexByte(s, ']')
	if end < 1 || s[end-1] != ':' {
		return "", 0
	}
	return s[:end-1], end + 1
}

// classes are the POSIX character classes in the C locale.
var classes = map[string]func(byte) bool{
	"alnum":  func(c byte) bool { return isAlpha(c) || isDigit(c) },
	"alpha":  isAlpha,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
	"digit":  isDigit,
	"graph":  isGraph,
	"lower":  func(c byte) bool { return 'a' <= c && c <= 'z' },
	"print":  func(c byte) bool { return ' ' <= c && c <= '~' },
	"punct":  func(c byte) bool { return isGraph(c) && !isAlpha(c) && !isDigit(c) },
	"space":  func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' },
	"upper":  func(c byte) bool { return 'A' <= c && c <= 'Z' },
	"xdigit": func(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' },
}

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isGraph(c byte) bool { return '!' <= c && c <= '~' }
