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
//     impl, Swift's extension. So a Go method and a Rust method count. A class,
//     a trait or an interface is not looked through.
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

// Names are the names in one block of code, each list in order of first
// appearance and without repeats. All are substrings of the code and share
// memory with one copy of it.
type Names struct {
	Declared []string // introduced at the outermost level
	Keys     []string // keys of a configuration (YAML, JSON, TOML), at any level
	Used     []string // every identifier, and dotted names
}

// maxBlock is how much of a block is looked at. It keeps positions in 32 bits.
const maxBlock = 1 << 26

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
	s scanner
}

// Scan does what the function Scan does. The names do not change with the next
// call.
func (sc *Scanner) Scan(lang string, code []byte) Names {
	s := &sc.s
	s.reset(string(code[:min(len(code), maxBlock)]))
	switch lang {
	case "yaml":
		s.yamlKeys()
	case "json":
		s.jsonKeys()
	case "toml":
		s.tomlKeys()
	case "shell":
		s.shellNames()
	default:
		if s.syn = syntaxOf(lang); s.syn == nil {
			break
		}
		s.lex()
		s.pair()
		for i := 0; i < len(s.toks); {
			i = max(i+1, s.syn.declare(s, i))
		}
		s.tokenWords()
		return Names{Declared: s.declared.names(), Used: s.used.names()}
	}
	s.plainWords(lang == "yaml" || lang == "toml" || lang == "shell")
	return Names{Declared: s.declared.names(), Keys: s.keys.names(), Used: s.used.names()}
}

// A scanner holds one block on its way from text to names.
type scanner struct {
	src    string
	syn    *syntax
	toks   []token
	margin uint16 // the least indent of a line

	declared, keys, used nameSet

	stack    []opener // see bracket.go
	branches []int    // see bracket.go
	frames   []frame  // see quote.go
	levels   []int32  // see ruby.go
	base     int32    // see python.go
}

// reset makes s ready for a block. What it holds on to is small, or about as
// large as the largest block so far.
func (s *scanner) reset(src string) {
	s.src, s.syn, s.margin, s.base = src, nil, 0, 0
	s.toks, s.stack, s.branches, s.frames, s.levels = s.toks[:0], s.stack[:0], s.branches[:0], s.frames[:0], s.levels[:0]
	s.declared.reset()
	s.keys.reset()
	s.used.reset()
}

// declare records the name that token i spells.
func (s *scanner) declare(i int) {
	if name := s.text(i); name != "_" && name != "" {
		s.declared.add(name)
	}
}
