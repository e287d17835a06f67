package markdown

import "bytes"

// definitions takes the link reference definitions off the beginning of the open
// paragraph. It reports whether nothing else is there, and then closes it.
func (b *pageBuilder) definitions() bool {
	block := &b.blocks[b.last]
	s := b.text[:0]
	for _, l := range b.lines[block.from:block.to] {
		s = append(append(s, b.src[l.start:l.end]...), '\n')
	}
	b.text = s
	at := 0
	for at < len(s) {
		label, target, title, after := readDefinition(s, at, len(s))
		if after < 0 {
			break
		}
		key := appendLabelKey(b.label[:0], s[label.start:label.end])
		if len(key) == 0 {
			break
		}
		b.label = key
		if _, isNew := b.defs.add(key, len(b.refs)); isNew {
			b.refs = append(b.refs, pageRef{b.keep(s[target.start:target.end]), b.keep(s[title.start:title.end])})
		}
		at = after
	}
	block.from += int32(bytes.Count(s[:at], newline))
	if block.from < block.to {
		return false
	}
	block.kind = noPiece
	if n := len(b.open); n > 0 && b.open[n-1].block == block.parent {
		b.open[n-1].children--
	}
	b.leaf = noLeaf
	return true
}

// keep copies what a definition says.
func (b *pageBuilder) keep(s []byte) span {
	n := len(b.made)
	b.made = append(b.made, s...)
	return span{int32(n), int32(len(b.made))}
}

// alert makes an alert of a quote whose first line is "[!NOTE]" or the like.
func (b *pageBuilder) alert() {
	block := &b.blocks[b.last]
	if block.parent != b.last-1 || block.parent < 0 || b.blocks[block.parent].kind != QuotePiece {
		return
	}
	l := b.lines[block.from]
	line := bytes.TrimRight(b.src[l.start:l.end], " \t")
	n := 2
	for n < len(line) && isWord(line[n]) {
		n++
	}
	if n == 2 || n >= len(line) || line[1] != '!' || line[n] != ']' {
		return
	}
	kind, rest := line[2:n], line[n+1:]
	if len(rest) > 0 && (rest[0] == '+' || rest[0] == '-') { // Obsidian's, which folds
		rest = rest[1:]
	}
	if len(rest) > 0 && rest[0] != ' ' && rest[0] != '\t' {
		return
	}
	b.entitle(block.parent, kind, bytes.TrimLeft(rest, " \t"))
	if block.from++; block.from == block.to {
		block.kind = noPiece
	}
}
