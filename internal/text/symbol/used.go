package symbol

// longestChain is how many parts of a dotted name are kept together. Longer
// ones are chains of calls and paths; their parts are enough.
const longestChain = 4

// tokenWords records the identifiers among the tokens, and the dotted names.
func (s *scanner) tokenWords() {
	set := &s.used
	var starts [longestChain]int32 // where the last parts of a dotted name begin
	parts := 0
	php := s.syn.lang == "php"
	for i := range s.toks {
		t := &s.toks[i]
		if t.kind != word && t.kind != macro {
			continue
		}
		name := s.src[t.start:t.end]
		joined := parts > 0 && s.joins(i, php)
		if !joined {
			parts = 0
		}
		if !joined && t.mark == 0 && s.syn.keywords.has(name) && !s.is(i-1, '.') && !s.declared.has(name) {
			// "import.meta" is a name; "this.x" is x.
			if name != "this" && name != "self" && name != "super" {
				starts[0], parts = t.start, 1
			}
			continue
		}
		set.add(name)
		if parts == longestChain {
			copy(starts[:], starts[1:])
			parts--
		}
		for _, start := range starts[:parts] {
			set.add(s.src[start:t.end])
		}
		starts[parts] = t.start
		parts++
	}
}

// joins reports whether token i is a further part of the name before it.
func (s *scanner) joins(i int, php bool) bool {
	t := s.toks[i].start
	if i < 2 || s.toks[i-1].kind != mark || s.toks[i-1].end != t {
		return false
	}
	before := s.toks[i-2]
	switch s.toks[i-1].mark {
	case '.':
		return before.kind == word && before.end == t-1
	case '\\':
		return php && before.kind == word && before.end == t-1
	case ':':
		return i > 2 && before.mark == ':' && before.kind == mark && before.end == t-1 &&
			s.toks[i-3].kind == word && s.toks[i-3].end == t-2
	}
	return false
}

// plainWords records the words of text in a language whose syntax is unknown. Words
// joined by hyphens and dotted names are kept whole as well ("Get-Item",
// "margin-top", "a.b"), and the options of commands with their dashes
// ("--dry-run"). With comments, "#" behind a blank hides the rest of its line.
func (s *scanner) plainWords(comments bool) {
	src, set := s.src, &s.used
	var starts [longestChain]int
	parts, last := 0, -1 // last is where the last part ended
	for i := 0; i < len(src); {
		c := src[i]
		switch classes[c] {
		case letter, wide:
		case punct:
			if c == '#' && comments && (i == 0 || src[i-1] == ' ' || src[i-1] == '\n' || src[i-1] == '\t') {
				for i < len(src) && src[i] != '\n' {
					i++
				}
				continue
			}
			i++
			continue
		case digit:
			i = wordEnd(src, i, false)
			continue
		default:
			i++
			continue
		}
		start, end := i, wordEnd(src, i, false)
		if end == start {
			i++
			continue
		}
		from := start
		set.add(src[start:end])
		for end+1 < len(src) && src[end] == '-' && classes[src[end+1]] == letter {
			from = end + 1
			end = wordEnd(src, from, false)
			set.add(src[from:end])
		}
		if from > start {
			set.add(src[start:end])
		}
		if start >= 2 && src[start-1] == '-' && src[start-2] == '-' && (start == 2 || classes[src[start-3]] <= newline) {
			set.add(src[start-2 : end])
		}
		if !(last > 0 && (last == start-1 && src[last] == '.' || last == start-2 && src[last:start] == "::")) {
			parts = 0
		}
		if parts == longestChain {
			copy(starts[:], starts[1:])
			parts--
		}
		for _, at := range starts[:parts] {
			set.add(src[at:end])
		}
		starts[parts] = start
		parts++
		last, i = end, end
	}
}
