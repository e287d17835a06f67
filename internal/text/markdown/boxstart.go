package markdown

import (
	"bytes"

	"github.com/docent-md/docent/doc"
)

// maxDepth is how deep containers may nest; a marker beyond it is text. A list
// counts two, itself and its item. The deepest of 47,000 real files reaches 20.
const maxDepth = 200

// boxStart looks for a container and opens it.
func (p *blockStarter) boxStart(c byte, matched int, inPara bool) bool {
	if matched > maxDepth-2 {
		return false
	}
	switch c {
	case '>':
		p.closeTo(matched)
		p.closeList()
		p.push(container{kind: quoteBox, block: p.addBlock(doc.Quote)})
		p.quoteMarker()
		p.alertStart()
		return true
	case ':':
		return p.colonStart(matched)
	case '!', '?', '=':
		return p.admonitionStart(matched)
	}
	return p.itemStart(matched, inPara)
}

// itemStart looks for a list item.
func (p *blockStarter) itemStart(matched int, inPara bool) bool {
	width, marker := listMarker(p.content(), inPara)
	if width == 0 {
		return false
	}
	indent := p.indent()
	p.closeTo(matched)
	if n := len(p.open); n == 0 || p.open[n-1].kind != listBox || p.open[n-1].marker != marker {
		p.closeList()
		p.push(container{kind: listBox, marker: marker, block: p.addBlock(doc.List)})
	}
	p.push(container{kind: itemBox, block: p.addBlock(doc.Item)})
	item := &p.open[len(p.open)-1]
	item.empty = true
	item.offset = indent + p.passMarker(width)
	return true
}

// quoteMarker consumes ">" and the space after it. The marker is overwritten in
// our copy of the file, so that the text of a paragraph in a quote can be read
// as if the quote were not there, at the same offsets.
func (p *blockStarter) quoteMarker() {
	if !p.own {
		p.src, p.own = bytes.Clone(p.src), true
	}
	p.src[p.ns] = ' '
	p.passQuote()
}

// alertStart makes an admonition of the quote just opened when its first line
// is "[!KIND]". The line belongs to the admonition itself.
func (p *blockStarter) alertStart() {
	p.look()
	kind := alertKind(p.content())
	if kind == nil {
		return
	}
	b := &p.blocks[p.open[len(p.open)-1].block]
	b.kind = doc.Admonition
	b.info = p.lowered(kind)
	p.seek(p.end, p.nsCol)
}

// admonitionStart looks for a MkDocs admonition or tab.
func (p *blockStarter) admonitionStart(matched int) bool {
	kind, _, ok := mkdocsLine(p.content())
	if !ok {
		return false
	}
	p.closeTo(matched)
	p.closeList()
	p.push(container{kind: indentBox, offset: p.indent() + 4, block: p.addBlock(doc.Admonition)})
	p.blocks[len(p.blocks)-1].info = p.lowered(kind)
	p.seek(p.end, p.nsCol)
	return true
}

// colonStart opens a ":::" container.
func (p *blockStarter) colonStart(matched int) bool {
	line := p.content()
	n := run(line, ':')
	if n < 3 {
		return false
	}
	closing := p.colons.closing(&p.cursor)
	if closing == 0 {
		return false
	}
	p.closeTo(matched)
	p.closeList()
	i := p.addBlock(doc.Admonition)
	p.blocks[i].info = p.lowered(colonKind(line[n:]))
	p.push(container{kind: colonBox, close: closing, block: i})
	p.seek(p.end, p.nsCol)
	return true
}
