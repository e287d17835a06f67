package token

// Byte-pair tokenizers first cut text into pieces by a fixed pattern, then
// each piece into tokens from a vocabulary. Common pieces are one token, so
// most of what decides a count is where the pattern cuts, and that can be
// followed without the vocabulary. pieces does so for o200k's pattern:
//
//   - A word is capitals followed by small letters, and takes along one
//     character before it that is neither letter, digit nor newline: " foo",
//     ".foo", "(foo". "fooBar" is two words, "HTTPServer" one.
//   - Digits come in groups of up to three. They take nothing along, so that a
//     space before a number is a token of its own.
//   - Punctuation comes in runs, takes along a space before and the newlines
//     after it.
//   - Of a run of spaces the last belongs to the word that follows; the others
//     are one piece, unless newlines follow and swallow them.
//
// What a piece costs depends on its class: how long a word is and what it took
// along, how long a run of punctuation. Scripts without spaces are counted by
// the character.
const (
	bareWord    = iota * lengths // a word that took nothing along
	spacedWord                   // after a space
	markedWord                   // after one punctuation mark
	capitalWord                  // with two capitals or more
	words                        // how many classes there are of the above
)

const (
	longTail    = iota + words // letters of a word beyond longWord
	accented                   // letters of a word from U+00C0 to U+027F
	elision                    // 's, 't, 're and the like
	digits                     // up to three of them
	spacedDigit                // the space before a digit
	marks1                     // one punctuation mark
	marks2                     // two
	marks3                     // three
	marks4                     // four and more
	marksTail                  // those beyond four, up to longRun
	marksBreak                 // newlines after punctuation
	newline                    // newlines after anything else
	newlineTail                // newlines beyond the first, up to longRun
	runTail                    // 16 more marks or newlines, beyond longRun
	spaces                     // two spaces or tabs and more
	spacesTail                 // 8 of them
	han
	hiragana
	katakana
	hangul
	cyrillic
	wide        // CJK punctuation and full-width forms
	symbol      // U+2000 to U+2FFF: dashes, quotes, arrows, box drawing
	symbolAgain // the same once more
	twoBytes    // other characters, by their size in UTF-8
	threeBytes
	fourBytes
	classes // how many there are
)

const (
	lengths  = 4  // classes of word: 1-3, 4-6, 7-9, and 10 letters or more
	longWord = 12 // letters
	longRun  = 12 // marks or newlines
)

// What the next word takes along.
const (
	nothing = iota
	space
	mark
	apostrophe
)

// pieces counts the pieces of s by class.
func pieces[T string | []byte](s T) (n [classes]int) {
	lead := nothing
	for i := 0; i < len(s); {
		c := s[i]
		start := i
		switch {
		case isLetter(c) || isAccented(s, i):
			for i < len(s) && isUpper(s[i]) {
				i++
			}
			capitals := i - start
			letters := capitals
			for i < len(s) {
				if isLower(s[i]) {
					i++
				} else if isAccented(s, i) {
					i += 2
					n[accented]++
				} else {
					break
				}
				letters++
			}
			switch {
			case capitals > 1:
				n[capitalWord+lengthClass(letters)]++
			case lead == space:
				n[spacedWord+lengthClass(letters)]++
			case lead == apostrophe && capitals == 0 && letters <= 2:
				n[elision]++
			case lead != nothing:
				n[markedWord+lengthClass(letters)]++
			default:
				n[bareWord+lengthClass(letters)]++
			}
			n[longTail] += max(0, letters-longWord)
			lead = nothing

		case isBlank(c):
			for i < len(s) && isBlank(s[i]) {
				i++
			}
			n[spacesTail] += (i - start) / 8
			lead = space
			if i < len(s) && isNewline(s[i]) {
				lead = nothing
			} else if i-start > 1 {
				n[spaces]++
			}

		case isDigit(c):
			for i < len(s) && isDigit(s[i]) {
				i++
			}
			n[digits] += (i - start + 2) / 3
			if lead == space {
				n[spacedDigit]++
			}
			lead = nothing

		case isNewline(c):
			i = skipNewlines(s, i)
			n[newline]++
			n[newlineTail] += min(i-start, longRun) - 1
			n[runTail] += max(0, i-start-longRun) / 16
			lead = nothing

		case c < 0x80:
			for i < len(s) && isMark(s[i]) {
				i++
			}
			length := i - start
			if length == 1 && lead != space && i < len(s) && isLetter(s[i]) {
				lead = mark
				if c == '\'' {
					lead = apostrophe
				}
				break
			}
			n[marks1+min(length, 4)-1]++
			n[marksTail] += max(0, min(length, longRun)-4)
			n[runTail] += max(0, length-longRun) / 16
			if end := skipNewlines(s, i); end > i {
				n[marksBreak]++
				n[newlineTail] += min(end-i, longRun) - 1
				n[runTail] += max(0, end-i-longRun) / 16
				i = end
			}
			lead = nothing

		default:
			class, size := character(s, i)
			i += size
			n[class]++
			lead = nothing
		}
	}
	return n
}

// character returns the class and size of the character outside ASCII at s[i].
// A byte that is not part of valid UTF-8 is a character of four: each is a
// token or close to it.
func character[T string | []byte](s T, i int) (class, size int) {
	c := s[i]
	switch {
	case c >= 0xF0:
		class, size = fourBytes, 4
	case c >= 0xE0:
		class, size = threeBytes, 3
	case c >= 0xC2:
		class, size = twoBytes, 2
	default:
		return fourBytes, 1
	}
	if i+size > len(s) {
		return fourBytes, 1
	}
	for j := i + 1; j < i+size; j++ {
		if s[j]&0xC0 != 0x80 {
			return fourBytes, 1
		}
	}
	next := s[i+1]
	switch {
	case c >= 0xD0 && c <= 0xD4:
		class = cyrillic
	case c == 0xE2:
		class = symbol
		if i >= 3 && s[i-3] == c && s[i-2] == next && s[i-1] == s[i+2] {
			class = symbolAgain
		}
	case c == 0xE3:
		switch {
		case next == 0x81, next == 0x82 && s[i+2] < 0xA0:
			class = hiragana
		case next == 0x82, next == 0x83:
			class = katakana
		case next >= 0x90:
			class = han
		default:
			class = wide
		}
	case c >= 0xE4 && c <= 0xE9:
		class = han
	case c == 0xEA && next >= 0xB0, c == 0xEB, c == 0xEC, c == 0xED:
		class = hangul
	case c == 0xEF && next >= 0xBC:
		class = wide
	}
	return class, size
}

// lengthClass sorts a word by its number of letters.
func lengthClass(letters int) int {
	switch {
	case letters <= 3:
		return 0
	case letters <= 6:
		return 1
	case letters <= 9:
		return 2
	}
	return 3
}

func skipNewlines[T string | []byte](s T, i int) int {
	for i < len(s) && isNewline(s[i]) {
		i++
	}
	return i
}

// isAccented reports whether a letter from U+00C0 to U+027F begins at s[i].
func isAccented[T string | []byte](s T, i int) bool {
	return s[i] >= 0xC3 && s[i] <= 0xC9 && i+1 < len(s) && s[i+1]&0xC0 == 0x80
}

func isLower(c byte) bool   { return c-'a' < 26 }
func isUpper(c byte) bool   { return c-'A' < 26 }
func isLetter(c byte) bool  { return (c|0x20)-'a' < 26 }
func isDigit(c byte) bool   { return c-'0' < 10 }
func isBlank(c byte) bool   { return c == ' ' || c == '\t' }
func isNewline(c byte) bool { return c == '\n' || c == '\r' }

// isMark reports whether c is ASCII and none of the above.
func isMark(c byte) bool {
	return c < 0x80 && !isLetter(c) && !isDigit(c) && !isBlank(c) && !isNewline(c)
}
