package docent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/docent-md/docent/internal/engine/segment"
)

// OpenWith is Open with options.
func OpenWith(ctx context.Context, path string, o Options) (*Library, error) {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		lib, err := openPack(path)
		if err == nil {
			lib.corpus.assist(o)
		}
		return lib, err
	}
	c, err := findCorpus(path)
	if err != nil {
		return nil, err
	}
	c.assist(o)
	if err := c.choose(o); err != nil {
		return nil, err
	}
	return c.openFresh(ctx, o)
}

// openFresh opens the index and, unless told otherwise, brings it up to date.
func (c *corpus) openFresh(ctx context.Context, o Options) (*Library, error) {
	lib, err := c.load(ctx, o)
	if err != nil || o.NoRefresh || !lib.fresh().checked.IsZero() {
		return lib, err
	}
	if lib.fileCount() > smallCorpus && !lib.lacks(o) && lib.meta.Policy.equal(c.policy()) {
		if at, ok := c.lastCheck(); ok && time.Since(at) < checkEvery {
			lib.setFresh(freshness{checked: at, earlier: true})
			return lib, nil
		}
	}
	next, err := lib.Refresh(ctx, o)
	if err != nil || next != lib {
		_ = lib.Close()
	}
	if Damaged(err) && ctx.Err() == nil {
		o.note("the index is damaged and is made anew: %v", err)
		return c.makeOrHold(ctx, o, false)
	}
	return next, err
}

// load opens the index as it is, or makes it where there is none that can be
// used.
func (c *corpus) load(ctx context.Context, o Options) (*Library, error) {
	if c.store == "" {
		o.note("there is no cache folder (set XDG_CACHE_HOME or HOME, or run docent init): the index is made in memory")
		return c.makeInMemory(ctx, o)
	}
	lib, err := c.openStore()
	if err == nil {
		return lib, nil
	}
	switch {
	case unwritable(err):
		return c.hold(ctx, err, o) // it is not ours to read, let alone to write
	case !unusable(err):
		return nil, err
	case !errors.Is(err, fs.ErrNotExist):
		o.note("the index cannot be used and is made anew: %v", err)
	}
	return c.makeOrHold(ctx, o, true)
}

// makeOrHold is make, and makes the index in memory where it cannot be written.
func (c *corpus) makeOrHold(ctx context.Context, o Options, shared bool) (*Library, error) {
	lib, err := c.make(ctx, o, shared)
	if err != nil && ctx.Err() == nil && unwritable(err) {
		return c.hold(ctx, err, o)
	}
	return lib, err
}

// hold makes the index in memory, and says why.
func (c *corpus) hold(ctx context.Context, why error, o Options) (*Library, error) {
	o.note("the index cannot be kept and is made in memory: %v", why)
	return c.makeInMemory(ctx, o)
}

// unwritable reports whether there is no place for an index where it should lie. An
// answer that is slow is then better than none.
func unwritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOTDIR) ||
		errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// openStore opens the newest generation, without looking at the files.
func (c *corpus) openStore() (*Library, error) {
	snap, err := segment.OpenStore(c.store)
	if err != nil {
		return nil, err
	}
	lib, err := c.open(snap)
	if err != nil {
		_ = snap.Close()
		return nil, err
	}
	if lib.source, err = c.openSource(); err != nil {
		_ = snap.Close()
		return nil, err
	}
	return lib, nil
}

// make builds the whole index. With shared, an index that another program made
// while we waited for the lock will do.
func (c *corpus) make(ctx context.Context, o Options, shared bool) (*Library, error) {
	w, err := segment.Lock(ctx, c.store)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	if shared {
		if lib, err := c.openStore(); err == nil {
			return lib, nil
		}
	}
	parts, m, err := c.buildBase(ctx, o)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	if err := w.Commit(segment.Commit{Add: [][]segment.Part{parts}, Meta: raw}); err != nil {
		return nil, err
	}
	lib, err := c.openStore()
	if err != nil {
		return nil, err
	}
	lib.setFresh(freshness{checked: m.Built})
	c.setLastCheck(m.Built)
	return lib, nil
}

func (c *corpus) buildBase(ctx context.Context, o Options) ([]segment.Part, meta, error) {
	src, err := c.openSource()
	if err != nil {
		return nil, meta{}, err
	}
	defer src.close()
	p, err := c.chunkPolicy()
	if err != nil {
		return nil, meta{}, err
	}
	m := meta{Policy: c.policy(), Dir: c.dir, Built: time.Now(), Updated: time.Now()}
	var e *embedding
	if m.Model, e, err = c.settle(o); err != nil {
		return nil, m, err
	}
	parts, skipped, err := buildAll(ctx, src, p, e, o.Progress)
	if errors.Is(err, ErrNoDocuments) {
		err = noDocuments([]string{c.dir}, Report{Skipped: skipped})
	}
	if err != nil {
		return nil, m, err
	}
	m.setSkipped(skipped)
	return parts, m, nil
}

// makeInMemory serves where nothing can be written.
func (c *corpus) makeInMemory(ctx context.Context, o Options) (*Library, error) {
	parts, m, err := c.buildBase(ctx, o)
	if err != nil {
		return nil, err
	}
	lib, err := c.fromParts(parts, m)
	if err != nil {
		return nil, err
	}
	lib.source, err = c.openSource()
	lib.setFresh(freshness{checked: m.Built})
	return lib, err
}

// fromParts opens an index that lives in memory.
func (c *corpus) fromParts(parts []segment.Part, m meta) (*Library, error) {
	var blob bytes.Buffer
	if _, err := segment.Write(&blob, parts); err != nil {
		return nil, err
	}
	f, err := segment.FromBytes(blob.Bytes())
	if err != nil {
		return nil, err
	}
	s, err := openSeg(f)
	if err != nil {
		return nil, err
	}
	lib := &Library{corpus: c, meta: m, segs: []*seg{s}}
	return lib, lib.prepare()
}

// OpenDir opens the documents below dir with the index in a folder of the
// caller's choosing.
func OpenDir(ctx context.Context, dir, index string, o Options) (*Library, error) {
	c, err := findCorpus(dir)
	if err != nil {
		return nil, err
	}
	c.store = index
	c.assist(o)
	if err := c.choose(o); err != nil {
		return nil, err
	}
	return c.openFresh(ctx, o)
}
