package answer

import (
	"slices"
	"time"
)

// A NamedIndex is an index with a name.
type NamedIndex struct {
	Name        string    `json:"name"`
	Description string    `json:"description"`
	Root        string    `json:"root"`              // the folder; relative to the project where it is in it
	Windows     bool      `json:"windows,omitempty"` // cut into overlapping windows of 64 to 320 tokens
	Ignore      []string  `json:"ignore,omitempty"`
	Files       int       `json:"files"`
	Chunks      int       `json:"chunks"`
	Model       string    `json:"model"`
	Updated     time.Time `json:"updated"`
	Centroid    []float32 `json:"centroid,omitempty"`
	Freshness   string    `json:"freshness,omitempty"` // what an inspection found; never stored
}

// Same reports whether n has the same root, options and build time as before.
func (n *NamedIndex) Same(before *NamedIndex) bool {
	return n.Name == before.Name && n.Root == before.Root && n.Windows == before.Windows &&
		slices.Equal(n.Ignore, before.Ignore) && n.Updated.Equal(before.Updated)
}
