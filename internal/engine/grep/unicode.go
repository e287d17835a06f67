package grep

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// What \w, \d, \s and \p{...} stand for. They are those of Unicode, as in
// ripgrep, and not the ASCII ones of package regexp:
//
//	\w  Alphabetic, M, Nd, Pc, Join_Control
//	\d  Nd
//	\s  White_Space
var (
	wordClass = sync.OnceValue(func() class {
		return classOfTables(unicode.L, unicode.Nl, unicode.Other_Alphabetic,
			unicode.M, unicode.Nd, unicode.Pc, unicode.Join_Control)
	})
	digitClass = sync.OnceValue(func() class { return classOfTables(unicode.Nd) })
	spaceClass = sync.OnceValue(func() class { return classOfTables(unicode.White_Space) })
)

var everything = class{{0, unicode.MaxRune}}

// isWord reports whether r is a word character, \w.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return wordClass().has(r)
}

// asciiClasses are the names that stand between [: and :].
var asciiClasses = sync.OnceValue(func() map[string]class {
	return map[string]class{
		"alnum":  {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}},
		"alpha":  {{'A', 'Z'}, {'a', 'z'}},
		"ascii":  {{0, 0x7f}},
		"blank":  {{'\t', '\t'}, {' ', ' '}},
		"cntrl":  {{0, 0x1f}, {0x7f, 0x7f}},
		"digit":  {{'0', '9'}},
		"graph":  {{'!', '~'}},
		"lower":  {{'a', 'z'}},
		"print":  {{' ', '~'}},
		"punct":  {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}},
		"space":  {{'\t', '\r'}, {' ', ' '}},
		"upper":  {{'A', 'Z'}},
		"word":   {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}},
		"xdigit": {{'0', '9'}, {'A', 'F'}, {'a', 'f'}},
	}
})

// derived are the properties that the tables of package unicode do not hold but
// add up to.
var derived = sync.OnceValue(func() map[string]func() class {
	return map[string]func() class{
		"any":   func() class { return everything },
		"ascii": func() class { return class{{0, 0x7f}} },
		"assigned": func() class {
			return classOfTables(unicode.C, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z)
		},
		"alphabetic": func() class { return classOfTables(unicode.L, unicode.Nl, unicode.Other_Alphabetic) },
		"lowercase":  func() class { return classOfTables(unicode.Ll, unicode.Other_Lowercase) },
		"uppercase":  func() class { return classOfTables(unicode.Lu, unicode.Other_Uppercase) },
		"math":       func() class { return classOfTables(unicode.Sm, unicode.Other_Math) },
		"cased": func() class {
			return classOfTables(unicode.Ll, unicode.Lu, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
		},
	}
})

// propertyNames finds tables by the loose form of their names. Where a name is
// both, a category wins over a property and a property over a script.
var propertyNames = sync.OnceValue(func() map[string]*unicode.RangeTable {
	m := map[string]*unicode.RangeTable{}
	for _, tables := range []map[string]*unicode.RangeTable{unicode.Scripts, unicode.Properties, unicode.Categories} {
		for name, t := range tables {
			m[loose(name)] = t
		}
	}
	for alias, name := range unicode.CategoryAliases {
		if t, ok := unicode.Categories[name]; ok {
			m[loose(alias)] = t
		}
	}
	return m
})

// property returns the class \p{name} stands for.
func property(name string) (class, bool) {
	kind, value, isPair := strings.Cut(strings.Replace(name, ":", "=", 1), "=")
	if isPair {
		tables := unicode.Scripts
		switch loose(kind) {
		case "sc", "script":
		case "gc", "generalcategory":
			tables = unicode.Categories
		default:
			return nil, false
		}
		t, ok := propertyNames()[loose(value)]
		for _, of := range tables {
			if ok && of == t {
				return classOfTables(t), true
			}
		}
		return nil, false
	}
	short := loose(name)
	if c, ok := derived()[short]; ok {
		return c(), true
	}
	if t, ok := propertyNames()[short]; ok {
		return classOfTables(t), true
	}
	if rest, ok := strings.CutPrefix(short, "is"); ok && rest != "" {
		return property(rest)
	}
	return nil, false
}

// loose drops what Unicode says does not count in a name: case, spaces, hyphens
// and underscores.
func loose(name string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '_' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
