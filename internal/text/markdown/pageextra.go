package markdown

import (
	"bytes"
	"strings"
)

// What documentation is written in beyond CommonMark and GitHub's additions: footnotes,
// terms with their definitions, and boxes that fold.

// noteStart opens a footnote, "[^label]: words". What is indented by four is part of it.
func (b *pageStarter) noteStart(matched int) bool {
	line := b.content()
	label := noteLabel(line)
	if label == nil || len(b.d.Blocks) == 0 || len(label)+4 > len(line) || line[len(label)+3] != ':' || matched > maxPageDepth-2 {
		return false
	}
	indent := b.indent()
	b.closeTo(matched)
	b.closeList()
	block := b.addBlock(NotePiece)
	b.blocks[block].info = b.within(label)
	if b.notes == nil {
		b.notes = map[string]bool{}
	}
	b.notes[string(label)] = true
	b.push(pageBox{kind: NotePiece, block: block, offset: indent + 4})
	b.passMarker(len(label) + 4)
	return true
}

// noteLabel returns the label of the mark of a footnote that s begins with, or nil.
func noteLabel(s []byte) []byte {
	if len(s) < 4 || s[0] != '[' || s[1] != '^' {
		return nil
	}
	for n := 2; n < len(s) && n < 100; n++ {
		switch s[n] {
		case ']':
			if n == 2 {
				return nil
			}
			return s[2:n]
		case '[', ' ', '\t', '\n', '^', '`':
			return nil
		}
	}
	return nil
}

// noteMark returns the label of the mark of a known footnote at i, and where the text
// goes on.
func (w *pageReader) noteMark(i int) (label span, after int) {
	if w.notes == nil {
		return span{}, 0
	}
	name := noteLabel(w.s[i:])
	if name == nil || !w.notes[string(name)] {
		return span{}, 0
	}
	at := i + 2
	return span{int32(at), int32(at + len(name))}, at + len(name) + 1
}

// definitionStart opens a definition, ": words", of the paragraph above it, which is then
// a term, or a further one of the same term.
func (b *pageStarter) definitionStart(matched int, inPara bool) bool {
	line := b.content()
	if len(line) < 3 || line[1] != ' ' && line[1] != '\t' || matched > maxPageDepth-3 || len(b.d.Blocks) == 0 {
		return false
	}
	further := matched > 0 && b.open[matched-1].kind == TermsPiece
	if !further && !(inPara && b.leaf == paraLeaf && matched == len(b.open) && b.makeTerm()) {
		return false
	}
	indent := b.indent()
	if further {
		b.closeTo(matched)
	}
	block := b.addBlock(DefinitionPiece)
	b.push(pageBox{kind: DefinitionPiece, block: block, offset: indent + b.passMarker(1)})
	return true
}

// makeTerm makes a term of the open paragraph, in a container of its own.
func (b *pageStarter) makeTerm() bool {
	para := b.blocks[b.last]
	if int(b.last) != len(b.blocks)-1 || b.src[b.lines[para.from].start] == '[' && b.definitions() {
		return false
	}
	para = b.blocks[b.last]
	list := para
	list.kind, list.to = TermsPiece, list.from
	b.blocks[b.last] = list
	b.push(pageBox{kind: TermsPiece, block: b.last, children: 1})
	para.kind, para.parent = TermPiece, b.last
	b.blocks = append(b.blocks, para)
	b.leaf, b.last = noLeaf, b.last+1
	return true
}

// defining notes that the open paragraph, which begins an item with ": ", is a definition
// as MDN writes them: an item of a list in the item of a term.
func (b *pageStack) defining(para *pageBlock) {
	l := b.lines[para.from]
	if len(b.d.Blocks) == 0 || para.parent < 0 || para.parent != b.last-1 || b.blocks[para.parent].kind != ItemPiece || int(l.end-l.start) < 3 || b.src[l.start+1] != ' ' {
		return
	}
	list := &b.blocks[b.blocks[para.parent].parent]
	list.level = 1
	if up := list.parent; up >= 0 && b.blocks[up].kind == ItemPiece {
		b.blocks[b.blocks[up].parent].level = 1
	}
}

// foldOf tells from the line that opens a box whether it folds.
func foldOf(line, kind []byte) Fold {
	switch {
	case bytes.HasPrefix(line, []byte("???+")):
		return Unfolded
	case bytes.HasPrefix(line, []byte("???")):
		return Folded
	}
	switch strings.ToLower(string(kind[:min(len(kind), 20)])) {
	case "details", "expand", "collapse":
		return Folded
	}
	return NoFold
}

// alertFold tells from the first line of an alert whether it folds, as Obsidian has it.
func alertFold(line, kind []byte) Fold {
	switch rest := line[len(kind)+3:]; {
	case len(rest) > 0 && rest[0] == '-':
		return Folded
	case len(rest) > 0 && rest[0] == '+':
		return Unfolded
	}
	return NoFold
}

// objectStart takes "::: a.b.c" and the settings that are indented below it: mkdocstrings
// puts the documentation of an object of a program there.
func (b *pageStarter) objectStart(matched int, inPara bool) bool {
	line := bytes.TrimRight(b.content(), " \t")
	name, ok := bytes.CutPrefix(line, []byte("::: "))
	if !ok || inPara || len(b.d.Blocks) == 0 || !isObject(bytes.Trim(name, " ")) || b.dialects.at(b.start) != nil {
		return false
	}
	end := b.next
	for end < len(b.src) {
		rest, after := b.src[end:], len(b.src)
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			rest, after = rest[:n], end+n+1
		}
		if !bytes.HasPrefix(rest, []byte("    ")) && len(bytes.TrimSpace(rest)) > 0 {
			break
		}
		end = after
	}
	b.openLeaf(componentLeaf, ComponentPiece, matched)
	b.hidden = end
	b.addLine(b.ns)
	if b.next >= end {
		b.leaf = noLeaf
	}
	return true
}
