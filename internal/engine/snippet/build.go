package snippet

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/intern"
)

// MaxNames is about how many names of one document are looked up: a name costs many times
// its bytes. In code beyond them names are found as words only.
const MaxNames = 50_000

// A Builder collects the blocks of one segment, file by file.
type Builder struct {
	blocks []Block
	langs  map[string]string // of blocks, each stored once
	files  []int             // number of blocks up to and including a file's own
	words  intern.Table
	hits   []hit // of all names, as they came
	from   []copied
}

// hit is an occurrence of a name, by its number: the block times 4, plus the kind.
type hit struct{ name, at uint32 }

func (b *Builder) hit(name string, block int, k Kind) {
	b.hits = append(b.hits, hit{b.words.Number(name), uint32(block)<<2 | uint32(k)})
}

// copied says where the blocks of another table are now, by
// their numbers there, from 1; 0 for those that were not copied.
type copied struct {
	r   *Reader
	now []int
}

// Add appends the blocks of the next file.
func (b *Builder) Add(blocks []Named) {
	for _, block := range blocks {
		for _, n := range block.Names {
			b.hit(n.Text, len(b.blocks), n.Kind)
		}
		b.add(block.Block)
	}
	b.files = append(b.files, len(b.blocks))
}

// add appends a block. Its language lies in its document, which would be kept with it.
func (b *Builder) add(block Block) {
	lang, ok := b.langs[block.Language]
	if !ok {
		if b.langs == nil {
			b.langs = map[string]string{}
		}
		lang = strings.Clone(block.Language)
		b.langs[lang] = lang
	}
	block.Language = lang
	b.blocks = append(b.blocks, block)
}

// Copy appends the blocks of file i of another table.
func (b *Builder) Copy(r *Reader, i int) error {
	at := slices.IndexFunc(b.from, func(c copied) bool { return c.r == r })
	if at < 0 {
		n, err := r.Len()
		if err != nil {
			return err
		}
		at = len(b.from)
		b.from = append(b.from, copied{r, make([]int, n)})
	}
	first, blocks, err := r.InFile(i)
	if err != nil {
		return err
	}
	now := b.from[at].now
	if first+len(blocks) > len(now) {
		return damaged(filesPart, i)
	}
	for k, block := range blocks {
		b.add(block)
		now[first+k] = len(b.blocks)
	}
	b.files = append(b.files, len(b.blocks))
	return nil
}

// names brings over the names of the blocks that were copied.
func (b *Builder) names() error {
	for _, c := range b.from {
		err := c.r.each(func(name string, hits []Hit) error {
			for _, h := range hits {
				if h.Block >= len(c.now) {
					return damaged(listsPart, h.Block)
				}
				if to := c.now[h.Block]; to > 0 {
					b.hit(name, to-1, h.Kind)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lists hold the occurrences of each name, by its number, in the order of the blocks.
func (b *Builder) lists() [][]uint32 {
	ends := make([]int, b.words.Len())
	for _, h := range b.hits {
		ends[h.name]++
	}
	all, lists := make([]uint32, len(b.hits)), make([][]uint32, len(ends))
	sum := 0
	for n, count := range ends {
		lists[n] = all[sum : sum : sum+count]
		sum += count
	}
	for _, h := range b.hits {
		lists[h.name] = append(lists[h.name], h.at)
	}
	if len(b.from) > 0 { // those of each table came by themselves
		for _, list := range lists {
			slices.Sort(list)
		}
	}
	return lists
}

// Parts calls fn with the name and the bytes of each table. Nothing can be added
// afterwards.
func (b *Builder) Parts(fn func(name string, data []byte)) error {
	if err := b.names(); err != nil {
		return err
	}
	var out [numParts][]byte
	langs := slices.Sorted(maps.Keys(b.langs))
	out[langsPart] = []byte(strings.Join(append(langs, ""), "\n"))
	block := 0
	for _, end := range b.files {
		last := Block{}
		for ; block < end; block++ {
			next := b.blocks[block]
			lang, _ := slices.BinarySearch(langs, next.Language)
			for _, v := range []int{
				next.Section - last.Section, lang, next.Span.Start - last.Span.End, next.Span.Len(),
				next.Lines.Start - last.Lines.End, next.Lines.Count(),
			} {
				out[codePart] = binary.AppendUvarint(out[codePart], uint64(max(v, 0)))
			}
			last = next
		}
		out[filesPart] = le.AppendUint32(out[filesPart], uint32(len(out[codePart])))
		out[filesPart] = le.AppendUint32(out[filesPart], uint32(end))
	}
	lists := b.lists()
	words := make([]uint32, len(lists))
	for n := range words {
		words[n] = uint32(n)
	}
	slices.SortFunc(words, func(x, y uint32) int { return bytes.Compare(b.words.Bytes(x), b.words.Bytes(y)) })
	for _, w := range words {
		last := uint32(0)
		for _, at := range lists[w] {
			out[listsPart] = binary.AppendUvarint(out[listsPart], uint64(at-last))
			last = at &^ 3
		}
		out[heapPart] = append(out[heapPart], b.words.Bytes(w)...)
		out[wordsPart] = le.AppendUint32(out[wordsPart], uint32(len(out[heapPart])))
		out[wordsPart] = le.AppendUint32(out[wordsPart], uint32(len(out[listsPart])))
	}
	for i, name := range partNames {
		fn(name, out[i])
	}
	return nil
}
