// Package snippet holds the code blocks of a corpus and the names in them, as
// tables that are read in place: which blocks declare or use a name is a
// look-up, not a search.
//
// # Format
//
// Offsets and counts are little-endian; "varint" is encoding/binary's unsigned
// one. Files have the numbers they have in the tables of files, blocks are
// numbered through all of them, and names are numbered in sorted order.
//
//	code         of each file its blocks, each as varints: section - section of the block before, language,
//	             first byte - end of the block before, bytes, first line - last line of the block before, lines
//	code.files   a file: end in code u32, number of blocks up to and including its own u32
//	code.langs   the languages in sorted order, each ended by a newline
//	code.words   a name: end in code.heap u32, end in code.lists u32
//	code.heap    the names' bytes
//	code.lists   of each name its blocks in order, each as a varint: (block - block before) << 2 | kind
//
// Which names a block has is not stored: who wants to know scans the block, which
// is in their hands by then. On MDN (37 MB, 25,000 blocks) that halves the
// tables, to 1.9 MB.
package snippet

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/docent-md/docent/doc"
)

// Kind says what a block does with a name.
type Kind uint8

// The kinds of name, the most telling first.
const (
	Declares Kind = iota // the block declares it
	Sets                 // it is a key of a configuration
	Uses                 // it occurs in the block
)

func (k Kind) String() string { return [...]string{"declares", "sets", "uses", "?"}[k&3] }

// A Block is one code block.
type Block struct {
	Section  int    // in its file
	Language string // "" when it has none
	Span     doc.Span
	Lines    doc.Lines
}

// A Name is a name in a block.
type Name struct {
	Text string
	Kind Kind
}

// A Named is a block with the names in it, each once.
type Named struct {
	Block
	Names []Name
}

// A Hit is a block that has a name.
type Hit struct {
	Block int
	Kind  Kind
}

// ErrFormat is what reading returns, wrapped, for tables that do not fit together.
var ErrFormat = errors.New("code tables do not fit together")

func damaged(part, number int) error {
	return fmt.Errorf("%w: %s %d", ErrFormat, partNames[part], number)
}

const (
	codePart = iota
	filesPart
	langsPart
	wordsPart
	heapPart
	listsPart
	numParts
)

var partNames = [numParts]string{"code", "code.files", "code.langs", "code.words", "code.heap", "code.lists"}

// pairSize is the size of a row of code.files and code.words.
const pairSize = 8

var le = binary.LittleEndian
