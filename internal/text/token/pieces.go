package token

// Byte-pair tokenizers first cut text into pieces by a fixed pattern, then
// each piece into tokens from a vocabulary. Common pieces are one token, so
// most of what decides a count is where the pattern cuts, and that can be
// followed without the vocabulary. weighPieces does so for o200k's pattern:
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

// wordAfter is the class of a word by what it takes along.
var wordAfter = [...]int{nothing: bareWord, space: spacedWord, mark: markedWord, apostrophe: markedWord}

// weighPieces adds up what the pieces of s cost. It is one function because it is
// a hot loop: with functions for words and marks it takes up to 13 % longer.
func weighPieces[T string | []byte](s T, price *[classes]int) int {
	sum := 0
	lead := nothing
	for i := 0; i < len(s); {
		c := s[i]
		start := i
		switch k := kinds[c]; {
		case k == letter || k == other && isAccented(s, i):
			for i < len(s) && isUpper(s[i]) {
				i++
			}
			capitals := i - start
			for ; ; i += 2 {
				i += lowerRun(s, i)
				if i == len(s) || !isAccented(s, i) {
					break
				}
				start++ // two bytes are one letter
				sum += price[accented]
			}
			letters := i - start
			class := wordAfter[lead]
			if capitals > 1 {
				class = capitalWord
			}
			if lead == apostrophe && capitals == 0 && letters <= 2 {
				sum += price[elision]
			} else {
				sum += price[class+lengthClass(letters)]
			}
			if letters > longWord {
				sum += (letters - longWord) * price[longTail]
			}
			lead = nothing
			if i+1 < len(s) && s[i] == ' ' && isLetter(s[i+1]) { // as mostly
				lead = space
				i++
			}

		case k == blank:
			for i < len(s) && isBlank(s[i]) {
				i++
			}
			if i-start > 1 {
				sum += (i - start) / 8 * price[spacesTail]
				if i == len(s) || !isNewline(s[i]) {
					sum += price[spaces]
				}
			}
			lead = space
			if i < len(s) && isNewline(s[i]) {
				lead = nothing
			}

		case k == sign:
			for i < len(s) && kinds[s[i]] == sign {
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
			sum += price[marks1+min(length, 4)-1]
			if length > 4 {
				sum += (min(length, longRun) - 4) * price[marksTail]
				sum += max(0, length-longRun) / 16 * price[runTail]
			}
			if end := skipNewlines(s, i); end > i {
				sum += price[marksBreak] + newlines(end-i, price)
				i = end
			}
			lead = nothing

		case k == lineEnd:
			i = skipNewlines(s, i)
			sum += price[newline] + newlines(i-start, price)
			lead = nothing

		case k == digit:
			for i < len(s) && isDigit(s[i]) {
				i++
			}
			sum += (i - start + 2) / 3 * price[digits]
			if lead == space {
				sum += price[spacedDigit]
			}
			lead = nothing

		default:
			class, size := character(s, i)
			i += size
			sum += price[class]
			lead = nothing
		}
	}
	return sum
}

// newlines returns what n newlines cost beyond the first.
func newlines(n int, price *[classes]int) int {
	if n == 1 {
		return 0
	}
	return (min(n, longRun)-1)*price[newlineTail] + max(0, n-longRun)/16*price[runTail]
}
