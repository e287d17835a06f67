package markdown

import "bytes"

// Mathematics is TeX between dollar signs: $a+b$ in text, $$...$$ by itself. As pandoc and
// GitHub have it, what stands in text neither begins nor ends with a space, and no letter
// or digit touches it from outside, so that $5 and $10 are money.

// maxMath is the length of the longest formula in text.
const maxMath = 2000

// mathStart opens a formula on lines of its own.
func (b *pageStarter) mathStart(matched int) bool {
	line := bytes.TrimRight(b.content(), " \t")
	if !bytes.HasPrefix(line, []byte("$$")) || len(b.d.Blocks) == 0 {
		return false
	}
	if rest := line[2:]; len(rest) > 0 {
		if at := bytes.Index(rest, []byte("$$")); at >= 0 && at < len(rest)-2 || at == 0 {
			return false // more than a formula
		}
	}
	alone := len(line) > 4 && bytes.HasSuffix(line, []byte("$$"))
	if !alone && !b.mathCloses() {
		return false
	}
	b.openLeaf(mathLeaf, MathPiece, matched)
	from := b.ns + 2
	end := b.ns + len(line)
	if alone {
		end -= 2
		b.leaf = noLeaf
	}
	b.lines = append(b.lines, pageLine{span: span{int32(from), int32(end)}})
	b.blocks[b.last].to = int32(len(b.lines))
	return true
}

// mathCloses reports whether a "$$" follows this line. When there is none, it is not
// looked for again.
func (b *pageStarter) mathCloses() bool {
	if !b.noMath && !bytes.Contains(b.src[b.next:], []byte("$$")) {
		b.noMath = true
	}
	return !b.noMath
}

// continueMath gives the line to an open formula.
func (b *pageStarter) continueMath() bool {
	line := b.src[b.pos:b.end]
	at := bytes.Index(line, []byte("$$"))
	if at < 0 {
		b.addLine(b.pos)
		return true
	}
	b.lines = append(b.lines, pageLine{span: span{int32(b.pos), int32(b.pos + at)}})
	b.blocks[b.last].to = int32(len(b.lines))
	b.leaf = noLeaf
	return true
}

// dollar handles the "$" at i, and returns what angle does.
func (w *pageReader) dollar(i, from int) (next, rest int) {
	s := w.s
	n := run(s[i:], '$')
	if n > 2 || len(w.d.Blocks) == 0 || i+n >= len(s) || w.budget <= 0 {
		return i + n, from
	}
	if n == 1 && (i > 0 && isWord(s[i-1]) || isSpace(s[i+1])) {
		return i + 1, from
	}
	text := s[i+n : min(len(s), i+n+maxMath)]
	for k := 0; k < len(text); k++ {
		switch text[k] {
		case '\\':
			k++
		case '`':
			if n == 1 { // code
				w.budget -= k
				return i + n, from
			}
		case '$':
			m := run(text[k:], '$')
			if m != n || n == 1 && (isSpace(text[k-1]) || k+1 < len(text) && isWord(text[k+1])) {
				w.budget -= k
				return i + n, from
			}
			w.flush(from, i)
			w.push(tok{kind: MathPiece, made: n == 2, span: span{int32(i + n), int32(i + n + k)}})
			return i + n + k + n, i + n + k + n
		}
	}
	w.budget -= len(text)
	return i + n, from
}
