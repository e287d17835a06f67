package answer

import (
	"fmt"
	"time"

	"github.com/docent-md/docent/internal/text/human"
)

// An IndexReport sums up what indexing did.
type IndexReport struct {
	Files     int     `json:"files"`
	Chunks    int     `json:"chunks"`
	IndexSize int64   `json:"index_size"`
	Seconds   float64 `json:"seconds"`
	Refreshed int     `json:"refreshed"` // files that were new, changed or gone; all of them in a full run
	Full      bool    `json:"full"`
	Skips     int     `json:"skips"`
	Skipped   []Skip  `json:"skipped"`

	// Markdown files in folders that are left out by name, such as vendor; in a full run.
	LeftOut []SkipCount `json:"left_out,omitempty"`
}

// SetLeftOut says which Markdown files rules or the config leave out.
func (r *IndexReport) SetLeftOut(files []Skip) {
	for _, c := range countSkips(files) {
		if _, ok := c.folder(); ok {
			r.LeftOut = append(r.LeftOut, c)
		}
	}
}

// Text gives the report in a sentence.
func (r *IndexReport) Text() string {
	what := "up to date"
	switch {
	case r.Full:
		what = "made"
	case r.Refreshed > 0:
		what = human.Plural(r.Refreshed, "file") + " refreshed"
	}
	text := fmt.Sprintf("index %s: %s, %s, %s, %.2f s", what, human.Plural(r.Files, "file"), human.Plural(r.Chunks, "chunk"), human.ByteSize(r.IndexSize), r.Seconds)
	if r.Skips > 0 {
		text += fmt.Sprintf("; %s skipped (docent status lists them)", human.Plural(r.Skips, "file"))
	}
	if len(r.LeftOut) > 0 {
		text += fmt.Sprintf("; left out: %s (docent status --verbose)", reasonText(r.LeftOut))
	}
	return text
}

// A PackReport sums up what packing did.
type PackReport struct {
	File  string  `json:"file"`
	Files int     `json:"files"`
	Raw   int64   `json:"raw"`   // bytes of the documents
	Size  int64   `json:"size"`  // bytes of the pack
	Ratio float64 `json:"ratio"` // of the two

	Vectors int64 `json:"vectors,omitempty"` // bytes of the vectors in it
}

// A StoreReport sums up what was written to a database.
type StoreReport struct {
	Database string  `json:"database"`
	Files    int     `json:"files"` // in it now
	Chunks   int     `json:"chunks"`
	Written  int     `json:"written"` // documents that were new or had changed
	Kept     int     `json:"kept"`    // that were unchanged
	Removed  int     `json:"removed"` // that are not there any more
	Size     int64   `json:"size"`
	Model    string  `json:"model"`
	Seconds  float64 `json:"seconds"`
	Skips    int     `json:"skips"`
	Skipped  []Skip  `json:"skipped"`
}

// Text gives the report in a sentence.
func (r *StoreReport) Text() string {
	what := "up to date"
	if r.Written+r.Removed > 0 {
		what = human.Plural(r.Written, "file") + " written"
		if r.Kept > 0 {
			what += ", " + human.Commas(r.Kept) + " there already"
		}
		if r.Removed > 0 {
			what += ", " + human.Commas(r.Removed) + " removed"
		}
	}
	text := fmt.Sprintf("%s: %s; it holds %s, %s", r.Database, what, human.Plural(r.Files, "file"), human.Plural(r.Chunks, "chunk"))
	if r.Size > 0 {
		text += ", " + human.ByteSize(r.Size)
	}
	text += fmt.Sprintf(", %.2f s", r.Seconds)
	if r.Skips > 0 {
		text += fmt.Sprintf("; %s skipped", human.Plural(r.Skips, "file"))
	}
	return text
}

// A SummaryPlan is what summarising would take.
type SummaryPlan struct {
	Sections int     `json:"sections"` // that links lead to
	Known    int     `json:"known"`    // of those, summarised before
	Tokens   int     `json:"tokens"`   // of the others
	USD      float64 `json:"usd"`      // likely price
	Priced   bool    `json:"priced"`   // whether the price is known
	Model    string  `json:"model"`
}

// A SummaryReport says what was done.
type SummaryReport struct {
	SummaryPlan
	Written int    `json:"written"`
	Failed  int    `json:"failed"`
	Error   string `json:"error,omitempty"` // the first
}

// GenerateOptions tune Generate. The zero value is a good default.
type GenerateOptions struct {
	PerChunk  int                     // questions a chunk; 0 means 1
	Limit     int                     // most chunks, evenly from all; 0 means all
	Negatives int                     // chunks of the same parent that come with each; 0 means 3
	Batch     int                     // from how many chunks on the cheaper Batches API is used; 0 means 1,000
	Poll      time.Duration           // how often a batch is asked for; 0 means every 30 s
	Agree     func(GeneratePlan) bool // told what it will cost before anything is asked
	Progress  func(done, total int)   // may be nil
	Note      func(string, ...any)    // may be nil
}

// A GeneratePlan is what generating would take.
type GeneratePlan struct {
	Chunks int     `json:"chunks"`
	Done   int     `json:"done"` // of those, in the file already
	Tokens int     `json:"tokens"`
	USD    float64 `json:"usd"`
	Priced bool    `json:"priced"`
	Batch  bool    `json:"batch"`
	Model  string  `json:"model"`
}

// A GenerateReport says what was written.
type GenerateReport struct {
	GeneratePlan
	Written int    `json:"written"` // triplets
	Failed  int    `json:"failed"`  // chunks
	Error   string `json:"error,omitempty"`
}
