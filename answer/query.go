package answer

import "fmt"

// CheckOptions narrow a check. The zero value looks for everything everywhere.
type CheckOptions struct {
	Only string // kinds of problem, with commas between them
	File string // only problems in files whose path matches this glob

	Paths []string // only problems in these files, and those below these folders; nil means all
}

// CodeQuery says which code blocks are wanted.
type CodeQuery struct {
	Text     string // a symbol, or words; "" for all
	Language string // "" means any
	File     string // only files whose path matches this glob
	Limit    int    // most blocks; 0 means 5, to explain 3, of a list 20
	Budget   int    // most tokens of the whole answer; 0 means no limit
	Around   bool   // of a symbol: each block with the text of its section around it
}

// A FileQuery is a question about files.
type FileQuery struct {
	Text    string   // words of paths and titles, or what the files are about; "" lists all
	Prefix  string   // without words: only files whose paths begin with this
	Limit   int      // most files; 0 means no limit
	Where   []string // conditions on front matter that files must meet, such as "status=draft"
	Changed bool     // say of each when it was last changed: its last commit, else its time
}

// MaxExpand is the most links that a search follows one after another.
const MaxExpand = 3

// GrepOptions say how a pattern is meant and what is returned. The zero value
// is an expression in which case does not matter.
type GrepOptions struct {
	Glob          string   // only files whose path matches
	Paths         []string // only these files, and those below these folders; nil means all
	Where         []string // only files that meet these conditions: status=draft, date>2025-01
	CaseSensitive bool
	Word          bool // only whole words
	Fixed         bool // the pattern is plain text
	Before, After int  // lines of context
	PerFile       int  // most matches of a file; 0 means no limit
	Limit         int  // most matches; 0 means MaxMatches, less than 0 no limit
	CountOnly     bool // every matching line is counted, none is returned; Limit does not apply
}

// The ways to search.
const (
	Lexical  = "lexical"  // by words: BM25F
	Hybrid   = "hybrid"   // by both
	Semantic = "semantic" // by similarity of embeddings
)

// Who puts the best candidates in order after the ranking.
const (
	RerankLocal  = "local"  // the model in the program
	RerankClaude = "claude" // it, and then the assistant
	RerankOff    = "off"
)

// The ways to fuse the two rankings of a hybrid search.
const (
	WeightedFusion   = "weighted" // weighted sum of scores, the lexical one weighing more
	ReciprocalFusion = "rrf"      // reciprocal ranks, equally
)

func (q *Query) CheckMode() error {
	switch q.Mode {
	case "", Lexical, Hybrid, Semantic:
	default:
		return fmt.Errorf("no way to search is called %q: there are %s, %s, %s", q.Mode, Hybrid, Lexical, Semantic)
	}
	switch q.Rerank {
	case "", RerankLocal, RerankClaude, RerankOff:
	default:
		return fmt.Errorf("no reranker is called %q: there are %s, %s, %s", q.Rerank, RerankLocal, RerankClaude, RerankOff)
	}
	if q.RerankMS < 0 {
		return fmt.Errorf("%d ms for the reranker: must be at least 1", q.RerankMS)
	}
	switch q.Fusion {
	case "", WeightedFusion, ReciprocalFusion:
		return nil
	}
	return fmt.Errorf("no fusion is called %q: there are %s, %s", q.Fusion, WeightedFusion, ReciprocalFusion)
}

// PackOptions tune packing. The zero value is a good default.
type PackOptions struct {
	Vectors bool // include the vectors: a pack is about a quarter larger, and semantic search works
	Force   bool // overwrite a file that is not a pack
}

// ReadOptions say which part of a place is read. The zero value reads all of it,
// up to MaxLines lines.
type ReadOptions struct {
	Offset int  // first line of the file to return, from 1; 0 means the place's first
	Limit  int  // most lines; 0 means MaxLines
	Budget int  // most tokens; 0 means no limit
	Plain  bool // without line numbers
}

// SectionOptions say what is returned with a section. The zero value gives the section
// alone.
type SectionOptions struct {
	Around bool // also its parent, siblings and children, and the links from and to it
}

// A Query is a search request. Any string is a valid query.
type Query struct {
	Text    string
	Limit   int      // most hits; 0 means 3, with a budget 10, or as many as it holds with Full
	File    string   // only files whose path matches this glob
	Where   []string // only files that meet these conditions: status=draft, date>2025-01
	Budget  int      // most tokens of the whole answer; 0 means no limit
	Full    bool     // show the text of every hit, as far as the budget goes; else of those that are likely to answer
	Explain bool     // show the arithmetic
	Leads   bool     // the hits will be shown without their text

	Exact bool // only texts with the question word for word, or with its quoted phrases

	Changed    bool   // say when each file was last changed
	References bool   // show what each hit refers to
	Expand     int    // add sections up to this many links away from a hit
	Rerank     string // RerankLocal, RerankClaude or RerankOff; "" lets the model in the program rank questions
	RerankMS   int    // most milliseconds for the model in the program; 0 means 5,000

	Mode   string // Lexical, Hybrid or Semantic; "" means Hybrid where there are vectors
	Fusion string // WeightedFusion or ReciprocalFusion; "" means what suits the model
}

// MaxLimit is the most hits a query can ask for.
const MaxLimit = 50

// Most returns how many hits are asked for at most.
func (q *Query) Most() int {
	switch {
	case q.Limit > 0:
		return q.Limit
	case q.Rerank == RerankClaude:
		return 5
	case q.Budget > 0 && q.Full:
		return MaxLimit
	case q.Budget > 0:
		return 10
	}
	return 3
}

func CheckExpand(n int) error {
	if n < 0 || n > MaxExpand {
		return fmt.Errorf("expand is %d: must lie between 0 and %d", n, MaxExpand)
	}
	return nil
}
