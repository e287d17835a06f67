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
	created string            // the last new file, which is the next to be renamed
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
		c.node, d.created = &inode{}, name
	case "rename":
		c.from = d.created
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

// cutPower runs through some steps and fails the power after each. It returns the first
// state that judge finds bad: one that is neither the old one nor the new one or, when it
// is over, not the new one. content is what a step's file will hold.
func cutPower(t *testing.T, before map[string][]byte, steps []string, content func(name string) []byte, judge func(dir string, over bool) error) (states int, bad error) {
	t.Helper()
	d := &disk{names: map[string]*inode{}}
	for name, b := range before {
		d.names[name] = &inode{b, true}
	}
	d.live = maps.Clone(d.names)
	dir := quickDir(t)
	for i, step := range steps {
		_, name, _ := strings.Cut(step, " ")
		d.do(step, content(name))
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
			if err := judge(dir, i == len(steps)-1); err != nil {
				bad = fmt.Errorf("after %q: %w", step, err)
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
		content := func(name string) []byte { return after[strings.TrimSuffix(name, tempSuffix)] }
		judge := func(dir string, over bool) error {
			got, err := openLedger(dir)
			if err == nil && got != n+1 && (over || got != n) {
				err = fmt.Errorf("the store has %d", got)
			}
			return err
		}
		states, err := cutPower(t, before, steps, content, judge)
		if err != nil {
			t.Errorf("from %d: %v", n, err)
		}
		tried += states
		for i, step := range steps {
			if !strings.HasPrefix(step, "sync") {
				continue
			}
			if _, err := cutPower(t, before, slices.Delete(slices.Clone(steps), i, i+1), content, judge); err == nil {
				t.Errorf("from %d: it works without %q too; either it is not needed or this test sees nothing", n, step)
			}
		}
	}
	cases.Tried(t, "R3", tried)
}

// The same of a single file, such as a pack, where there was none and where there was one.
func TestPowerFailureWhileAFileIsWritten(t *testing.T) {
	tried := 0
	for _, old := range []string{"", "old"} {
		dir := quickDir(t)
		file := filepath.Join(dir, "docs")
		parts := func(text string) []Part { return []Part{{Name: "text", Data: []byte(strings.Repeat(text, 10_000))}} }
		if old != "" {
			if err := WriteFile(file, parts(old)); err != nil {
				t.Fatal(err)
			}
		}
		before := contents(t, dir)
		var steps []string
		err := writeFile(file, parts("new"), func(op, name string) error {
			steps = append(steps, op+" "+name)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		after := contents(t, dir)
		judge := func(dir string, over bool) error {
			text, err := partOf(filepath.Join(dir, "docs"), "text")
			switch {
			case isMissing(err) && old == "" && !over:
				return nil
			case err != nil:
				return err
			case text != "new" && (over || text != "old" || old == ""):
				return fmt.Errorf("the file has %s", text)
			}
			return nil
		}
		content := func(string) []byte { return after["docs"] }
		states, err := cutPower(t, before, steps, content, judge)
		if err != nil {
			t.Errorf("from %q: %v", old, err)
		}
		tried += states
		for i, step := range steps {
			if !strings.HasPrefix(step, "sync") {
				continue
			}
			if _, err := cutPower(t, before, slices.Delete(slices.Clone(steps), i, i+1), content, judge); err == nil {
				t.Errorf("from %q: it works without %q too; either it is not needed or this test sees nothing", old, step)
			}
		}
	}
	cases.Tried(t, "R3", tried)
}

// partOf returns the first three bytes of a part, once all of the file was read.
func partOf(file, name string) (string, error) {
	f, err := Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if err := f.Verify(); err != nil {
		return "", err
	}
	part, ok := f.Part(name)
	if !ok {
		return "", fmt.Errorf("no part %s", name)
	}
	b, err := part.Bytes(0, 3)
	return string(b), err
}
