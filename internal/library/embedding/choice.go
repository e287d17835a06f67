// Package embedding decides which model gives an index its vectors, makes them, and
// opens the model again for questions. Engines do the arithmetic.
package embedding

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/text/human"
)

// Which model an index is built with.
//
// An index keeps the model it has unless the user chooses another one. A new index
// gets the default. The base table in the program may change with the program; an
// index built with another table is rebuilt.

// The kinds of model.
const (
	None    = "none"
	Builtin = "builtin" // the table in the program, adapted to the corpus when that pays
	Base    = "base"    // the table as it ships
	Trained = "trained" // the table with rows from "docent train"
	Remote  = "openai"  // an endpoint that serves /v1/embeddings
)

// Kinds are the kinds that a user can choose by name.
var Kinds = []string{Builtin, Base, Remote, None}

// DeltaFile is the name of a trained model in its folder.
const DeltaFile = "docent.delta"

// A Choice is what the user said about the model. The zero value leaves it to the
// index.
type Choice struct {
	Kind     string                   // "" for nothing
	Dir      string                   // of a trained model
	Endpoint func() (Endpoint, error) // of a remote model; nil when none is set
	EmbedAll bool                     // an endpoint may be asked for all vectors of an index, which may cost money
}

// Choose checks what the user said: a kind, the folder of a trained model, an endpoint.
func Choose(kind, dir string, endpoint func() (Endpoint, error)) (Choice, error) {
	c := Choice{Kind: kind, Endpoint: endpoint}
	switch {
	case dir != "" && kind != "" && kind != Builtin:
		return c, fmt.Errorf("a trained model is one of docent's own: not with --embed %s", kind)
	case dir != "":
		var err error
		c.Kind = Trained
		c.Dir, err = filepath.Abs(dir)
		return c, err
	case kind == Remote && endpoint == nil:
		return c, errors.New("embed openai: no endpoint is set")
	case kind == "" || slices.Contains(Kinds, kind):
		return c, nil
	}
	return c, fmt.Errorf("no kind of model is called %q: there are %s", kind, strings.Join(Kinds, ", "))
}

// Accepts reports whether an index built with a model can be used.
func (c *Choice) Accepts(m Record) bool {
	ours := m.Kind == Builtin || m.Kind == Base || m.Kind == Trained
	if ours && m.Table != embed.Base().Fingerprint() {
		return false
	}
	switch c.Kind {
	case "":
		// With another model at the endpoint, or none, lexical search answers.
		return true
	case Trained:
		want, err := readDelta(c.Dir)
		return err == nil && m.Kind == Trained && m.Delta == want.Fingerprint()
	case Remote:
		r, err := c.Endpoint()
		return err == nil && m.Kind == Remote && m.Table == r.Fingerprint()
	}
	return m.Kind == c.Kind
}

// A Record is what an index records of the model it was built with.
type Record struct {
	Kind     string `json:"kind"`
	Table    string `json:"table,omitempty"` // fingerprint of the table, or of a remote model
	Delta    string `json:"delta,omitempty"` // fingerprint of trained rows
	Dir      string `json:"dir,omitempty"`   // and where they came from
	Deferred bool   `json:"later,omitempty"` // vectors are still missing
}

// Resolve decides on the model of an index that is about to be built. Last is what
// the index now in place was built with, the zero value when there is none. With
// deferred, no vectors of the built-in model are made, and the record says so. The same
// holds for an endpoint that is not there, or not the same, when no user has asked for its
// vectors now.
func (c *Choice) Resolve(last Record, deferred bool, note func(format string, args ...any)) (Record, *Maker, error) {
	kind, dir := c.Kind, c.Dir
	if kind == "" {
		kind = Builtin
		if last.Kind != "" {
			kind, dir = last.Kind, last.Dir
		}
	}
	e := &Maker{}
	m := Record{Kind: kind}
	switch kind {
	case None:
		return m, nil, nil
	case Base:
		t, err := NewTable(nil, Base, "")
		if err != nil {
			return m, nil, err
		}
		e.By = t
	case Trained:
		delta, err := readDelta(dir)
		if err != nil && c.Kind == "" {
			note("the model %s is not there any more: the built-in one takes its place", dir)
			m.Kind = Builtin
			break
		}
		if err != nil {
			return m, nil, err
		}
		t, err := NewTable(delta, Trained, dir)
		if err != nil {
			return m, nil, fmt.Errorf("model %s: was trained for another version of docent: train it again: %w", dir, err)
		}
		m.Delta, m.Dir, e.By, e.delta = delta.Fingerprint(), dir, t, delta.Bytes()
	case Remote:
		if c.Kind == "" && !c.EmbedAll && !c.serves(last.Table) {
			m.Table, m.Deferred = last.Table, true
			return m, nil, nil
		}
		if c.Endpoint == nil {
			note("the index was made with vectors of an endpoint that is not set any more: the built-in model takes its place")
			m.Kind = Builtin
			break
		}
		r, err := c.Endpoint()
		if err != nil {
			return m, nil, err
		}
		m.Table, e.By = r.Fingerprint(), c.newRemote(r, 0)
		return m, e, nil
	}
	m.Table = embed.Base().Fingerprint()
	e.Adapts = e.By == nil
	if deferred && m.Kind == Builtin {
		m.Deferred = true
		return m, nil, nil
	}
	return m, e, nil
}

// serves reports whether the endpoint that is set has the model of a fingerprint.
func (c *Choice) serves(fingerprint string) bool {
	if c.Endpoint == nil {
		return false
	}
	r, err := c.Endpoint()
	return err == nil && r.Fingerprint() == fingerprint
}

// readDelta reads a trained model from its folder.
func readDelta(dir string) (*embed.Delta, error) {
	raw, err := os.ReadFile(filepath.Join(dir, DeltaFile))
	if err != nil {
		return nil, fmt.Errorf("model %s: %w (docent train makes one)", dir, human.PathCause(err))
	}
	d, err := embed.OpenDelta(raw)
	if err == nil {
		err = d.Verify()
	}
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", dir, err)
	}
	return d, nil
}
