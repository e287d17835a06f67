package token

// A budget is a promise, and an estimate that is right on average breaks it every other
// time. Of changelogs it is 5 % too low, of lists of people 20 %: what no vocabulary has,
// names and addresses, looks like words that are in it. So limits are kept by prices that
// are high enough for nearly all text.
//
// They were fitted, none below those of the estimate, to exact counts of 5,529 texts of
// 300 to 3,000 tokens: changelogs, tables, code and prose of 60 repositories, and some
// Chinese, such that two texts in a thousand may have more tokens. With one half of the
// repositories kept out of the fit, texts of those had more than it says in
//
//	              of 100    by up to     and it is too high by
//	changelogs       0         -               10.8 %
//	prose            1.0      18 %             11.8 %
//	code             2.6      23 %             11.5 %
//	tables           3.7      12 %             14.4 %
//
// of cases; those were drawings in characters, base64, and lists of names. A flat
// addition that keeps as many is 3 % dearer.
var o200kCeiling = [classes]int{
	bareWord: 136, 124, 145, 180,
	spacedWord: 98, 101, 109, 123,
	markedWord: 154, 179, 225, 266,
	capitalWord: 118, 202, 210, 255,
	longTail: 35, accented: 121, elision: 30,
	digits: 138, spacedDigit: 76,
	marks1: 132, 106, 157, 188,
	marksTail: 26, marksBreak: 1,
	newline: 123, newlineTail: 0, runTail: 84,
	spaces: 95, spacesTail: 6,
	han: 75, hiragana: 55, katakana: 82, hangul: 71, cyrillic: 27,
	wide: 105, symbol: 150, symbolAgain: 45,
	twoBytes: 49, threeBytes: 39, fourBytes: 259,
}

// overClaude is how many per cent are added to the estimate for Claude: as much as to
// that for o200k. Its exact counts are not public.
const overClaude = 12

// Ceiling estimates how many tokens text has at most: a limit that is kept by it is kept,
// but for text that is no language at all. It is never less than Count. Chars4 is what it
// is: there it is the same.
func (p Profile) Ceiling(text []byte) int {
	switch {
	case len(text) == 0:
		return 0
	case p.prices == &o200k:
		return p.Round(weighPieces(text, &o200kCeiling))
	case p.prices == &claude:
		return (p.Count(text)*(100+overClaude) + 99) / 100
	}
	return p.Count(text)
}
