package symbol

import "strings"

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
	if end > maxLanguage || word == "" || !isLetter(word[0]) || end < len(s) && s[end] == '=' {
		return ""
	}
	word = strings.ToLower(word)
	word = strings.TrimSuffix(word, "-nolint") // how MDN marks code that its linter shall pass over
	return canonical(word)
}

// canonical gives one name to what writers call a language. Names that are not
// here stand for themselves.
func canonical(word string) string {
	switch word {
	case "golang":
		return "go"
	case "js", "mjs", "cjs", "node", "nodejs", "es6":
		return "javascript"
	case "javascriptreact":
		return "jsx"
	case "ts", "mts", "cts", "d.ts", "angular-ts":
		return "typescript"
	case "typescriptreact":
		return "tsx"
	case "py", "py3", "python2", "python3", "pycon", "ipython", "ipython3", "pyi", "python-repl":
		return "python"
	case "rs":
		return "rust"
	case "kt", "kts":
		return "kotlin"
	case "h":
		return "c"
	case "c++", "cc", "cxx", "hpp", "hxx", "hh", "h++":
		return "cpp"
	case "c#", "cs", "c-sharp", "csx":
		return "csharp"
	case "rb", "irb", "jruby", "rake":
		return "ruby"
	case "php3", "php4", "php5", "php7", "php8", "phtml":
		return "php"
	case "sh", "bash", "zsh", "ksh", "shellscript", "shell-script", "shell-session", "shellsession",
		"sh-session", "console", "terminal", "bash-session", "zsh-session":
		return "shell"
	case "psql", "postgres", "postgresql", "pgsql", "plpgsql", "plsql", "mysql", "sqlite", "sqlite3", "tsql", "t-sql":
		return "sql"
	case "yml":
		return "yaml"
	case "jsonc", "json5", "jsonl", "ndjson", "jsonld", "geojson":
		return "json"
	case "ps1", "pwsh", "posh", "ps":
		return "powershell"
	case "md":
		return "markdown"
	case "docker":
		return "dockerfile"
	case "make", "mk":
		return "makefile"
	case "htm":
		return "html"
	case "objc", "objectivec", "obj-c":
		return "objective-c"
	case "ex", "exs":
		return "elixir"
	case "tf", "terraform":
		return "hcl"
	case "proto":
		return "protobuf"
	case "gql":
		return "graphql"
	case "txt", "plain", "plaintext", "none", "nohighlight":
		return "text"
	}
	return word
}

// maxLanguage is the longest name of a language, in bytes. What is longer is
// text that got behind a fence.
const maxLanguage = 40

func isLanguageByte(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '+' || c == '#' || c == '-' || c == '.' || c == '_'
}
