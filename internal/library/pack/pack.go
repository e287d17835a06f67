// Package pack writes an index and its documents into one file, and opens such files.
package pack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/blob"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/fields"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/texts"
	"github.com/docent-md/docent/internal/library/build"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/local"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/source/config"
	"github.com/docent-md/docent/internal/text/human"
)

// packPart describes a packed file. It is what tells a pack from a segment.
const packPart = "pack"

// packedSections are the rows of all sections in a pack, compressed in blocks: they would
// be a tenth of it otherwise, and a question reads a few. Older packs have them
// uncompressed, as an index has.
const packedSections = "sections.z"

// packInfo is the metadata of a pack. It names no time and no machine, so that the same
// documents give the same bytes.
type packInfo struct {
	Name   string        `json:"name"`
	Policy corpus.Recipe `json:"policy"`
	Boost  config.Boost  `json:"boost"`

	Synonyms [][]string        `json:"synonyms,omitempty"`
	Folders  map[string]string `json:"folders,omitempty"`
}

// Write packs a view into one file, text and index together, which Open,
// FromBlob and every command read with no source tree.
func Write(ctx context.Context, v *snapshot.View, file string, o answer.PackOptions) (*answer.PackReport, error) {
	if err := checkTarget(file, o.Force); err != nil {
		return nil, err
	}
	parts, err := build.MergeSegments(v.Segments, snapshot.DeadRows(v.Segments))
	if err != nil {
		return nil, err
	}
	if !o.Vectors {
		parts = slices.DeleteFunc(parts, func(p segment.Part) bool { return embedding.IsVectorPart(p.Name) })
	}
	merged, err := snapshot.OpenParts(parts)
	if err != nil {
		return nil, err
	}
	if o.Vectors {
		if parts, err = withVectors(ctx, v, parts, merged.Table); err != nil {
			return nil, err
		}
	}
	table := doctable.NewBuilder()
	text, err := texts.NewBuilder()
	if err != nil {
		return nil, err
	}
	report := &answer.PackReport{File: file, Files: merged.Table.Files()}
	var stale snapshot.Stale
	for row := range merged.Table.Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := merged.Table.File(row)
		if err != nil {
			return nil, err
		}
		at, _, err := v.Find(f.Path)
		if err != nil {
			return nil, err
		}
		data, err := v.Text(at)
		if stale.Skip(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := table.Copy(merged.Table, row, func(f *doctable.File) { f.ModTime = 0 }); err != nil {
			return nil, err
		}
		text.Add(data)
		report.Raw += int64(len(data))
	}
	if err := stale.Err(); err != nil {
		return nil, err
	}
	info, err := json.Marshal(packInfo{Name: filepath.Base(v.Corpus.Dir), Policy: v.Corpus.Recipe(), Boost: v.Corpus.Config.Boost, Synonyms: v.Corpus.Config.Synonyms, Folders: v.Corpus.Config.Folders})
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		if embedding.IsVectorPart(p.Name) {
			report.Vectors += int64(len(p.Data))
		}
	}
	if parts, err = packParts(info, table, text, parts); err != nil {
		return nil, err
	}
	if err := segment.WriteFile(file, parts); err != nil {
		return nil, fmt.Errorf("pack %s: %w", file, human.PathCause(err))
	}
	if st, err := os.Stat(file); err == nil {
		report.Size = st.Size()
	}
	report.Ratio = float64(report.Size) / float64(max(report.Raw, 1))
	return report, nil
}

// withVectors adds vectors of the built-in model to the parts of an index that has none.
// The index stays as it is.
func withVectors(ctx context.Context, v *snapshot.View, parts []segment.Part, table *doctable.Reader) ([]segment.Part, error) {
	if slices.ContainsFunc(parts, func(p segment.Part) bool { return embedding.IsVectorPart(p.Name) }) {
		return parts, nil
	}
	if v.Origin.Dir() == "" {
		return nil, errors.New("pack: what is packed has no vectors, and no files to make them of: pack the folder it was made from")
	}
	own := embedding.Choice{Kind: embedding.Builtin}
	_, maker, err := own.Resolve(embedding.Record{}, false, func(string, ...any) {})
	if err != nil {
		return nil, err
	}
	files, err := v.Corpus.OpenFiles()
	if err != nil {
		return nil, err
	}
	defer files.Close()
	vectors, err := build.Vectors(ctx, files, v.Policy, maker, table, nil)
	if err != nil {
		return nil, fmt.Errorf("pack: vectors: %w", err)
	}
	return append(parts, vectors...), nil
}

// ErrNoPack means that a file which is no pack would be overwritten.
var ErrNoPack = errors.New("the file exists and is not a pack")

// checkTarget refuses to overwrite what is not a pack.
func checkTarget(file string, force bool) error {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return nil // writing says what is wrong, if anything
	case info.IsDir():
		return fmt.Errorf("pack %s: is a folder: name the file to write", file)
	case force || !info.Mode().IsRegular():
		return nil
	}
	f, err := segment.Open(file)
	if err == nil {
		defer f.Close()
		if _, ok := f.Part(packPart); ok {
			return nil
		}
	} else if !errors.Is(err, segment.ErrForeign) {
		return nil // a pack that is damaged or of another version
	}
	return fmt.Errorf("pack %s: %w", file, ErrNoPack)
}

// squeezed reports whether a part is compressed in a pack: those that few questions
// need, and that are then mostly read as a whole.
func squeezed(part string) bool {
	return strings.HasPrefix(part, "graph") || strings.HasPrefix(part, "code") || part == fields.Part || part == fields.Glossary
}

// packParts puts a pack together: its description, the tables and texts, and the
// postings of a segment.
func packParts(info []byte, table *doctable.Builder, text *texts.Builder, parts []segment.Part) ([]segment.Part, error) {
	out := []segment.Part{{Name: packPart, Data: info}}
	tables := map[string]bool{}
	add := func(name string, data []byte) {
		out = append(out, segment.Part{Name: name, Data: data})
		tables[name] = true
	}
	table.Parts(add)
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

// Verify reads every byte of a pack and says what is wrong with it.
func Verify(file string) error {
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

// Open opens a packed file.
func Open(file string) (*local.Snapshot, error) {
	f, err := segment.Open(file)
	if err != nil {
		return nil, packError(file, err)
	}
	s, err := open(f, file)
	if err != nil {
		_ = f.Close()
		return nil, packError(file, err)
	}
	return s, nil
}

// FromBlob opens a pack in memory, for instance one that a program embeds. The bytes
// are not copied and must not change.
func FromBlob(blob []byte) (*local.Snapshot, error) {
	f, err := segment.FromBytes(blob)
	if err != nil {
		return nil, packError("blob", err)
	}
	s, err := open(f, "blob")
	if err != nil {
		return nil, packError("blob", err)
	}
	return s, nil
}

func packError(file string, err error) error {
	if errors.Is(err, segment.ErrForeign) {
		return fmt.Errorf("open %s: neither a folder nor a file that docent packed", file)
	}
	if errors.Is(err, segment.ErrDamaged) || errors.Is(err, segment.ErrVersion) {
		return fmt.Errorf("open %w", err) // which names the file
	}
	return fmt.Errorf("open %s: %w", file, human.PathCause(err))
}

func open(f *segment.File, name string) (*local.Snapshot, error) {
	head, ok := f.Part(packPart)
	if !ok {
		return nil, errors.New("an index, not a pack: open the folder it is in")
	}
	raw, err := head.Bytes(0, head.Len())
	if err != nil {
		return nil, err
	}
	var info packInfo
	if err := json.Unmarshal(raw, &info); err != nil {
		return nil, fmt.Errorf("%w: its description: %v", segment.ErrDamaged, err)
	}
	if info.Policy.Format != corpus.Format {
		return nil, fmt.Errorf("packed in format %d, and this docent reads %d: pack it again", info.Policy.Format, corpus.Format)
	}
	c := corpus.FromRecipe(name, info.Policy, info.Boost)
	c.Name = corpus.PackName(name)
	c.Config.Synonyms, c.Config.Folders = info.Synonyms, info.Folders
	s, err := snapshot.NewSegment(func(name string) (blob.Blob, bool) {
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
	s.File = f
	documents, err := texts.Open(func(name string) (blob.Blob, error) { return snapshot.Part(f, name) })
	if err != nil {
		return nil, err
	}
	if documents.Len() != s.Table.Files() || s.Index.Len() != s.Table.Chunks() {
		return nil, fmt.Errorf("%w: its tables do not fit together", segment.ErrDamaged)
	}
	v, err := snapshot.New(c, snapshot.Meta{Policy: info.Policy}, []*snapshot.Segment{s}, &origin{documents: documents})
	if err != nil {
		return nil, err
	}
	v.WithEmbedder(embedderOf(v))
	return local.New(v, name, f.Close), nil
}

// embedderOf opens the model of a pack. Vectors of another version of the base table are
// no damage: search is lexical then.
func embedderOf(v *snapshot.View) func() (embedding.Embedder, error) {
	return sync.OnceValues(func() (embedding.Embedder, error) {
		m, err := v.Vectors()
		if err != nil || m == nil {
			return nil, err
		}
		by, err := m.Open(v.Corpus.Choice)
		if errors.Is(err, embedding.ErrOtherTable) {
			err = &embedding.UnavailableError{Err: err}
		}
		return by, err
	})
}

// An origin is the documents in a pack, by row.
type origin struct {
	snapshot.Unchanging
	documents *texts.Reader
}

// Text unpacks a document and compares it with the index.
func (o *origin) Text(f snapshot.File) ([]byte, error) {
	data, err := o.documents.Text(f.Row)
	if err == nil && snapshot.ContentHash(data) != f.Info.Hash {
		err = fmt.Errorf("%w: %s", texts.ErrDamaged, f.Path)
	}
	return data, err
}

// SettledText is Text.
func (o *origin) SettledText(f snapshot.File) ([]byte, error) { return o.Text(f) }

// Freshness says that it is a pack.
func (o *origin) Freshness(files int, _ time.Time) string {
	return fmt.Sprintf("packed file, %s", human.Plural(files, "file"))
}
