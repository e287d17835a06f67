package symbol

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLanguage(t *testing.T) {
	for _, tt := range []struct{ name, info, want string }{
		{"an alias", "ts", "typescript"},
		{"case does not matter", "TypeScript", "typescript"},
		{"options behind a blank", "js live", "javascript"},
		{"lines to highlight", "ts {1,3}", "typescript"},
		{"lines that touch the name", "js{6}", "javascript"},
		{"rustdoc's options", "rust,ignore,no_run", "rust"},
		{"a file name behind a colon", "go:main.go", "go"},
		{"pandoc's class", "{.python .numberLines}", "python"},
		{"a class with a blank before", "{ .yaml .annotate }", "yaml"},
		{"knitr", "{r, echo=FALSE}", "r"},
		{"the class of HTML", "language-bash", "shell"},
		{"signs in the name", "c++", "cpp"},
		{"a sharp", "C#", "csharp"},
		{"MDN's mark", "js-nolint example-bad", "javascript"},
		{"a session", "console", "shell"},
		{"an unknown language keeps its name", "Zig title=x", "zig"},
		{"plain text", "txt", "text"},
		{"untagged", "", ""},
		{"only options", `title="a.js"`, ""},
		{"only lines", "{1,3}", ""},
		{"a file name in brackets", "[.env]", ""},
		{"punctuation", "-->", ""},
		{"a sentence without blanks", strings.Repeat("x", 50), ""},
	} {
		if got := Language(tt.info); got != tt.want {
			t.Errorf("%s: Language(%q) = %q, want %q", tt.name, tt.info, got, tt.want)
		}
	}
}

func TestUsed(t *testing.T) {
	for _, tt := range []struct{ name, lang, code, want string }{
		{"identifiers without keywords", "go", "for i := range items { use(i) }", "i items use"},
		{"a method by itself and with its object", "javascript", `app.listen(3000)`, "app listen app.listen"},
		{"every run of a longer name", "javascript", `a.b.c()`, "a b a.b c a.b.c b.c"},
		{"four parts at most", "python", "a.b.c.d.e", "a b a.b c a.b.c b.c d a.b.c.d b.c.d c.d e b.c.d.e c.d.e d.e"},
		{"paths", "rust", "use std::collections::HashMap;", "std collections std::collections HashMap std::collections::HashMap collections::HashMap"},
		{"namespaces of PHP", "php", `use App\Models\User;`, `App Models App\Models User App\Models\User Models\User`},
		{"without sigils", "php", `$user->name`, "user name"},
		{"this is left out", "javascript", "this.http.get(url)", "http get http.get url"},
		{"a keyword behind a dot is a name", "javascript", "map.delete(key).catch(f)", "map delete map.delete key catch f"},
		{"a keyword before a dot makes a name", "javascript", "import.meta.env", "meta import.meta env import.meta.env meta.env"},
		{"neither strings nor comments", "go", "a(\"b c\") // d e", "a"},
		{"the code in strings", "javascript", "log(`x ${user.name} y`)", "log user name user.name"},
		{"tags and attributes, but no text", "jsx", `<Foo.Bar onClick={go}>some text</Foo.Bar>`, "Foo Bar Foo.Bar onClick go"},
		{"a number is no dotted name", "c", "x = 1.5e3f;", "x"},
		{"calls break a dotted name", "javascript", "a().b", "a b"},
		{"the name of a macro", "c", "#define MAX 3", "MAX"},
		{"hidden lines are not looked at", "rust", "# use a;\nb();", "b"},
		{"output is not looked at", "python", ">>> a\nb\n", "a"},
		{"words of an unknown language", "", "Get-Item x.y", "Get Item Get-Item x y x.y"},
		{"a sharp hides nothing where it may be no comment", "css", "p #main a", "p main a"},
		{"options of commands", "shell", "kubectl apply --dry-run=client # note", "kubectl apply dry run dry-run --dry-run client"},
		{"a line that begins with a colon", "yaml", "a: [\n  :x]", "a x"}, // was a panic
		{"keys and values", "yaml", "kind: Deployment # x", "kind Deployment"},
	} {
		got := Scan(tt.lang, []byte(tt.code)).Used
		if want := strings.Fields(tt.want); !slices.Equal(got, want) {
			t.Errorf("%s: %s %q uses\n%q, want\n%q", tt.name, tt.lang, tt.code, got, want)
		}
	}
}

func TestUnknownLanguagesDeclareNothing(t *testing.T) {
	for _, lang := range []string{"", "elixir", "text"} {
		if got := Scan(lang, []byte("func main() {}")); got.Declared != nil || got.Keys != nil || len(got.Used) != 2 {
			t.Errorf("%q: %+v", lang, got)
		}
	}
}

func TestNothingGivesNothing(t *testing.T) {
	for _, lang := range languages {
		if got := Scan(lang, nil); got.Declared != nil || got.Keys != nil || got.Used != nil {
			t.Errorf("%s: %+v", lang, got)
		}
	}
}

// A Scanner remembers nothing of the blocks before.
func TestScannerForgets(t *testing.T) {
	var all []string
	for _, l := range labelled {
		for _, b := range readBlocks(t, l.lang) {
			all = append(all, b.code)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		var s Scanner
		for range 20 {
			lang := rapid.SampledFrom(languages).Draw(t, "lang")
			code := rapid.SampledFrom(all).Draw(t, "code")
			if got, want := fmt.Sprint(s.Scan(lang, []byte(code))), fmt.Sprint(Scan(lang, []byte(code))); got != want {
				t.Fatalf("%s after other blocks:\n%s\nalone:\n%s", lang, got, want)
			}
		}
	})
}

// check fails unless names are what Names promises of code.
func check(t *testing.T, lang, code string, names Names) {
	t.Helper()
	for _, list := range [][]string{names.Declared, names.Keys, names.Used} {
		seen := map[string]bool{}
		for _, name := range list {
			if name == "" || seen[name] || !strings.Contains(code, name) {
				t.Fatalf("%s: %q is empty, a repeat or not in %q", lang, name, code)
			}
			seen[name] = true
		}
	}
}

// A block may end anywhere, and may be in another language than it says.
func TestCutBlocks(t *testing.T) {
	var s Scanner
	for i, l := range labelled {
		for _, b := range readBlocks(t, l.lang) {
			for n := 0; n <= len(b.code); n += 1 + n/20 {
				check(t, l.lang, b.code[:n], s.Scan(l.lang, []byte(b.code[:n])))
			}
			other := languages[(i+len(b.code))%len(languages)]
			check(t, other, b.code, s.Scan(other, []byte(b.code)))
		}
	}
}

// Declared names are used names: who looks for uses finds declarations too.
func TestDeclaredNamesAreUsed(t *testing.T) {
	for _, l := range labelled {
		if l.lang == "yaml" || l.lang == "json" || l.lang == "toml" || l.lang == "shell" {
			continue // keys and names with signs are not cut into words everywhere
		}
		for _, b := range readBlocks(t, l.lang) {
			names := Scan(l.lang, []byte(b.code))
			for _, name := range names.Declared {
				name = strings.TrimSuffix(name, "=")                       // Ruby's setters
				if !slices.Contains(names.Used, name) && name != "DEBUG" { // define('DEBUG')
					t.Errorf("%s.txt:%d: %s is declared, but not used", l.lang, b.line, name)
				}
			}
		}
	}
}

func FuzzScan(f *testing.F) {
	for i, lang := range languages {
		for _, l := range labelled {
			if l.lang == lang {
				for _, b := range readBlocks(f, lang) {
					f.Add(i, b.code)
				}
			}
		}
		for _, piece := range hostile {
			f.Add(i, piece+piece)
		}
	}
	f.Fuzz(func(t *testing.T, i int, code string) {
		if i < 0 || i >= len(languages) {
			return
		}
		check(t, languages[i], code, Scan(languages[i], []byte(code)))
	})
}

func FuzzLanguage(f *testing.F) {
	f.Add("ts {1,3}")
	f.Fuzz(func(t *testing.T, info string) {
		lang := Language(info)
		if lang != strings.ToLower(lang) || strings.ContainsAny(lang, " \t\n{}=") || Language(lang) != lang {
			t.Fatalf("Language(%q) = %q", info, lang)
		}
	})
}

// The blocks are those of testdata; what documentation holds is not slower.
func BenchmarkScan(b *testing.B) {
	for _, l := range labelled {
		b.Run(l.lang, func(b *testing.B) {
			blocks := readBlocks(b, l.lang)
			size := 0
			for _, block := range blocks {
				size += len(block.code)
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			var s Scanner
			for b.Loop() {
				for _, block := range blocks {
					s.Scan(l.lang, []byte(block.code))
				}
			}
		})
	}
}
