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
