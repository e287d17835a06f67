package symbol

import (
	"strings"

	"github.com/docent-md/docent/internal/text/symbol/lex"
)

// SQL: what CREATE creates. Of a qualified name the last part counts.

// sqlKeywords are reserved in both cases.
const sqlKeywords = `add all alter and any as asc begin between by case cast check column commit constraint create
	cross default delete desc distinct drop else end except exists explain false fetch for foreign from full
	grant group having if in index inner insert intersect into is join key left like limit natural not null
	offset on or order outer primary references returning right rollback select set table then to true
	trigger union unique update using values view when where with`

type sql struct{ *block }

func sqlLanguage() *language {
	return &language{
		grammar: lex.Grammar{
			Habits: lex.DoubledQuotes,
			Readers: lex.Readers{
				'/': lex.SlashComment, '-': lex.DashComment, '"': lex.QuotedWord, '\'': lex.String,
				'`': lex.QuotedWord, '$': lex.DollarBody,
			},
			Prefixed: lex.SQLPrefixed,
			Keywords: lex.Reserve(sqlKeywords + " " + strings.ToUpper(sqlKeywords)),
		},
		declare: func(b *block) { b.each(sql{b}.statement) },
	}
}

func (s sql) statement(i int) int {
	// The prompt of a session: "mysql>", "db=#".
	if s.Toks[i].First && s.IsWord(i) && s.prompt(i) {
		for i++; s.Toks[i].Kind == lex.Mark && s.Touches(i); i++ {
		}
		i++
	}
	if !s.fold(i, "create") {
		return s.skip(i)
	}
	i++
	for s.IsWord(i) && sqlModifier(strings.ToLower(s.Text(i))) {
		i++
	}
	if !s.IsWord(i) || !sqlKind(strings.ToLower(s.Text(i))) {
		return s.skip(i)
	}
	i++
	for s.fold(i, "concurrently") || s.fold(i, "if") || s.fold(i, "not") || s.fold(i, "exists") {
		i++
	}
	for s.Is(i, '[') || s.IsName(i) {
		name, next := i, i+1
		if s.Is(i, '[') {
			name, next = i+1, s.Past(i)
		}
		if s.Is(next, '.') {
			i = next + 1
			continue
		}
		if s.IsName(name) && !s.fold(name, "on") && !s.fold(name, "as") && !(s.Toks[i].First && s.prompt(i)) {
			s.declare(name)
		}
		break
	}
	return s.skip(i)
}

// prompt reports whether the word at i is followed by the end of a prompt.
func (s sql) prompt(i int) bool {
	if !s.Touches(i) {
		return false
	}
	for i++; s.Is(i, '=') || s.Is(i, '-'); i++ {
		if !s.Touches(i) {
			return false
		}
	}
	return (s.Is(i, '>') || s.Is(i, '#')) && i+1 < len(s.Toks)
}

// fold reports whether token i is the given lower-case word in any case.
func (s sql) fold(i int, name string) bool {
	return s.IsWord(i) && strings.EqualFold(s.Text(i), name)
}

// skip returns the token behind the next semicolon, or the first of the next
// line if that begins with CREATE or a prompt: sessions and scripts with GO
// have no semicolons.
func (s sql) skip(i int) int {
	for i < len(s.Toks) {
		if s.Is(i, ';') {
			return i + 1
		}
		i = s.Past(i)
		if i < len(s.Toks) && s.Toks[i].First && s.IsWord(i) && (s.fold(i, "create") || s.prompt(i)) {
			return i
		}
	}
	return i
}

func sqlModifier(name string) bool {
	return oneOf(name, "or", "replace", "alter", "temp", "temporary", "global", "local", "unlogged", "unique", "materialized", "virtual", "vector",
		"external", "foreign", "recursive", "fulltext", "spatial", "clustered", "nonclustered", "columnstore", "transient", "live", "streaming")
}

func sqlKind(name string) bool {
	return oneOf(name, "table", "view", "index", "function", "procedure", "proc", "trigger", "type", "schema", "database", "sequence",
		"domain", "aggregate", "user", "role", "policy", "publication", "subscription", "event", "tablespace", "keyspace", "macro",
		"stream", "stage", "warehouse", "model", "catalog", "dictionary")
}
