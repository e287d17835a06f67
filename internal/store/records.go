package store

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/vector"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/store/backend"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/words"
)

// pipeOrigin is the origin of documents whose chunks came as records.
const pipeOrigin = "-"

// maxRecord is the longest line of records that is read.
const maxRecord = 64 << 20

// ErrNoRecords is what IndexRecords returns when there is nothing to read.
var ErrNoRecords = errors.New("no records on standard input")

// IndexRecords writes records, as "docent chunks" prints them, to a database: a JSON
// object a line. The documents they come from are replaced. When a line cannot be used
// the error names it, and nothing is written.
func IndexRecords(ctx context.Context, file string, r io.Reader, o Options) (*answer.StoreReport, error) {
	start := time.Now()
	if o.Summarise != nil {
		return nil, errors.New("records hold no documents whose links could be followed: --summaries is for documents")
	}
	if o.Windows || len(o.Ignore) > 0 {
		return nil, errors.New("records are chosen and cut already: --ignore and --windows are for documents, or for docent chunks, which makes records")
	}
	c, err := o.Find(o.Root)
	if err != nil {
		return nil, err
	}
	p, err := c.ChunkPolicy()
	if err != nil {
		return nil, err
	}
	in := recordReader{byFile: map[string]int{}, lines: map[string]int{}, count: p.Count}
	if err := in.read(ctx, r); err != nil {
		return nil, err
	}
	if len(in.files) == 0 {
		return nil, ErrNoRecords
	}
	report := &answer.StoreReport{Database: file, Skipped: []answer.Skip{}}
	err = withDatabase(ctx, file, o.Full, o.Note, func(db writable) error {
		w := &writer{ctx: ctx, db: db, c: c, o: o, report: report}
		return w.records(&in)
	})
	if err != nil {
		return nil, err
	}
	report.Seconds = time.Since(start).Seconds()
	return report, nil
}

// A recordReader puts records together to documents, in the order they come.
type recordReader struct {
	files  []recordFile
	byFile map[string]int
	lines  map[string]int // of the section ids
	count  func([]byte) int
}

type recordFile struct {
	path, name string
	id         string // what the records call it
	records    []answer.Record
}

func (in *recordReader) read(ctx context.Context, r io.Reader) error {
	buf := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, err := readLine(buf)
		if err != nil && err != io.EOF {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			if err := in.line(n, line); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
		}
		if err == io.EOF {
			return in.parents()
		}
	}
}

func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxRecord {
			return nil, fmt.Errorf("longer than %d bytes", maxRecord)
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// line adds one record.
func (in *recordReader) line(n int, line []byte) error {
	if !utf8.Valid(line) {
		return errors.New("not UTF-8")
	}
	var r answer.Record
	if err := json.Unmarshal(line, &r); err != nil {
		return fmt.Errorf("not a record: %w", err)
	}
	file := r.Source.File
	if file == "" {
		file = r.Source.ID
	}
	var given map[string]json.RawMessage
	_ = json.Unmarshal(line, &given)
	switch {
	case r.SectionID == "":
		return errors.New("section_id is missing")
	case in.lines[r.SectionID] > 0:
		return fmt.Errorf("section_id %q is in line %d already", r.SectionID, in.lines[r.SectionID])
	case given["content"] == nil:
		return errors.New("content is missing")
	case file == "":
		return errors.New("source.file is missing")
	case r.Source.Lines[0] < 1 || r.Source.Lines[1] < r.Source.Lines[0]:
		return fmt.Errorf("source.lines is %v: must be the first and the last line, from 1", r.Source.Lines)
	case r.ParentID != nil && *r.ParentID == r.SectionID:
		return errors.New("parent_id is the section's own")
	case r.ParentID != nil && *r.ParentID == "":
		r.ParentID = nil
	}
	r.Source.File = file
	if len(r.Headings) == 0 {
		if r.Headings = strings.Split(r.Path, answer.TrailMark); r.Path == "" {
			r.Headings = []string{r.Title}
		}
	}
	if r.Path == "" {
		r.Path = strings.Join(r.Headings, answer.TrailMark)
	}
	if r.Tokens <= 0 {
		r.Tokens = in.count([]byte(r.Content))
	}
	in.lines[r.SectionID] = n
	at, ok := in.byFile[file]
	if !ok {
		at = len(in.files)
		in.byFile[file] = at
		in.files = append(in.files, recordFile{path: file, name: r.Source.Name, id: cmp.Or(r.Source.ID, file)})
	}
	in.files[at].records = append(in.files[at].records, r)
	return nil
}

// parents checks that the parent of a section is in its document, and that no section is
// above itself.
func (in *recordReader) parents() error {
	owner, above := map[string]string{}, map[string]string{}
	for _, f := range in.files {
		for _, r := range f.records {
			owner[r.SectionID] = f.path
			if r.ParentID != nil {
				above[r.SectionID] = *r.ParentID
			}
		}
	}
	for _, f := range in.files {
		for _, r := range f.records {
			n := in.lines[r.SectionID]
			if r.ParentID == nil {
				continue
			}
			if of, ok := owner[*r.ParentID]; ok && of != f.path {
				return fmt.Errorf("line %d: parent_id %q is a section of %s", n, *r.ParentID, of)
			}
			for at, steps := *r.ParentID, 0; at != ""; at = above[at] {
				if steps++; at == r.SectionID || steps > maxNesting {
					return fmt.Errorf("line %d: the sections above %q lead back to it, or are too many", n, r.SectionID)
				}
			}
		}
	}
	return nil
}

// maxNesting is how deep sections of records may be nested.
const maxNesting = 100

// records writes documents that are known by their chunks.
func (w *writer) records(in *recordReader) error {
	old, err := w.load()
	if err != nil {
		return err
	}
	settings, err := w.settings()
	if err != nil {
		return err
	}
	by, model := old.by, old.model
	switch {
	case old.stats.Chunks == 0:
		if by, err = w.newEmbedder(); err != nil {
			return err
		}
	case model != nil && by == nil:
		return fmt.Errorf("%s: %s", w.report.Database, old.note)
	case model != nil && !w.allowsModel(model):
		return fmt.Errorf("%s: was made with the model %s: --full rebuilds it", w.report.Database, model.Text())
	}
	refs, err := recordLinks(w.ctx, w.c, in)
	if err != nil {
		return err
	}
	if err := w.begin(); err != nil {
		return err
	}
	defer w.rollback()
	for _, f := range in.files {
		file, texts := storedRecords(f)
		for i := range file.Chunks {
			file.Chunks[i].Refs = refs[file.Chunks[i].ID]
		}
		if by != nil {
			if err := w.embed(by, file, texts); err != nil {
				return err
			}
		}
		if err := w.tx.Put(file); err != nil {
			return err
		}
		w.report.Written++
		if w.o.Sent != nil {
			w.o.Sent(w.report.Written, len(in.files))
		}
	}
	if err := w.keepSources(old.sources, in); err != nil {
		return err
	}
	if old.stats.Chunks == 0 {
		if by != nil {
			m := by.Model()
			model = &m
		}
		if err := w.describe(settings, model, deltaOf(by)); err != nil {
			return err
		}
	}
	if err := w.finish(); err != nil {
		return err
	}
	return w.sum()
}

// keepSources stores what records call their documents, where that is not their path.
func (w *writer) keepSources(have map[string]string, in *recordReader) error {
	all := maps.Clone(have)
	for _, f := range in.files {
		if f.id != f.path {
			if all == nil {
				all = map[string]string{}
			}
			all[f.path] = f.id
		} else {
			delete(all, f.path)
		}
	}
	if len(all) == 0 && len(have) == 0 {
		return nil
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return w.tx.SetMeta(metaSources, raw)
}

// newEmbedder is the model of a database that is made from records: the table as it
// is, unless the user chose another. There are no documents to adapt it to.
func (w *writer) newEmbedder() (embedding.Embedder, error) {
	_, e, err := refresh.ResolveModel(w.c, w.o.Options)
	switch {
	case err != nil || e == nil:
		return nil, err
	case e.By != nil:
		return e.By, nil
	}
	return embedding.NewTable(nil, embedding.Builtin, "")
}

// deltaOf is what must be stored of a model in addition to its description.
func deltaOf(by embedding.Embedder) []byte {
	if t, ok := by.(*embedding.Table); ok {
		return t.Delta()
	}
	return nil
}

// embed gives the chunks of a document their vectors.
func (w *writer) embed(by embedding.Embedder, f *backend.File, texts []embedding.Text) error {
	b, err := by.Chunks(w.ctx, texts, w.o.EmbedProgress)
	if err != nil {
		return err
	}
	r, err := vector.Open(b.Bytes())
	if err != nil {
		return err
	}
	for i := range f.Chunks {
		if f.Chunks[i].Vector, err = r.Row(i); err != nil {
			return err
		}
	}
	return nil
}

// storedRecords returns the rows of a document, and its texts to embed.
func storedRecords(in recordFile) (*backend.File, []embedding.Text) {
	f := &backend.File{Path: in.path, Name: in.name, Origin: pipeOrigin}
	if f.Name == "" {
		f.Name = path.Base(in.path)
	}
	var texts []embedding.Text
	have := map[string]bool{}
	for _, r := range in.records {
		have[r.SectionID] = true
	}
	for i, r := range in.records {
		d := markdown.Parse(r.Source.File, []byte(r.Content))
		text, data := recordText(&r, &d), recordData(&r, &d)
		data.Name, data.Place, data.Headings, data.Body = f.Name, i, text.Headings, text.Body
		f.Chunks = append(f.Chunks, newChunk(&r, data, text))
		f.Sections++
		f.Tokens += r.Tokens
		f.Bytes += int64(len(r.Content))
		f.Lines = max(f.Lines, r.Source.Lines[1])
		texts = append(texts, embedding.Text{Titles: r.Headings, Body: text.Body})
		if r.ParentID == nil || have[*r.ParentID] {
			continue
		}
		have[*r.ParentID] = true
		f.Sections++
		up := r.Headings[:max(len(r.Headings)-1, 0)]
		p := backend.Section{ID: *r.ParentID, Path: strings.Join(up, answer.TrailMark), Lines: [2]int{r.Source.Lines[0], r.Source.Lines[0]}}
		if len(up) > 0 {
			p.Title = up[len(up)-1]
		}
		f.Parents = append(f.Parents, p)
	}
	return f, texts
}

// recordData is what ranking wants to know of a record.
func recordData(r *answer.Record, content *doc.Document) *chunkData {
	d := &chunkData{Tokens: r.Tokens, Hash: answer.HashOf([]byte(r.Content))}
	if h, err := strconv.ParseUint(r.Hash, 16, 32); err == nil && len(r.Hash) == 8 {
		d.Hash = h << 32
	}
	for i, title := range r.Headings {
		d.Trail = append(d.Trail, step{Title: title, Level: i + 1})
	}
	last := &d.Trail[len(d.Trail)-1]
	last.Title, last.Anchor = r.Title, r.Anchor()
	if !strings.Contains(r.SectionID, "#") && r.SectionID != r.Source.File { // an id of another program's
		last.Anchor = r.SectionID
	}
	if n := len(d.Trail); n > 1 && r.ParentID != nil {
		if ref, err := doc.ParseRef(*r.ParentID); err == nil {
			d.Trail[n-2].Anchor = ref.Anchor
		}
	}
	own := slices.IndexFunc(content.Sections, func(s doc.Section) bool { return s.Title == r.Title })
	for at := own + 1; own >= 0 && at < len(content.Sections); at++ {
		d.Inner = append(d.Inner, innerStep{stepOf(content, at), content.Sections[at].Span.Start})
	}
	return d
}

// recordText divides a record into fields as build.Texter.Text divides a chunk.
func recordText(r *answer.Record, d *doc.Document) index.Text {
	headings := append([]string(nil), r.Headings[:max(len(r.Headings)-1, 0)]...)
	var body []byte
	from := 0
	for i, h := range d.Headings {
		switch {
		case i == 0 && h.Title == r.Title:
			body = markdown.AppendText(body, d, doc.Span{Start: from, End: h.Span.Start})
			from = h.Span.End
		case !h.Nested:
			headings = append(headings, h.Title)
		}
	}
	body = markdown.AppendText(body, d, doc.Span{Start: from, End: len(d.Source)})
	headings = append(headings, strings.ReplaceAll(snapshot.TrimExt(r.Source.File), "/", " "), "")
	if a := r.Anchor(); words.Slug(a) != words.Slug(r.Title) {
		headings = append(headings, a)
	}
	return index.Text{Title: r.Title, Headings: strings.Join(headings, "\n"), Body: string(body)}
}
