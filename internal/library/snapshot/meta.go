package snapshot

import (
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
)

// Meta is what the manifest of an index says about it.
type Meta struct {
	Policy  corpus.Recipe    `json:"policy"`
	Model   embedding.Record `json:"model"`
	Dir     string           `json:"dir"`              // the documents'
	Built   time.Time        `json:"built"`            // when the base was made
	Updated time.Time        `json:"updated"`          // when anything was last added
	Boot    string           `json:"boot,omitempty"`   // names the system's last start when all files were last compared
	Merged  int              `json:"merged,omitempty"` // changed files that were merged into the base since it was built
	Base    int              `json:"base,omitempty"`   // segments of the base, in the order of paths; 0 means 1
	Dead    [][]int          `json:"dead,omitempty"`
	Skipped []answer.Skip    `json:"skipped,omitempty"` // the first of them
	Skips   int              `json:"skips,omitempty"`   // how many there are
}

// Bases returns how many segments the base has. The others are newer.
func (m *Meta) Bases() int { return max(m.Base, 1) }

// MaxSkips and maxSkipBytes limit the skipped files that an index lists by name: a
// manifest has 1 MiB for metadata, in which JSON may write a byte as six.
const (
	MaxSkips     = 1000
	maxSkipBytes = 128 << 10
)

func (m *Meta) SetSkipped(s []answer.Skip) {
	m.Skips = len(s)
	room := maxSkipBytes
	n := 0
	for n < min(len(s), MaxSkips) {
		if room -= len(s[n].Path) + len(s[n].Reason) + len(s[n].Detail); room < 0 {
			break
		}
		n++
	}
	m.Skipped = s[:n]
}
