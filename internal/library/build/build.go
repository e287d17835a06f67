// Package build turns documents into the parts of a segment.
package build

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
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/source/crawl"
	"github.com/docent-md/docent/internal/text/chunk"
	"github.com/docent-md/docent/internal/text/markdown"
)

// A builder turns files into the parts of a segment, several files at a time. The
// result does not depend on how many workers there are: files are numbered as
// they come, texts are ordered by number, and pages enter the tables by number.
type builder struct {
	policy chunk.Policy
	embed  *embedding.Maker // nil gives chunks no vectors
	known  *doctable.Reader // of an index that lacks vectors only; else nil

	todo    chan numbered
	wait    sync.WaitGroup
	index   index.Builder
	pages   pages
	first   int // how many files earlier builders had
	files   int
	bytes   int64
	failed  atomic.Pointer[error]
	workers int

	tables   *Tables          // of the pages so far
	texts    []embedding.Text // of their chunks, when they are to be embedded
	sections int
}

type numbered struct {
	number int
	file   crawl.File
}

// pages hands finished pages, whose texts are already indexed, to append in the order
// of their numbers, whichever is finished first.
type pages struct {
	append func(Page) error

	mu       sync.Mutex
	advanced sync.Cond
	ready    map[int]Page
	next     int  // the number to be appended next
	busy     bool // a goroutine is appending pages
	ended    bool // no page is appended any more
}

// maxAhead is how many pages may wait for one before them. They hold on to their
// documents meanwhile.
const maxAhead = 32

func (p *pages) put(n int, pg Page) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for n > p.next+maxAhead && !p.ended {
		p.advanced.Wait()
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
		err := p.append(pg)
		p.mu.Lock()
		if err != nil {
			return err
		}
		p.next++
		p.advanced.Broadcast()
	}
}

// end wakes all who wait.
func (p *pages) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.advanced.Broadcast()
}

// maxTexts is how many texts a file can have in the keys of the index builder.
const maxTexts = 1 << 32

// newBuilder starts the workers. finish or abandon must be called.
func newBuilder(p chunk.Policy, e *embedding.Maker, workers int) *builder {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	b := &builder{policy: p, embed: e, todo: make(chan numbered, 2*workers), workers: workers, tables: NewTables()}
	b.pages.append, b.pages.ready = b.appendPage, map[int]Page{}
	b.pages.advanced.L = &b.pages.mu
	for todo := b.todo; workers > 0; workers-- {
		w := worker{index: b.index.Writer(), bags: e.Encoder()}
		b.wait.Go(func() {
			for n := range todo {
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
	bags  *embed.Encoder // nil when whole texts are needed, or none are embedded
}

// shrink reduces texts that are to be embedded to bags of words.
func (w worker) shrink(texts []embedding.Text) {
	if w.bags == nil {
		return
	}
	for i, t := range texts {
		texts[i] = embedding.Text{Bag: w.bags.Bag(t.Titles, t.Body)}
	}
}

func (b *builder) page(w worker, n numbered) error {
	if b.failed.Load() != nil {
		return nil
	}
	if b.known != nil {
		pg, err := b.reembed(n)
		if err != nil {
			return err
		}
		w.shrink(pg.embed)
		return b.pages.put(n.number, pg)
	}
	pg := newPage(n.file, time.Now(), b.policy, b.embed != nil)
	if b.embed != nil && b.embed.Adapts {
		b.embed.Sample.Add(b.first+n.number, n.file.Path, pg.sample())
	}
	pg.doc = doc.Document{}
	w.shrink(pg.embed)
	w.index.Begin()
	for i, t := range pg.texts {
		if err := w.index.Add(uint64(n.number)*maxTexts+uint64(i), t); err != nil {
			return err
		}
	}
	if w.index.Overflows() {
		pg.File.Beyond |= doctable.BeyondWords
	}
	pg.texts = nil
	return b.pages.put(n.number, pg)
}

// appendPage puts the next page into the tables.
func (b *builder) appendPage(pg Page) error {
	b.sections += len(pg.Sections)
	b.texts = append(b.texts, pg.embed...)
	if b.known != nil {
		return nil
	}
	return b.tables.Add(pg)
}

// reembed returns the page of an indexed document with no more than its vectors need.
// The document must be the one that is indexed under its number.
func (b *builder) reembed(n numbered) (Page, error) {
	was, err := doctable.File{}, error(nil)
	if n.number < b.known.Files() {
		was, err = b.known.File(n.number)
	}
	if err != nil || was.Path != n.file.Path || was.Hash != snapshot.ContentHash(n.file.Data) {
		return Page{}, errors.Join(fmt.Errorf("%w: %s", ErrNotAsIndexed, n.file.Path), err)
	}
	pg := Page{doc: markdown.Parse(n.file.Path, n.file.Data)}
	chunks := corpus.Split(&pg.doc, b.policy)
	if len(chunks) != was.Chunks {
		return Page{}, fmt.Errorf("%w: %s", ErrNotAsIndexed, n.file.Path)
	}
	t := Texter{D: &pg.doc}
	for _, c := range chunks {
		pg.embed = append(pg.embed, embedding.Text{Titles: c.Path, Body: t.Text(c).Body})
	}
	pg.Sections = make([]doctable.Section, len(pg.doc.Sections))
	if b.embed.Adapts {
		b.embed.Sample.Add(n.number, n.file.Path, pg.sample())
	}
	pg.doc = doc.Document{}
	return pg, nil
}

// add queues the next file, in the order of paths.
func (b *builder) add(f crawl.File) error {
	if err := b.failed.Load(); err != nil {
		return *err
	}
	b.todo <- numbered{b.files, f}
	b.files++
	b.bytes += f.Size
	return nil
}

// abandon stops the workers, unless they have been.
func (b *builder) abandon() {
	if b.todo != nil {
		close(b.todo)
		b.todo = nil
	}
	b.wait.Wait()
}

// finish returns the parts of the segment.
func (b *builder) finish(ctx context.Context) ([]segment.Part, error) {
	b.abandon()
	if err := b.failed.Load(); err != nil {
		return nil, *err
	}
	vectors, err := b.vectors(ctx)
	if err != nil {
		return nil, err
	}
	parts, err := b.parts()
	return append(parts, vectors...), err
}

// parts returns the parts other than vectors, once the workers have stopped.
func (b *builder) parts() ([]segment.Part, error) {
	return b.tables.Parts(func() ([]index.Part, error) { return b.index.Finish(b.workers) })
}

// vectors embeds the chunks of all pages, and lets go of their texts.
func (b *builder) vectors(ctx context.Context) ([]segment.Part, error) {
	if b.embed == nil {
		return nil, nil
	}
	texts := b.texts
	b.texts = nil
	return b.embed.Parts(ctx, texts, b.sections)
}

// Files makes a segment of some files.
func Files(ctx context.Context, files []crawl.File, p chunk.Policy, e *embedding.Maker) ([]segment.Part, error) {
	workers := 0
	if len(files) < 8 {
		workers = 1
	}
	b := newBuilder(p, e, workers)
	for _, f := range files {
		if err := b.add(f); err != nil {
			b.abandon()
			return nil, err
		}
	}
	return b.finish(ctx)
}

// ErrNotAsIndexed is why vectors cannot be added to a segment: a document is not what
// it was when it was indexed.
var ErrNotAsIndexed = errors.New("documents have changed since")

// Vectors reads the documents of a segment again and embeds their chunks.
func Vectors(
	ctx context.Context, src *corpus.Files, p chunk.Policy, e *embedding.Maker, table *doctable.Reader, progress func(corpus.Progress),
) ([]segment.Part, error) {
	b := newBuilder(p, e, 0)
	b.known = table
	_, err := src.Walk(ctx, func(f crawl.File) error {
		err := b.add(f)
		if progress != nil {
			progress(corpus.Progress{Files: b.files, Bytes: b.bytes})
		}
		return err
	})
	b.abandon()
	if failed := b.failed.Load(); err == nil && failed != nil {
		err = *failed
	}
	if err == nil && b.files != table.Files() {
		err = fmt.Errorf("%w: there are %d of %d", ErrNotAsIndexed, b.files, table.Files())
	}
	if err != nil {
		return nil, err
	}
	return b.vectors(ctx)
}
