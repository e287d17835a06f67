// Package symbol reads the names out of code: which ones a fenced block
// declares, and which it uses. It does not parse. A lexer that knows comments,
// strings and brackets finds the outermost level of the block, and a few rules
// a language find the declarations there. Fragments, elisions and prompts are
// what documentation is made of, so none of them is an error.
//
// # What is declared
//
// A name is declared when the block, read as it stands, introduces it at its
// outermost level: not inside a body, a call or a literal.
//
//   - Functions, types, constants and the variables that a language lets live
//     at the top of a file: JavaScript's const, let and var, Python's
//     assignments to plain names, Kotlin's and Swift's properties, C's
//     globals, the shell's variables. Names that can only be local there (Go's
//     :=, Rust's let, a Java or C# variable without modifiers, variables of
//     Ruby and PHP) are not.
//   - Containers are looked through: namespaces, modules, extern blocks, Rust's
//     impl, Swift's extension. So a Go method and a Rust method count. Methods
//     in a class of Python or Java count too, its fields do not. Classes,
//     traits and interfaces of other languages are not looked through.
//   - A fragment of a class body counts as what it shows: a method, or a field
//     with a modifier, at the outermost level of the block is declared.
//   - Qualified names count by their last part: "void A::f() {}" declares f.
//   - Imports, re-exports, assignments to members, members of enums,
//     parameters, operators and "_" do not count. Lines that rustdoc hides and
//     the output in a session are not looked at.
//
// # What is used
//
// Every identifier outside comments and strings except the language's keywords,
// and of every dotted name also each run of two to four parts: "a.b.c" gives a,
// b, c, a.b, b.c and a.b.c. Of languages unknown here all words count.
package symbol

import (
	"strings"

	"github.com/docent-md/docent/internal/text/symbol/lex"
)

// Names are the names in one block of code, each list in order of first
// appearance and without repeats. All are substrings of the code and share
// memory with one copy of it.
type Names struct {
	Declared []string // introduced at the outermost level
	Keys     []string // keys of a configuration (YAML, JSON, TOML), at any level
	Used     []string // every identifier, and dotted names
}

// maxBlock is how much of a block is looked at. What is longer is data, and its names
// would cost 13 times their size; they are found as words.
const maxBlock = 256 << 10

// Scan reads the names of code. lang is what Language returns; languages it
// knows no rules for have no declarations. It never fails and takes time and
// memory in proportion to the code.
func Scan(lang string, code []byte) Names {
	var s Scanner
	return s.Scan(lang, code)
}

// A Scanner scans many blocks with the same buffers, which saves 15 to 30 % of
// the time. The zero value is ready; it serves one goroutine at a time.
type Scanner struct {
	lexer      lex.Lexer
	block      block
	keys, used nameSet
}

// Scan does what the function Scan does. The names do not change with the next
// call.
func (s *Scanner) Scan(lang string, code []byte) Names {
	src := string(code[:min(len(code), maxBlock)])
	s.block.declared.reset()
	s.keys.reset()
	s.used.reset()
	if syntax := syntaxes()[lang]; syntax != nil {
		s.lexer.Lex(&s.block.Code, src, &syntax.grammar)
		syntax.declare(&s.block)
		tokenWords(&s.block, &s.used, syntax.backslashes)
	} else {
		s.scanText(lang, src)
	}
	return Names{Declared: s.block.declared.names(), Keys: s.keys.names(), Used: s.used.names()}
}

// scanText reads a language that is not cut into tokens.
func (s *Scanner) scanText(lang, src string) {
	switch lang {
	case "json":
		jsonKeys(src, &s.keys)
	case "yaml":
		yamlKeys(src, &s.keys)
	case "toml":
		tomlKeys(src, &s.keys)
	case "shell":
		shellNames(src, &s.block.declared)
	}
	plainWords(src, &s.used, oneOf(lang, "yaml", "toml", "shell"))
}

// longestChain is how many parts of a dotted name are kept together. Longer
// ones are chains of calls and paths; their parts are enough.
const longestChain = 4

// tokenWords adds the identifiers among the tokens of b, and the dotted names,
// to set. With backslashes, those join the parts of a name too.
func tokenWords(b *block, set *nameSet, backslashes bool) {
	var dotted chain
	for i := range b.Toks {
		t := &b.Toks[i]
		if t.Kind != lex.Word && t.Kind != lex.Macro {
			continue
		}
		name := b.Src[t.Start:t.End]
		joined := dotted.parts > 0 && joins(b.Toks, i, backslashes)
		if !joined {
			dotted.parts = 0
		}
		if !joined && t.Mark == 0 && b.Reserved(name) && !b.Is(i-1, '.') && !b.declared.has(name) {
			// "import.meta" is a name; "this.x" is x.
			if name != "this" && name != "self" && name != "super" {
				dotted.push(int(t.Start))
			}
			continue
		}
		set.add(name)
		dotted.add(set, b.Src, int(t.Start), int(t.End))
	}
}

// A chain holds where the last parts of a dotted name begin.
type chain struct {
	starts [longestChain]int
	parts  int
}

// add adds the part src[start:end] and records the names it is the end of.
func (c *chain) add(set *nameSet, src string, start, end int) {
	if c.parts == longestChain {
		copy(c.starts[:], c.starts[1:])
		c.parts--
	}
	for _, from := range c.starts[:c.parts] {
		set.add(src[from:end])
	}
	c.push(start)
}

// push adds a part and records nothing. There must be room for it.
func (c *chain) push(start int) {
	c.starts[c.parts] = start
	c.parts++
}

// joins reports whether token i is a further part of the name before it.
func joins(toks []lex.Token, i int, backslashes bool) bool {
	t := toks[i].Start
	if i < 2 || toks[i-1].Kind != lex.Mark || toks[i-1].End != t {
		return false
	}
	before := toks[i-2]
	switch toks[i-1].Mark {
	case '.':
		return before.Kind == lex.Word && before.End == t-1
	case '\\':
		return backslashes && before.Kind == lex.Word && before.End == t-1
	case ':':
		return i > 2 && before.Mark == ':' && before.Kind == lex.Mark && before.End == t-1 &&
			toks[i-3].Kind == lex.Word && toks[i-3].End == t-2
	}
	return false
}

// plainWords records the words of text in a language whose syntax is unknown. Words
// joined by hyphens and dotted names are kept whole as well ("Get-Item",
// "margin-top", "a.b"), and the options of commands with their dashes
// ("--dry-run"). With comments, "#" behind a blank hides the rest of its line.
func plainWords(src string, set *nameSet, comments bool) {
	var dotted chain
	last := -1 // where the last part ended
	for i := 0; i < len(src); {
		switch lex.ClassOf(src[i]) {
		case lex.Letter, lex.Wide:
		case lex.Digit:
			i = lex.WordEnd(src, i, false)
			continue
		default:
			if comments && src[i] == '#' && (i == 0 || strings.IndexByte(" \t\n", src[i-1]) >= 0) {
				i += lex.LineLen(src[i:])
			} else {
				i++
			}
			continue
		}
		start, end := i, lex.WordEnd(src, i, false)
		if end == start {
			i++
			continue
		}
		end = hyphenated(src, set, start, end)
		if start >= 2 && src[start-2:start] == "--" && (start == 2 || lex.ClassOf(src[start-3]) <= lex.Newline) {
			set.add(src[start-2 : end])
		}
		if joined := last > 0 && (src[last:start] == "." || src[last:start] == "::"); !joined {
			dotted.parts = 0
		}
		dotted.add(set, src, start, end)
		last, i = end, end
	}
}

// hyphenated records the word src[start:end] and those that hyphens join to it,
// each alone and all as one. It returns where the last of them ends.
func hyphenated(src string, set *nameSet, start, end int) int {
	set.add(src[start:end])
	from := start
	for end+1 < len(src) && src[end] == '-' && lex.ClassOf(src[end+1]) == lex.Letter {
		from = end + 1
		end = lex.WordEnd(src, from, false)
		set.add(src[from:end])
	}
	if from > start {
		set.add(src[start:end])
	}
	return end
}
