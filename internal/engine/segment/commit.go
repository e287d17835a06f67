package segment

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// A Commit says what the next generation of a store is.
type Commit struct {
	Keep []string // names of files of the present generation, in the order they shall have
	Add  [][]Part // new files, which come after those
	Meta []byte   // the caller's own; at most 1 MiB
}

// Commit makes c the newest generation. When it returns nil, that is on the
// disk. When it returns an error, the generation before it is what readers
// get, and nothing new is left in the folder; the one exception is an error of
// the very last step, flushing the folder, when readers already see the new
// generation and only a power failure can still undo it.
//
// Without Keep it does not matter what the folder had before: a damaged or
// foreign index is replaced.
//
// The order of steps is what makes it safe to kill at any moment: new files,
// flushed, under names never used before; the folder, flushed; a manifest that
// names them, flushed; its renaming, which is the one moment of change; the folder
// again; and only then the removal of what no longer counts.
func (w *Writer) Commit(c Commit) error {
	if err := w.commit(c); err != nil {
		return fmt.Errorf("commit index: %w", err)
	}
	return nil
}

func (w *Writer) commit(c Commit) (err error) {
	if !w.holds() {
		return w.lost()
	}
	next, err := w.next(c)
	if err != nil {
		return err
	}
	published := false
	var created []string
	defer func() {
		if err != nil && !published {
			for _, name := range created {
				_ = w.folder.root.Remove(name)
			}
		}
	}()
	for i, parts := range c.Add {
		e := entry{name: segmentName(next.generation, i)}
		err := w.folder.create(e.name, func(out io.Writer) (err error) {
			e.length, e.sum, err = write(out, parts)
			return err
		})
		if err != nil {
			return err
		}
		created = append(created, e.name)
		next.files = append(next.files, e)
	}
	if err := next.check(); err != nil {
		return err
	}
	if len(created) > 0 {
		if err := w.folder.sync(); err != nil {
			return err
		}
	}
	if published, err = w.publish(next); err != nil {
		return err
	}
	w.sweep(next)
	return nil
}

// next begins the manifest of the next generation with what is kept. Each kept
// file is opened: a manifest never names what is not there.
func (w *Writer) next(c Commit) (*manifest, error) {
	old, err := w.manifest()
	if err != nil {
		if len(c.Keep) > 0 {
			return nil, err
		}
		old = &manifest{}
	}
	next := &manifest{meta: c.Meta}
	for _, name := range c.Keep {
		e, ok := old.entry(name)
		if !ok {
			return nil, fmt.Errorf("keep %s: no file of the present generation", name)
		}
		f, err := openEntry(w.dir, e)
		if err != nil {
			return nil, fmt.Errorf("keep: %w", err)
		}
		_ = f.Close()
		next.files = append(next.files, e)
	}
	// Files count too, for the manifest may be damaged or gone.
	last := old.generation
	names, err := w.folder.names()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if g, ok := segmentGeneration(name); ok {
			last = max(last, g)
		}
	}
	next.generation = last + 1
	if next.generation >= maxGeneration {
		next.generation = 1 // only a hostile folder gets there
	}
	return next, nil
}

// publish puts the manifest in place. It reports whether readers see it, which
// they may also when there is an error.
func (w *Writer) publish(m *manifest) (published bool, err error) {
	const temp = manifestName + tempSuffix
	raw := m.encode()
	_ = w.folder.root.Remove(temp)
	err = w.folder.create(temp, func(out io.Writer) error {
		_, err := out.Write(raw)
		return err
	})
	if err != nil {
		return false, err
	}
	if !w.holds() {
		err = w.lost()
	} else {
		err = w.folder.rename(temp, manifestName)
	}
	if err != nil {
		_ = w.folder.root.Remove(temp)
		// Over a network a renaming can have happened and be reported as failed.
		if now, _ := w.folder.root.ReadFile(manifestName); !bytes.Equal(now, raw) {
			return false, err
		}
	}
	return true, w.folder.sync()
}

// sweep removes what m does not name. Readers that have it open keep it, where
// the system allows that; elsewhere it stays until the next sweep.
func (w *Writer) sweep(m *manifest) {
	names, err := w.folder.names()
	if err != nil {
		return
	}
	for _, name := range names {
		_, segment := segmentGeneration(name)
		switch base, temp := strings.CutSuffix(name, tempSuffix); {
		case segment && !m.has(name),
			name == scratchName,
			temp && strings.HasPrefix(base, "."+manifestName+"."), // went aside on Windows, see readManifest
			temp && (base == manifestName || base == ignoreName || base == cacheName):
			w.folder.remove(name)
		}
	}
}

func (w *Writer) manifest() (*manifest, error) {
	path := filepath.Join(w.dir, manifestName)
	raw, err := readManifest(path)
	if err != nil {
		return nil, err
	}
	return decodeManifest(path, raw)
}

func (w *Writer) lost() error {
	return fmt.Errorf("%s: the lock file was removed while we held it", w.dir)
}
