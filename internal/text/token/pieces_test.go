package token

import (
	"testing"

	"pgregory.net/rapid"
)

// Weighing byte by byte, class by class, gives the same.
func TestWeighingEqualsCountingPieces(t *testing.T) {
	sections := readSections(t)
	bits := rapid.SliceOf(rapid.OneOf(
		rapid.SampledFrom([]string{
			"a", "B", "word", "internationalisation", "HTTPServer", " ", "  ", "\t", "\n", "\r\n", "\n\n\n", "'", "'s", "'re", ".", "...",
			"----------------", "1", "1234", "é", "ÀÉ", "\xc3", "\xe2\x94\x80", "轮", "は", "ア", "한", "я", "，", "\xff", "\x00", "\x7f", "@", "[", "`", "{",
		}),
		rapid.StringN(0, 12, 40),
	))
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, s := range bits.Draw(t, "text") {
			text += s
		}
		if rapid.Bool().Draw(t, "real") {
			text = rapid.SampledFrom(sections).Draw(t, "section").Text + text
		}
		for _, p := range []*prices{&o200k, &claude} {
			want := 0
			for class, n := range pieces(text) {
				want += n * p.table[class]
			}
			if got := weighPieces(text, &p.table); got != want {
				t.Fatalf("%q weighs %d, want %d", text, got, want)
			}
			if got := weighPieces([]byte(text), &p.table); got != want {
				t.Fatalf("bytes of %q weigh %d, want %d", text, got, want)
			}
		}
	})
}

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

// isMark reports whether c is ASCII and neither letter, digit, space nor newline.
func isMark(c byte) bool {
	return c < 0x80 && !isLetter(c) && !isDigit(c) && !isBlank(c) && !isNewline(c)
}
