package docent

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/source/crawl"
	"github.com/docent-md/docent/internal/text/chunk"
	"github.com/docent-md/docent/internal/text/markdown"
)

// A build turns files into the parts of a segment, several files at a time. The
// result does not depend on how many workers there are: files are numbered as
// they come, texts are ordered by number, and pages enter the tables by number.
type build struct {
	policy   chunk.Policy
	embed    *embedding       // nil gives chunks no vectors
	known    *doctable.Reader // of an index that lacks vectors only; else nil
	progress func(Progress)

	todo    chan numbered
	wait    sync.WaitGroup
	index   index.Builder
	pages   pages
	files   int
	bytes   int64
	failed  atomic.Pointer[error]
	workers int

	tables   *tables     // of the pages so far
	texts    []embedText // of their chunks, when they are to be embedded
	sections int
}

type numbered struct {
	number int
	file   crawl.File
}

// pages takes the finished pages, whose texts are already indexed, in the order of
// their numbers, whichever is finished first.
type pages struct {
	take func(page) error

	mu    sync.Mutex
	moved sync.Cond
	ready map[int]page
	next  int  // the number to be taken next
	busy  bool // somebody is taking pages
	ended bool // no page is taken any more
}

// maxAhead is how many pages may wait for one before them. They hold on to their
// documents meanwhile.
const maxAhead = 32

func (p *pages) put(n int, pg page) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for n > p.next+maxAhead && !p.ended {
		p.moved.Wait()
	}
	p.ready[n] = pg
	if p.busy || p.ended {
		return nil
	}
	p.busy = true
	defer func() { p.busy = false }()
	for {
		pg, ok := p.ready[p.next]
		if !ok {
			return nil
		}
		delete(p.ready, p.next)
		p.mu.Unlock()
		err := p.take(pg)
		p.mu.Lock()
		if err != nil {
			return err
		}
		p.next++
		p.moved.Broadcast()
	}
}

// end lets go of whoever waits.
func (p *pages) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.moved.Broadcast()
}

// maxTexts is how many texts a file can have in the keys of the index builder.
const maxTexts = 1 << 32

// newBuild starts the workers. finish or abandon must be called.
func newBuild(p chunk.Policy, e *embedding, workers int, progress func(Progress)) *build {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	b := &build{policy: p, embed: e, progress: progress, todo: make(chan numbered, 2*workers), workers: workers, tables: newTables()}
	b.pages.take, b.pages.ready = b.take, map[int]page{}
	b.pages.moved.L = &b.pages.mu
	for range workers {
		w := worker{index: b.index.Writer(), bags: e.encoder()}
		b.wait.Go(func() {
			for n := range b.todo {
				if err := b.page(w, n); err != nil {
					b.failed.CompareAndSwap(nil, &err)
					b.pages.end()
				}
			}
		})
	}
	return b
}

// A worker is what one goroutine of a build has to itself.
type worker struct {
	index *index.Writer
	bags  *embed.Encoder // nil when texts are kept as they are, or not embedded
}

// shrink leaves of texts that are to be embedded their words only.
func (w worker) shrink(texts []embedText) {
	if w.bags == nil {
		return
	}
	for i, t := range texts {
		texts[i] = embedText{bag: w.bags.Bag(t.titles, t.body)}
	}
}

func (b *build) page(w worker, n numbered) error {
	if b.failed.Load() != nil {
		return nil
	}
	if b.known != nil {
		pg, err := b.again(n)
		if err != nil {
			return err
		}
		w.shrink(pg.embed)
		return b.pages.put(n.number, pg)
	}
	pg := newPage(n.file, time.Now(), b.policy, b.embed != nil)
	if b.embed != nil && b.embed.by == nil {
		b.embed.sample.add(n.number, n.file.Path, pg.mined())
	}
	pg.doc = doc.Document{}
	w.shrink(pg.embed)
	for i, t := range pg.texts {
		if err := w.index.Add(uint64(n.number)*maxTexts+uint64(i), t); err != nil {
			return err
		}
	}
	pg.texts = nil
	return b.pages.put(n.number, pg)
}

// take puts the next page into the tables.
func (b *build) take(pg page) error {
	b.sections += len(pg.sections)
	b.texts = append(b.texts, pg.embed...)
	if b.known != nil {
		return nil
	}
	return b.tables.add(pg)
}

// again takes of a document what its vectors are made of. It must be the one that
// is indexed under its number.
func (b *build) again(n numbered) (page, error) {
	was, err := doctable.File{}, error(nil)
	if n.number < b.known.Files() {
		was, err = b.known.File(n.number)
	}
	if err != nil || was.Path != n.file.Path || was.Hash != contentHash(n.file.Data) {
		return page{}, errors.Join(fmt.Errorf("%w: %s", errNotAsIndexed, n.file.Path), err)
	}
	pg := page{doc: markdown.Parse(n.file.Path, n.file.Data)}
	chunks := split(&pg.doc, b.policy)
	if len(chunks) != was.Chunks {
		return page{}, fmt.Errorf("%w: %s", errNotAsIndexed, n.file.Path)
	}
	t := texter{d: &pg.doc}
	for _, c := range chunks {
		pg.embed = append(pg.embed, embedText{titles: c.Path, body: t.text(c).Body})
	}
	pg.sections = make([]doctable.Section, len(pg.doc.Sections))
	if b.embed.by == nil {
		b.embed.sample.add(n.number, n.file.Path, pg.mined())
	}
	pg.doc = doc.Document{}
	return pg, nil
}

// add takes the next file, in the order of paths.
func (b *build) add(f crawl.File) error {
	if err := b.failed.Load(); err != nil {
		return *err
	}
	b.todo <- numbered{b.files, f}
	b.files++
	b.bytes += f.Size
	if b.progress != nil {
		b.progress(Progress{Files: b.files, Bytes: b.bytes})
	}
	return nil
}

// abandon stops the workers.
func (b *build) abandon() {
	close(b.todo)
	b.wait.Wait()
}

// finish returns the parts of the segment.
func (b *build) finish(ctx context.Context) ([]segment.Part, error) {
	b.abandon()
	if err := b.failed.Load(); err != nil {
		return nil, *err
	}
	vectors, err := b.vectors(ctx)
	if err != nil {
		return nil, err
	}
	parts, err := b.tables.parts(func() ([]index.Part, error) { return b.index.Finish(b.workers) })
	return append(parts, vectors...), err
}

// vectors embeds the chunks of all pages, and lets go of their texts.
func (b *build) vectors(ctx context.Context) ([]segment.Part, error) {
	if b.embed == nil {
		return nil, nil
	}
	texts := b.texts
	b.texts = nil
	return b.embed.parts(ctx, texts, b.sections)
}

// buildAll makes a segment of everything a source holds.
func buildAll(ctx context.Context, s *source, p chunk.Policy, e *embedding, progress func(Progress)) ([]segment.Part, []Skip, error) {
	b := newBuild(p, e, 0, progress)
	skipped, err := s.walk(ctx, b.add)
	if err != nil {
		b.abandon()
		return nil, nil, err
	}
	if b.files == 0 {
		b.abandon()
		return nil, skipped, ErrNoDocuments
	}
	parts, err := b.finish(ctx)
	return parts, skipped, err
}

// buildFiles makes a segment of some files.
func buildFiles(ctx context.Context, files []crawl.File, p chunk.Policy, e *embedding) ([]segment.Part, error) {
	workers := 0
	if len(files) < 8 {
		workers = 1
	}
	b := newBuild(p, e, workers, nil)
	for _, f := range files {
		if err := b.add(f); err != nil {
			b.abandon()
			return nil, err
		}
	}
	return b.finish(ctx)
}
