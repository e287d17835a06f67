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

import "github.com/docent-md/docent/internal/text/symbol/lex"

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
