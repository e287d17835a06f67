package symbol

import "strings"

// SQL: what CREATE creates. Of a qualified name the last part counts.

func (s *scanner) sqlStatement(i int) int {
	// The prompt of a session: "mysql>", "db=#".
	if s.toks[i].first && s.isWord(i) && s.sqlPrompt(i) {
		for i++; s.toks[i].kind == mark && s.touches(i); i++ {
		}
		i++
	}
	if !s.fold(i, "create") {
		return s.sqlSkip(i)
	}
	i++
	for s.isWord(i) && sqlModifier(strings.ToLower(s.text(i))) {
		i++
	}
	if !s.isWord(i) || !sqlKind(strings.ToLower(s.text(i))) {
		return s.sqlSkip(i)
	}
	i++
	for s.fold(i, "concurrently") || s.fold(i, "if") || s.fold(i, "not") || s.fold(i, "exists") {
		i++
	}
	for s.is(i, '[') || s.isName(i) {
		name, next := i, i+1
		if s.is(i, '[') {
			name, next = i+1, s.past(i)
		}
		if s.is(next, '.') {
			i = next + 1
			continue
		}
		if s.isName(name) && !s.fold(name, "on") && !s.fold(name, "as") && !(s.toks[i].first && s.sqlPrompt(i)) {
			s.declare(name)
		}
		break
	}
	return s.sqlSkip(i)
}

// sqlPrompt reports whether the word at i is followed by the end of a prompt.
func (s *scanner) sqlPrompt(i int) bool {
	if !s.touches(i) {
		return false
	}
	for i++; s.is(i, '=') || s.is(i, '-'); i++ {
		if !s.touches(i) {
			return false
		}
	}
	return (s.is(i, '>') || s.is(i, '#')) && i+1 < len(s.toks)
}

// fold reports whether token i is the given lower-case word in any case.
func (s *scanner) fold(i int, name string) bool {
	return s.isWord(i) && strings.EqualFold(s.text(i), name)
}

// sqlSkip returns the token behind the next semicolon, or the first of the next
// line if that begins with CREATE or a prompt: sessions and scripts with GO
// have no semicolons.
func (s *scanner) sqlSkip(i int) int {
	for i < len(s.toks) {
		if s.is(i, ';') {
			return i + 1
		}
		i = s.past(i)
		if i < len(s.toks) && s.toks[i].first && s.isWord(i) && (s.fold(i, "create") || s.sqlPrompt(i)) {
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
