package segment

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/gates/cases"
)

// disk is a model of the least that a file system must do. Until a file is
// flushed, a power failure may leave any of several things in it. Until the folder
// is flushed, each change of a name since the last time may have happened or not,
// whatever their order.
type disk struct {
	names   map[string]*inode // durable
	pending []change          // not yet
	live    map[string]*inode // what programs see
}

type inode struct {
	data    []byte
	flushed bool
}

// change gives a name to a file, or takes it away when node is nil.
type change struct {
	name, from string // from, when set, loses its name in the same moment
	node       *inode
}

func (c change) apply(names map[string]*inode) {
	if c.node == nil {
		delete(names, c.name)
		return
	}
	delete(names, c.from)
	names[c.name] = c.node
}

// do applies a step of a commit; content is what the step's file will hold.
func (d *disk) do(step string, content []byte) {
	op, name, _ := strings.Cut(step, " ")
	c := change{name: name}
	switch op {
	case "create":
		c.node = &inode{}
	case "rename":
		c.from = name + tempSuffix
		c.node = d.live[c.from]
	case "remove":
	case "write":
		d.live[name].data = content
		return
	case "sync":
		if name != "." {
			d.live[name].flushed = true
			return
		}
		for _, c := range d.pending {
			c.apply(d.names)
		}
		d.pending = nil
		return
	}
	c.apply(d.live)
	d.pending = append(d.pending, c)
}

// failures calls f with every folder that a power failure can leave now.
func (d *disk) failures(f func(map[string][]byte)) {
	for subset := range 1 << len(d.pending) {
		names := maps.Clone(d.names)
		for i, c := range d.pending {
			if subset&(1<<i) != 0 {
				c.apply(names)
			}
		}
		for _, left := range []func([]byte) []byte{
			func(b []byte) []byte { return b },
			func([]byte) []byte { return nil },
			func(b []byte) []byte { return b[:len(b)/2] },
			func(b []byte) []byte { return make([]byte, len(b)) },
		} {
			files := map[string][]byte{}
			for name, node := range names {
				if files[name] = node.data; !node.flushed {
					files[name] = left(node.data)
				}
			}
			f(files)
		}
	}
}

// cutPower runs through the steps of a commit that leads from n to n+1 and fails
// the power after each. It returns the first state that is neither of the two, or,
// when the commit is over, not the new one.
func cutPower(t *testing.T, before, after map[string][]byte, steps []string, n int) (states int, bad error) {
	t.Helper()
	d := &disk{names: map[string]*inode{}}
	for name, b := range before {
		d.names[name] = &inode{b, true}
	}
	d.live = maps.Clone(d.names)
	dir := quickDir(t)
	for i, step := range steps {
		_, name, _ := strings.Cut(step, " ")
		d.do(step, after[strings.TrimSuffix(name, tempSuffix)])
		d.failures(func(files map[string][]byte) {
			if bad != nil {
				return
			}
			states++
			for _, name := range list(t, dir) {
				os.Remove(filepath.Join(dir, name))
			}
			for name, b := range files {
				if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got, err := openLedger(dir)
			over := i == len(steps)-1
			if err != nil || got != n+1 && (over || got != n) {
				bad = fmt.Errorf("after %q: %d, %v", step, got, err)
			}
		})
	}
	return states, bad
}

func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, name := range list(t, dir) {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = b
	}
	return files
}

// The power fails at any moment of a commit, on the least obliging of file
// systems: the store is the old one or the new one. And none of the flushes can be
// spared: leave one out, and there is a moment in which the store is lost.
func TestPowerFailure(t *testing.T) {
	tried := 0
	for n := range ledgerDeltas + 3 {
		dir := quickDir(t)
		mustAdvance(t, dir, n)
		before := contents(t, dir)
		var steps []string
		err := advance(t.Context(), dir, func(op, name string) error {
			steps = append(steps, op+" "+name)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		after := contents(t, dir)
		states, err := cutPower(t, before, after, steps, n)
		if err != nil {
			t.Errorf("from %d: %v", n, err)
		}
		tried += states
		for i, step := range steps {
			if !strings.HasPrefix(step, "sync") {
				continue
			}
			if _, err := cutPower(t, before, after, slices.Delete(slices.Clone(steps), i, i+1), n); err == nil {
				t.Errorf("from %d: it works without %q too; either it is not needed or this test sees nothing", n, step)
			}
		}
	}
	cases.Tried(t, "R3", tried)
}
