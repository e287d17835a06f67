package symbol

import (
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// hostile are pieces that, repeated, are made to send a scanner back and forth:
// openers without closers, closers without openers, names that are almost
// keywords, and all of it on one line or on a line each.
var hostile = []string{
	"{", "}", "(", ")", "[", "]", "({[", "{\n", "}\n", " {\n", "(\n", "\n(", "<", ">", "<a", "<a>", "</a>", "<a <", "a<", "a<b,", "<>", "<T,",
	"\"", "'", "`", "\"\"\"", "'''", "`${", "${", "#{", "\"#{", "\\(", "\"\\(", "$\"{", "@\"", "$$", "$a$", "$", "r#\"", "r##\"", "R\"x(", "R\"", "b'",
	"/", "/*", "*/", "/* /* */", "//", "/[", "/[ ", "=/", "# ", "#", "#[", "#if\n", "#else\n", "#if\n{\n#else\n", "#define a\n", "#define a \\\n", "--", "\\\n", "\\",
	"<<E\n", "<<~E ", "<<<E\n", "<<E", "=begin\n", "%w[", "%q(", "?>", "<?php ", "<?", ">>> a\n", "... ", "In [1]: a\n", "irb> a\n", "> a\n", "$ a\n", "$ a=1\n",
	"a", "a ", "a.", "a::", "a.b.c.d.e ", "a-", "a=", "a=1;", "a=1 ", "a,", "a:", "a: ", "a: {", "- a: |\n", "- ", "a=b=", "a,b=", "*a,", "a;", "a\n", "\u00e9", "\u2026", "\xff", "\r\n", "\t", " ", "\x00",
	"function a", "function a(", "class a ", "class a {", "const a = ", "const {a:", "const [", "const a = <", "let a,", "export ", "export default ", "export @a ", "declare ", "namespace a {", "type a = ", "static ", "get ", "async ",
	"def a", "def a(", "@a", "@a(", "@a.", "type a", "import a\n", "lambda a=", "def a: ", "module A\n ", "module A\n", "class << a\n", "private def ",
	"fn a", "fn a(", "impl ", "impl a {", "mod a {", "extern ", "extern \"C\" {", "pub(", "pub ", "unsafe ", "macro_rules! a", "'a", "'a ", "const a:", "union ",
	"public ", "public class a", "int a", "int a(", "int a(b)", "int (*a)(", "a::b(", "a::", "template<", "template<a> ", "typedef ", "struct ", "struct a ", "struct a : ", "enum a {", "operator", "requires a && ", "__attribute__((", "A(b) ", "a b ", "a * ", "a & b(", "auto [", "using a = ", "namespace ", "where a\n",
	"func a", "func (", "func (a) ", "type (", "var (\na", "var a, ", "val (", "val a.", "val a<", "fun a.", "fun <", "fun (", "context(", "companion ", "object ", "@[", "@a:", "let (", "extension a ", "extension \n", "extension a\n", "fun a.\n", "val a,\n", "const a,\n", "private \n", "namespace \n", "impl \n", "class \n", "record ", "new ", "delegate ", "@interface ", "non-sealed ", "typedef \n", "concept ", "generic<a> ", "private(set) ", "#\"",
	"create table ", "CREATE OR ", "create table [", "create table a.", "mysql> ", "a=#", "-> ", "=> ", "\"a\": ", "\"a\"", "[a]\n", "[[", "{a=", "a = {", "'a'.", "a=$(", "a=(", "alias a", "export a ", "a()", "a() {", "function ", "<<", "<<<",
}

var languages = []string{
	"go", "javascript", "jsx", "typescript", "tsx", "python", "rust", "java", "kotlin", "c", "cpp", "csharp",
	"ruby", "php", "swift", "shell", "sql", "yaml", "json", "toml", "",
}

// Whatever a document holds, scanning takes time in proportion to it: 32 times
// the code takes less than 32 times 6 as long, where what is quadratic takes 32
// times 32. The time is that of the processor, each time the quickest of some runs,
// and what looks slow is tried again, so a busy machine does not fail this.
func TestHostileInputIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("with -short, as the race detector runs, times say nothing")
	}
	runtime.LockOSThread() // whose time threadTime tells
	defer runtime.UnlockOSThread()
	const small, times, margin, tries = 1 << 10, 32, 6, 20
	var s Scanner
	measure := func(lang, piece string, size int) time.Duration {
		code := []byte(strings.Repeat(piece, size/len(piece)+1))
		start := threadTime(t)
		s.Scan(lang, code)
		return threadTime(t) - start
	}
	for _, piece := range hostile {
		for _, piece := range []string{piece, piece + "\n"} {
			for _, lang := range languages {
				least, most := measure(lang, piece, small), measure(lang, piece, small*times)
				for try := 0; most > least*times*margin; try++ {
					if try == tries {
						t.Errorf("%s: %q takes %v, and %v for %d times as much", lang, piece, least, most, times)
						break
					}
					least = min(least, measure(lang, piece, small))
					most = min(most, measure(lang, piece, small*times))
				}
			}
		}
	}
}

// Depth does not matter: what is nested a hundred thousand deep has the names of what
// is nested a hundred deep, costs no stack, and leaves the scanner as it was.
func TestDeepNesting(t *testing.T) {
	size := 1 << 18
	if testing.Short() {
		size = 1 << 14
	}
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20)) // going over it ends the test
	var s Scanner
	const after = "a = 1"
	for _, piece := range []string{"{", "(", "[", "`${", "\"${", "\"#{", "\"\\(", "<a>{", "const {a:", "namespace a {", "#if\n", "A(b) ", "/*"} {
		code := []byte(strings.Repeat(piece, size/len(piece)))
		for _, lang := range languages {
			deep, shallow := s.Scan(lang, code), Scan(lang, code[:100*len(piece)])
			if !reflect.DeepEqual(deep, shallow) {
				t.Errorf("%s: %q: %d deep %+v, 100 deep %+v", lang, piece, size/len(piece), deep, shallow)
			}
			if got, want := s.Scan(lang, []byte(after)), Scan(lang, []byte(after)); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: after %q, %q gives %+v, want %+v", lang, piece, after, got, want)
			}
		}
	}
}
