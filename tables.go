package docent

import (
	"errors"
	"fmt"
	"sync"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/blob"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/snippet"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/symbol"
)

// tables collect what a segment holds beside its postings.
type tables struct {
	cat   *doctable.Builder
	links *graph.Builder
	code  snippet.Builder
}

func newTables() *tables {
	return &tables{cat: doctable.NewBuilder(), links: graph.NewBuilder()}
}

// add appends the next file.
func (t *tables) add(pg page) error {
	t.code.Add(pg.code)
	return errors.Join(t.cat.Add(pg.file, pg.sections, pg.chunks), t.links.Add(pg.links))
}

// copy appends a file of another segment.
func (t *tables) copy(s *seg, row int) error {
	links, err := s.links()
	if err != nil {
		return err
	}
	code, err := s.code()
	if err != nil {
		return err
	}
	return errors.Join(t.cat.Copy(s.cat, row, nil), t.links.Copy(links, row), t.code.Copy(code, row))
}

// parts puts the tables and the postings of a segment together. The postings are
// made meanwhile.
func (t *tables) parts(postings func() ([]index.Part, error)) ([]segment.Part, error) {
	var made []index.Part
	var failed error
	var wait sync.WaitGroup
	wait.Go(func() { made, failed = postings() })
	var parts []segment.Part
	add := func(name string, data []byte) {
		parts = append(parts, segment.Part{Name: name, Data: data})
	}
	t.cat.Parts(add)
	t.links.Parts(add)
	err := t.code.Parts(add)
	wait.Wait()
	for _, p := range made {
		add(p.Name, p.Data)
	}
	return parts, errors.Join(err, failed)
}

// newSeg opens the tables of a segment. Those of links and code, and the vectors,
// are opened when they are first asked for: most searches never do.
func newSeg(find func(name string) (blob.Blob, bool)) (*seg, error) {
	part := func(name string) (blob.Blob, error) {
		b, ok := find(name)
		if !ok {
			return nil, fmt.Errorf("%w: there is no part %q", segment.ErrDamaged, name)
		}
		return b, nil
	}
	s := &seg{
		meaning: sync.OnceValues(func() (*meaning, error) { return openMeaning(find) }),
		links: sync.OnceValues(func() (*graph.Reader, error) {
			return graph.Open(func(name string) (blob.Blob, error) { return part(name) })
		}),
		code: sync.OnceValues(func() (*snippet.Reader, error) {
			return snippet.Open(func(name string) (blob.Blob, error) { return part(name) })
		}),
	}
	var err error
	if s.cat, err = doctable.Open(func(name string) (blob.Blob, error) { return part(name) }); err != nil {
		return nil, err
	}
	s.idx, err = index.Open(func(name string) (blob.Blob, error) { return part(name) })
	return s, err
}

// codeBlocks are the code blocks of a document with the names in them. Dotted
// names are kept by their parts: a.b is looked for where both a and b stand.
func codeBlocks(d *doc.Document) []snippet.Named {
	var out []snippet.Named
	var scan symbol.Scanner
	have := map[string]bool{}
	section := 0
	for _, b := range d.Blocks {
		if b.Kind != doc.Fence {
			continue
		}
		for section+1 < len(d.Sections) && d.Sections[section+1].Span.Start <= b.Span.Start {
			section++
		}
		lang := symbol.Language(b.Info)
		block := snippet.Named{Block: snippet.Block{Section: section, Language: lang, Span: b.Span, Lines: b.Lines}}
		clear(have)
		names := scan.Scan(lang, markdown.Code(d, &b))
		block.Names = make([]snippet.Name, 0, len(names.Declared)+len(names.Keys)+len(names.Used))
		for kind, list := range [][]string{names.Declared, names.Keys, names.Used} {
			for _, n := range list {
				if kind == int(snippet.Uses) && isDotted(n) {
					continue
				}
				if have[n] = true; len(have) > len(block.Names) { // not seen before
					block.Names = append(block.Names, snippet.Name{Text: n, Kind: snippet.Kind(kind)})
				}
			}
		}
		out = append(out, block)
	}
	return out
}

// isDotted reports whether a name has several parts: a.b, a::b, A\B.
func isDotted(name string) bool {
	for i := range len(name) {
		if c := name[i]; c == '.' || c == ':' || c == '\\' {
			return true
		}
	}
	return false
}
