// Package backend holds the types that the backends share: what they store, and what
// they are asked for. A backend returns candidates and does not rank them.
package backend

// A File is one document with the chunks it was cut into.
type File struct {
	Path     string
	Name     string // its title
	Origin   string // the path it was found below, so that files deleted there are noticed
	Hash     string // of its content
	Bytes    int64
	Tokens   int
	Lines    int
	Sections int    // of the document
	Rows     int    // how many chunks it has, when it is listed without them
	Text     []byte // the document, packed; nil where only chunks are known
	Chunks   []Chunk
	Parents  []Section // that chunks name as the section above them, and that are no chunks themselves
}

// A Chunk is one row of a database.
type Chunk struct {
	Section
	File    string
	Content string
	Words   Words
	Data    []byte    // what ranking needs, in a format of the caller
	Vector  []float32 // nil for none
	Refs    []Reference
}

// A Section is what is known of a chunk, or of a section, without its text.
type Section struct {
	ID     string // a Ref
	Parent string // the Ref of the section above; "" at the top
	Title  string
	Path   string // the breadcrumb, as one text
	Lines  [2]int
}

// Words are what a chunk is found by. They have no spaces, quotes or capitals.
type Words struct {
	Title, Headings, Body []string
	Terms                 []string // as they are written
	Lengths               [3]int
}

// A Reference is a link in a chunk.
type Reference struct {
	From    string // the chunk it is in
	To      string // the section it leads to; "" for none
	Text    string
	Summary string // of that section
	Title   string // of the chunk, when it is listed
}

// A Query says which chunks may answer: those with any of the words in Any, one
// word of each group in Must, and none of those in Not, of one of some files. The
// K likeliest are wanted.
type Query struct {
	Any   []Word
	Must  [][]Word
	Not   []string
	Files []string // nil for all
	K     int
}

// A Word is one word of a Query.
type Word struct {
	Text  string
	Title bool     // only titles count
	Terms []string // chunks with these are preferred
}

// Stats are the totals of a database.
type Stats struct {
	Files, Sections, Chunks int
	Lengths                 [3]uint64 // sums over all chunks
}
