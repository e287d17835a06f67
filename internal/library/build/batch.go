package build

import (
	"bufio"
	"context"
	"encoding/gob"
	"io"
	"os"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/source/crawl"
	"github.com/docent-md/docent/internal/text/chunk"
)

// What a build holds in memory grows with its documents, by about three times their size. So
// documents beyond a batch make a segment of their own, and segments that are done wait
// on disk for their vectors, which can be made when all documents have been read.
// Where a batch ends depends on the documents alone.

// maxBatch is the most that documents of one segment cost: their bytes, and for each
// fileCost more.
const (
	maxBatch = 48 << 20
	fileCost = 1 << 10
)

// A batch is a segment that waits in a scratch file.
type batch struct {
	parts []segment.Part
	texts *io.SectionReader // to be embedded, as gob; nil when there are none
}

// All makes the segments of everything a source holds, each of the files that follow
// those of the one before in the order of paths. With a nil scratch it makes one;
// otherwise the parts lie there.
func All(ctx context.Context, s *corpus.Files, p chunk.Policy, e *embedding.Maker, scratch *os.File, progress func(corpus.Progress)) ([][]segment.Part, []answer.Skip, error) {
	a := &assembly{file: scratch, limit: maxBatch, new: func() *builder { return newBuilder(p, e, 0) }, embed: e}
	return a.all(ctx, s, progress)
}

func (a *assembly) all(ctx context.Context, s *corpus.Files, progress func(corpus.Progress)) ([][]segment.Part, []answer.Skip, error) {
	a.b = a.new()
	skipped, err := s.Walk(ctx, func(f crawl.File) error {
		if err := a.add(f); err != nil || progress == nil {
			return err
		}
		progress(corpus.Progress{Files: a.b.first + a.b.files, Bytes: a.bytes + a.b.bytes})
		return nil
	})
	switch {
	case err != nil:
		a.b.abandon()
		return nil, nil, err
	case a.b.files == 0:
		a.b.abandon()
		return nil, skipped, answer.ErrNoDocuments
	case len(a.batches) == 0:
		parts, err := a.b.finish(ctx)
		return [][]segment.Part{parts}, skipped, err
	}
	out, err := a.finish(ctx)
	return out, skipped, err
}

// An assembly makes batches.
type assembly struct {
	limit   int64 // of what the documents of a batch cost
	new     func() *builder
	b       *builder // of the batch in the making
	embed   *embedding.Maker
	batches []batch
	bytes   int64 // of the documents in them
	section int   // and their sections
	file    *os.File
	end     int64 // of what is in the file
}

func (a *assembly) add(f crawl.File) error {
	if cost := a.b.bytes + f.Size + int64(a.b.files+1)*fileCost; a.file != nil && a.b.files > 0 && cost > a.limit {
		if err := a.endBatch(); err != nil {
			return err
		}
	}
	return a.b.add(f)
}

// endBatch puts the batch in the making into the file, and begins another.
func (a *assembly) endBatch() error {
	b := a.b
	b.abandon()
	if err := b.failed.Load(); err != nil {
		return *err
	}
	parts, err := b.parts()
	if err != nil {
		return err
	}
	done := batch{parts: parts}
	if a.embed != nil {
		if done.texts, err = a.keepTexts(b.texts); err != nil {
			return err
		}
	}
	if err := a.keep(done.parts); err != nil {
		return err
	}
	a.batches = append(a.batches, done)
	a.bytes += b.bytes
	a.section += b.sections
	a.b = a.new()
	a.b.first = b.first + b.files
	return nil
}

// finish gives the batches their vectors.
func (a *assembly) finish(ctx context.Context) ([][]segment.Part, error) {
	if err := a.endBatch(); err != nil {
		return nil, err
	}
	a.b.abandon()
	var out [][]segment.Part
	for _, b := range a.batches {
		if b.texts != nil {
			texts, err := readTexts(b.texts)
			if err != nil {
				return nil, err
			}
			vectors, err := a.embed.Parts(ctx, texts, a.section)
			if err != nil {
				return nil, err
			}
			if err := a.keep(vectors); err != nil {
				return nil, err
			}
			b.parts = append(b.parts, vectors...)
		}
		out = append(out, b.parts)
	}
	return out, nil
}

// Write appends to the file.
func (a *assembly) Write(p []byte) (int, error) {
	n, err := a.file.WriteAt(p, a.end)
	a.end += int64(n)
	return n, err
}

// keep moves the bytes of parts to the file.
func (a *assembly) keep(parts []segment.Part) error {
	for i := range parts {
		p := &parts[i]
		from, size := a.end, int64(len(p.Data))
		if _, err := a.Write(p.Data); err != nil {
			return err
		}
		p.Data = nil
		p.Stream = func(w io.Writer) error {
			// In few writes, as if it came from memory: see segment.Part.Scanned.
			_, err := io.CopyBuffer(w, io.NewSectionReader(a.file, from, size), make([]byte, 2<<20))
			return err
		}
	}
	return nil
}

// textsAtOnce is how many texts are encoded together.
const textsAtOnce = 1 << 10

func (a *assembly) keepTexts(texts []embedding.Text) (*io.SectionReader, error) {
	from := a.end
	buf := bufio.NewWriterSize(a, 1<<20)
	enc := gob.NewEncoder(buf)
	for len(texts) > 0 {
		n := min(len(texts), textsAtOnce)
		if err := enc.Encode(texts[:n]); err != nil {
			return nil, err
		}
		texts = texts[n:]
	}
	err := buf.Flush()
	return io.NewSectionReader(a.file, from, a.end-from), err
}

func readTexts(r io.Reader) ([]embedding.Text, error) {
	dec := gob.NewDecoder(bufio.NewReaderSize(r, 1<<20))
	var out []embedding.Text
	for {
		var some []embedding.Text
		switch err := dec.Decode(&some); err {
		case nil:
			out = append(out, some...)
		case io.EOF:
			return out, nil
		default:
			return nil, err
		}
	}
}
