package docent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/internal/blob"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/texts"
	"github.com/docent-md/docent/internal/source/config"
)

// packPart describes a packed file. It is what tells a pack from a segment.
const packPart = "pack"

// packedSections are the rows of all sections in a pack, squeezed in blocks: they are
// a tenth of it otherwise, and a question looks at a few. Packs made before had them
// as an index has.
const packedSections = "sections.z"

// packInfo is what a pack says of itself. It names no time and no machine, so
// that the same documents give the same bytes.
type packInfo struct {
	Name   string       `json:"name"`
	Policy policy       `json:"policy"`
	Boost  config.Boost `json:"boost"`
}

// A PackReport sums up what packing did.
type PackReport struct {
	File  string  `json:"file"`
	Files int     `json:"files"`
	Raw   int64   `json:"raw"`   // bytes of the documents
	Size  int64   `json:"size"`  // bytes of the pack
	Ratio float64 `json:"ratio"` // of the two
}

// PackOptions tune packing. The zero value is a good default.
type PackOptions struct {
	Vectors bool // keep the vectors: a pack is about a quarter larger, and searched by meaning too
}

// Pack writes the library to one file, text and index together, which Open,
// FromBlob and every command read with no source tree.
func (l *Library) Pack(ctx context.Context, file string, o PackOptions) (*PackReport, error) {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return nil, fmt.Errorf("pack %s: is a folder: name the file to write", file)
	}
	parts, err := mergeSegs(l.segs, l.deadRows())
	if err != nil {
		return nil, err
	}
	if !o.Vectors {
		parts = slices.DeleteFunc(parts, func(p segment.Part) bool { return isMeaning(p.Name) })
	}
	merged, err := segOf(parts)
	if err != nil {
		return nil, err
	}
	cat := doctable.NewBuilder()
	text, err := texts.NewBuilder()
	if err != nil {
		return nil, err
	}
	report := &PackReport{File: file, Files: merged.cat.Files()}
	var stale []string
	for row := range merged.cat.Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := merged.cat.File(row)
		if err != nil {
			return nil, err
		}
		data, err := l.text(known{path: f.Path, file: f})
		if errors.Is(err, ErrStale) {
			stale = append(stale, f.Path)
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := cat.Copy(merged.cat, row, func(f *doctable.File) { f.ModTime = 0 }); err != nil {
			return nil, err
		}
		text.Add(data)
		report.Raw += int64(len(data))
	}
	if len(stale) > 0 {
		return nil, &StaleError{stale}
	}
	info, err := json.Marshal(packInfo{Name: filepath.Base(l.corpus.dir), Policy: l.corpus.policy(), Boost: l.corpus.config.Boost})
	if err != nil {
		return nil, err
	}
	if parts, err = packParts(info, cat, text, parts); err != nil {
		return nil, err
	}
	if err := segment.WriteFile(file, parts); err != nil {
		return nil, fmt.Errorf("pack %s: %w", file, pathCause(err))
	}
	if st, err := os.Stat(file); err == nil {
		report.Size = st.Size()
	}
	report.Ratio = float64(report.Size) / float64(max(report.Raw, 1))
	return report, nil
}

// squeezed reports whether a part is compressed in a pack: those that few ask
// for, and that are most often read from one end to the other then.
func squeezed(part string) bool {
	return strings.HasPrefix(part, "graph") || strings.HasPrefix(part, "code")
}

// packParts puts a pack together: its description, the tables and texts, and the
// postings of a segment.
func packParts(info []byte, cat *doctable.Builder, text *texts.Builder, parts []segment.Part) ([]segment.Part, error) {
	out := []segment.Part{{Name: packPart, Data: info}}
	tables := map[string]bool{}
	add := func(name string, data []byte) {
		out = append(out, segment.Part{Name: name, Data: data})
		tables[name] = true
	}
	cat.Parts(add)
	for _, p := range parts {
		if tables[p.Name] {
			continue
		}
		if squeezed(p.Name) {
			var err error
			if p.Data, err = texts.Squeeze(p.Data); err != nil {
				return nil, err
			}
		}
		out = append(out, p)
	}
	text.Parts(add)
	for i, p := range out {
		if p.Name == doctable.SectionsPart {
			rows, err := texts.SqueezeRows(p.Data)
			if err != nil {
				return nil, err
			}
			out[i] = segment.Part{Name: packedSections, Data: rows}
		}
	}
	return out, nil
}

// VerifyPack reads every byte of a pack and says what is wrong with it.
func VerifyPack(file string) error {
	f, err := segment.Open(file)
	if err != nil {
		return packError(file, err)
	}
	defer f.Close()
	if _, ok := f.Part(packPart); !ok {
		return fmt.Errorf("%s: an index, not a pack", file)
	}
	return f.Verify()
}

// openPack opens a packed file.
func openPack(file string) (*Library, error) {
	f, err := segment.Open(file)
	if err != nil {
		return nil, packError(file, err)
	}
	lib, err := fromPack(f, file)
	if err != nil {
		_ = f.Close()
		return nil, packError(file, err)
	}
	return lib, nil
}

// FromBlob opens a pack that lies in memory, for instance one that a program
// embeds. The bytes are not copied and must not change.
func FromBlob(blob []byte) (*Library, error) {
	f, err := segment.FromBytes(blob)
	if err != nil {
		return nil, packError("blob", err)
	}
	lib, err := fromPack(f, "blob")
	if err != nil {
		return nil, packError("blob", err)
	}
	return lib, nil
}

func packError(file string, err error) error {
	if errors.Is(err, segment.ErrForeign) {
		return fmt.Errorf("open %s: neither a folder nor a file that docent packed", file)
	}
	if errors.Is(err, segment.ErrDamaged) || errors.Is(err, segment.ErrVersion) {
		return fmt.Errorf("open %w", err) // which names the file
	}
	return fmt.Errorf("open %s: %w", file, pathCause(err))
}

func fromPack(f *segment.File, name string) (*Library, error) {
	head, ok := f.Part(packPart)
	if !ok {
		return nil, errors.New("an index, not a pack: open the folder it lies in")
	}
	raw, err := head.Bytes(0, head.Len())
	if err != nil {
		return nil, err
	}
	var info packInfo
	if err := json.Unmarshal(raw, &info); err != nil {
		return nil, fmt.Errorf("%w: its description: %v", segment.ErrDamaged, err)
	}
	if info.Policy.Format != indexFormat {
		return nil, fmt.Errorf("packed in format %d, and this docent reads %d: pack it again", info.Policy.Format, indexFormat)
	}
	c := &corpus{dir: name, config: config.Default(), store: name}
	p := info.Policy
	c.config.Paths, c.config.Ignore, c.config.Tokens = p.Paths, p.Ignore, p.Tokens
	c.config.ChunkMax, c.config.ChunkMin, c.config.ChunkDepth, c.config.Boost = p.Max, p.Min, p.Depth, info.Boost
	s, err := newSeg(func(name string) (blob.Blob, bool) {
		if rows, ok := f.Part(packedSections); ok && name == doctable.SectionsPart {
			u, err := texts.UnsqueezeRows(rows)
			return u, err == nil
		}
		b, ok := f.Part(name)
		if !ok || !squeezed(name) {
			return b, ok
		}
		u, err := texts.Unsqueeze(b)
		return u, err == nil
	})
	if err != nil {
		return nil, err
	}
	s.file = f
	lib := &Library{corpus: c, meta: meta{Policy: p}, segs: []*seg{s}, packFile: f}
	lib.pack, err = texts.Open(func(name string) (blob.Blob, error) { return part(f, name) })
	if err != nil {
		return nil, err
	}
	if lib.pack.Len() != s.cat.Files() || s.idx.Len() != s.cat.Chunks() {
		return nil, fmt.Errorf("%w: its tables do not fit together", segment.ErrDamaged)
	}
	return lib, lib.prepare()
}

// FromFS reads the documents of a file system into a library in memory.
func FromFS(fsys fs.FS) (*Library, error) {
	c := &corpus{dir: "fs", config: config.Default(), store: "in memory"}
	p, err := c.chunkPolicy()
	if err != nil {
		return nil, err
	}
	src := sourceFS(fsys)
	parts, skipped, err := buildAll(context.Background(), src, p, nil, nil)
	if err != nil {
		return nil, err
	}
	m := meta{Policy: c.policy()}
	m.setSkipped(skipped)
	lib, err := c.fromParts(parts, m)
	if err != nil {
		return nil, err
	}
	lib.source = src
	lib.setFresh(freshness{checked: time.Now()})
	return lib, nil
}
