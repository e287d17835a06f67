package symbol

import (
	"cmp"
	"strings"
	"sync"

	"github.com/docent-md/docent/internal/text/symbol/lex"
)

// Language gives the canonical name of the language that an info string names:
// "ts {1,3}" and "TypeScript" are "typescript", "{.python}" is "python",
// "rust,ignore" is "rust". It is the lower-cased first word where the language
// is not known, so that it still can be filtered by, and "" where the info
// string names none: empty, or only options such as `title="a.js"`.
func Language(info string) string {
	s := strings.TrimLeft(info, " \t{.")
	s = strings.TrimPrefix(s, "language-")
	s = strings.TrimPrefix(s, "lang-")
	end := 0
	for end < len(s) && end <= maxLanguage && isLanguageByte(s[end]) {
		end++
	}
	word := strings.TrimRight(s[:end], ".-")
	if end > maxLanguage || word == "" || !lex.IsLetter(word[0]) || end < len(s) && s[end] == '=' {
		return ""
	}
	word = strings.ToLower(word)
	word = strings.TrimSuffix(word, "-nolint") // how MDN marks code that its linter shall pass over
	return cmp.Or(canonicalNames()[word], word)
}

// aliases lists languages, each with the other names that writers give it.
const aliases = `
go           golang
javascript   js mjs cjs node nodejs es6
jsx          javascriptreact
typescript   ts mts cts d.ts angular-ts
tsx          typescriptreact
python       py py3 python2 python3 pycon ipython ipython3 pyi python-repl
rust         rs
kotlin       kt kts
c            h
cpp          c++ cc cxx hpp hxx hh h++
csharp       c# cs c-sharp csx
ruby         rb irb jruby rake
php          php3 php4 php5 php7 php8 phtml
shell        sh bash zsh ksh shellscript shell-script shell-session shellsession sh-session console terminal bash-session zsh-session
sql          psql postgres postgresql pgsql plpgsql plsql mysql sqlite sqlite3 tsql t-sql
yaml         yml
json         jsonc json5 jsonl ndjson jsonld geojson
powershell   ps1 pwsh posh ps
markdown     md
dockerfile   docker
makefile     make mk
html         htm
objective-c  objc objectivec obj-c
elixir       ex exs
hcl          tf terraform
protobuf     proto
graphql      gql
text         txt plain plaintext none nohighlight
`

// canonicalNames maps aliases to languages. It is made when first asked for.
var canonicalNames = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(aliases) {
		names := strings.Fields(line)
		for i := 1; i < len(names); i++ {
			m[names[i]] = names[0]
		}
	}
	return m
})

// maxLanguage is the longest name of a language, in bytes. What is longer is
// text that got behind a fence.
const maxLanguage = 40

func isLanguageByte(c byte) bool {
	return lex.IsLetter(c) || lex.IsDigit(c) || c == '+' || c == '#' || c == '-' || c == '.' || c == '_'
}

// syntaxes are the languages with declarations of their own, by their canonical name.
// They are made when first asked for: a process that only answers questions
// needs none.
var syntaxes = sync.OnceValue(func() map[string]*language {
	return map[string]*language{
		"go":         goLanguage(),
		"javascript": ecmaLanguage(ecmaKeywords, lex.Element, lex.NodeSession()),
		"jsx":        ecmaLanguage(ecmaKeywords, lex.Element),
		"typescript": ecmaLanguage(typeKeywords, nil),
		"tsx":        ecmaLanguage(typeKeywords, lex.TypedElement),
		"python":     pythonLanguage(),
		"rust":       rustLanguage(),
		"java":       javaLanguage(),
		"csharp":     csharpLanguage(),
		"kotlin":     kotlinLanguage(),
		"swift":      swiftLanguage(),
		"c":          cLanguage(cKeywords),
		"cpp":        cLanguage(cppKeywords),
		"ruby":       rubyLanguage(),
		"php":        phpLanguage(),
		"sql":        sqlLanguage(),
	}
})
