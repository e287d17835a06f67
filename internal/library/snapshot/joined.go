package snapshot

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/text/human"
)

// OwnName is what people read for the project's own documents, which have no name.
const OwnName = "this project"

// Join makes one view of several, so that a word weighs what it weighs in all of them
// together and scores can be compared. Hits carry the names of their indexes. Left are
// the names of indexes that could not be opened.
func Join(names []string, views []*View, left []string) (*View, error) {
	j := &View{Corpus: corpus.Default(), homes: views, joined: true, Origin: joinedOrigin{names: names, left: left, homes: views}}
	j.embedder = func() (embedding.Embedder, error) { return nil, errJoined }
	for i, v := range views {
		j.files += v.files
		for _, s := range v.Segments {
			j.Segments = append(j.Segments, s.in(names[i]))
		}
	}
	return j, join(j, nil)
}

// joinedOrigin is the Origin of a joined view, whose documents are read through the
// views they belong to.
type joinedOrigin struct {
	Unchanging
	names []string // of the indexes; "" for the project's own documents
	left  []string // names of those that could not be opened
	homes []*View
}

var errJoined = errors.New("a joined view has no documents of its own")

func (joinedOrigin) Text(File) ([]byte, error)        { return nil, errJoined }
func (joinedOrigin) SettledText(File) ([]byte, error) { return nil, errJoined }

// Freshness names the indexes, and says what was not compared or left out.
func (o joinedOrigin) Freshness(files int, _ time.Time) string {
	notes := map[string]bool{}
	for _, home := range o.homes {
		if f, ok := home.Origin.(*Folder); ok {
			if state := f.State(); state.Note != "" || state.Checked.IsZero() {
				notes[home.Freshness()] = true
			}
		}
	}
	var names []string
	for _, n := range o.names {
		if n != "" {
			names = append(names, n)
		}
	}
	if len(names) < len(o.names) {
		names = append(names, OwnName)
	}
	what := fmt.Sprintf("%s in %s", human.Plural(files, "file"), strings.Join(names, ", "))
	if len(o.left) > 0 {
		what += "; left out, for it cannot be opened: " + strings.Join(o.left, ", ")
	}
	if len(notes) > 0 {
		what += "; " + strings.Join(slices.Sorted(maps.Keys(notes)), "; ")
	}
	return what
}
