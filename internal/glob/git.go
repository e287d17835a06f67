package glob

import "strings"

// Git compiles a pattern of a .gitignore file. Patterns and paths are bytes, not
// characters, as they are to git: "?" does not match "é".
//
//   - any bytes but "/"
//     ?       one byte but "/"
//     [a-z]   one byte of a set, never "/"; [!a-z] and [^a-z] one not of it;
//     [[:alpha:]] and the other eleven POSIX names, ASCII only
//     **/     any number of whole folders, none included
//     **      at the end: all that is left
//     \x      the byte x
//
// The two forms of "**" hold only at the beginning of the pattern or after "/";
// elsewhere it means "*". (To git, "the beginning" is where the wildcards
// begin: the literal text before the first of them is compared on its own. So
// "doc/a**" does reach below doc/ab. We do as git does, not as it says.) A
// pattern that ends inside a set or after a backslash, or names an unknown
// POSIX class, matches nothing: ok is false.
func Git(pattern string) (g Glob, ok bool) {
	start := strings.IndexAny(pattern, `*?[\`)
	if start < 0 {
		return Glob{prefix: pattern}, true
	}
	var ops []op
	for i := 0; i < len(pattern); {
		switch c := pattern[i]; c {
		case '*':
			from := i
			for i < len(pattern) && pattern[i] == '*' {
				i++
			}
			deep := i-from > 1 && (from == start || pattern[from-1] == '/')
			switch rest := pattern[i:]; {
			case deep && rest == "":
				ops = append(ops, op{kind: all})
			case deep && rest[0] == '/':
				ops = append(ops, op{kind: folders})
				i++
			case deep && strings.HasPrefix(rest, `\/`):
				ops = append(ops, op{kind: all}, op{kind: literal, char: '/'})
				i += 2
			default:
				ops = append(ops, op{kind: star})
			}
		case '?':
			ops = append(ops, op{kind: oneByte, set: anyByte})
			i++
		case '[':
			set, n := parseSet(pattern[i+1:])
			if n == 0 {
				return Glob{}, false
			}
			ops = append(ops, op{kind: oneByte, set: set})
			i += 1 + n
		case '\\':
			if i++; i == len(pattern) {
				return Glob{}, false
			}
			ops = append(ops, op{kind: literal, char: pattern[i]})
			i++
		default:
			ops = append(ops, op{kind: literal, char: c})
			i++
		}
	}
	return newGlob(ops, false), true
}

// anyByte is what "?" stands for.
var anyByte = func() *[4]uint64 {
	set := &[4]uint64{}
	for i := range set {
		set[i] = ^uint64(0)
	}
	set['/'>>6] &^= 1 << ('/' & 63)
	return set
}()

func has(set *[4]uint64, c byte) bool { return set[c>>6]>>(c&63)&1 != 0 }

type setReader struct {
	text string // what is left to read
	set  *[4]uint64
	bad  bool // the text is no set
}

// parseSet reads a set of bytes from behind its "[" and returns it with the
// number of bytes read, 0 if they are no set. "]" is a member when it comes
// first, "-" when it comes first, last, or behind a range or class.
func parseSet(s string) (set *[4]uint64, n int) {
	r := setReader{text: s, set: &[4]uint64{}}
	negated := s != "" && (s[0] == '!' || s[0] == '^')
	if negated {
		r.next()
	}
	for first := true; first || !strings.HasPrefix(r.text, "]"); first = false {
		r.member()
		if r.bad {
			return nil, 0
		}
	}
	if negated {
		for k := range r.set {
			r.set[k] = ^r.set[k]
		}
	}
	r.set['/'>>6] &^= 1 << ('/' & 63)
	return r.set, len(s) - len(r.text) + len("]")
}

// member adds a byte, a range or a class.
func (r *setReader) member() {
	if name, ok := strings.CutPrefix(r.text, "[:"); ok {
		if name, size := className(name); size > 0 {
			r.text = r.text[len("[:")+size:]
			r.addClass(name)
			return
		}
	}
	from := r.escaped()
	to := from
	if len(r.text) > 1 && r.text[0] == '-' && r.text[1] != ']' {
		r.next()
		to = r.escaped()
	}
	r.add(from, to)
}

func (r *setReader) next() byte {
	if r.text == "" {
		r.bad = true
		return 0
	}
	c := r.text[0]
	r.text = r.text[1:]
	return c
}

// escaped reads a byte, which may have a backslash before it.
func (r *setReader) escaped() byte {
	c := r.next()
	if c == '\\' {
		c = r.next()
	}
	return c
}

func (r *setReader) add(from, to byte) {
	for c := int(from); c <= int(to); c++ {
		r.set[c>>6] |= 1 << (c & 63)
	}
}

func (r *setReader) addClass(name string) {
	member, ok := classes[name]
	r.bad = !ok
	for b := range byte(0x80) {
		if ok && member(b) {
			r.add(b, b)
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
