package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/docent-md/docent/internal/store/backend"
)

// A Tx is one transaction. Nothing of it is seen before Commit, and nothing of it
// is left after Rollback, or when the program dies.
type Tx struct {
	db      *DB
	ctx     context.Context
	tx      *sql.Tx
	stmts   map[string]*sql.Stmt
	vectors bool            // there is a table for them
	known   map[string]bool // terms that are in docent_words
}

// Begin starts a transaction. Another writer is waited for.
func (d *DB) Begin(ctx context.Context) (*Tx, error) {
	tx, err := d.sql.BeginTx(ctx, nil)
	if err != nil {
		return nil, d.wrap(err)
	}
	t := &Tx{db: d, ctx: ctx, tx: tx, stmts: map[string]*sql.Stmt{}, known: map[string]bool{}}
	if t.vectors, err = hasTable(ctx, tx, vectorTable); err == nil {
		err = t.exec(`PRAGMA defer_foreign_keys = ON`)
	}
	if err != nil {
		_ = tx.Rollback()
		return nil, d.wrap(err)
	}
	return t, nil
}

// Commit makes all of it seen.
func (t *Tx) Commit() error { return t.db.wrap(t.tx.Commit()) }

// Rollback undoes all of it, unless it was committed.
func (t *Tx) Rollback() { _ = t.tx.Rollback() }

func (t *Tx) exec(query string, args ...any) error {
	s, ok := t.stmts[query]
	if !ok {
		var err error
		if s, err = t.tx.PrepareContext(t.ctx, query); err != nil {
			return err
		}
		t.stmts[query] = s
	}
	_, err := s.ExecContext(t.ctx, args...)
	return err
}

// SetMeta sets the value of a key.
func (t *Tx) SetMeta(key string, value []byte) error {
	return t.db.wrap(t.exec(`INSERT INTO meta VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value`, key, value))
}

// Remove deletes a document.
func (t *Tx) Remove(path string) error {
	rows, err := collect(t.ctx, t.tx, func(r *sql.Rows, row *int64) error { return r.Scan(row) },
		`SELECT row FROM docent_chunks WHERE file = ?`, path)
	if err != nil {
		return t.db.wrap(err)
	}
	to := sequence{t: t}
	tables := []string{"sections_fts", "docent_terms"}
	if t.vectors {
		tables = append(tables, vectorTable)
	}
	// One by one: given a list, virtual tables look at every row they have.
	for _, row := range rows {
		for _, table := range tables {
			to.exec(`DELETE FROM `+table+` WHERE rowid = ?`, row)
		}
	}
	for _, query := range []string{
		`DELETE FROM "references" WHERE from_section_id IN (SELECT id FROM sections WHERE source_id = ?)`,
		`DELETE FROM docent_chunks WHERE file = ?`,
		`DELETE FROM sections WHERE source_id = ?`,
		`DELETE FROM docent_files WHERE file = ?`,
		`DELETE FROM sources WHERE id = ?`,
	} {
		to.exec(query, path)
	}
	return t.db.wrap(to.err)
}

// Put writes a document, replacing what there was of it.
func (t *Tx) Put(f *backend.File) error {
	if err := t.Remove(f.Path); err != nil {
		return err
	}
	err := t.exec(`INSERT INTO sources VALUES (?, ?, ?)`, f.Path, f.Name, f.Path)
	if err == nil {
		err = t.exec(`INSERT INTO docent_files VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, f.Path, f.Origin, f.Hash, f.Bytes, f.Tokens, f.Lines, f.Sections, f.Text)
	}
	for i := 0; i < len(f.Parents) && err == nil; i++ {
		err = t.section(f.Path, &f.Parents[i], "")
	}
	for i := 0; i < len(f.Chunks) && err == nil; i++ {
		if err = t.section(f.Path, &f.Chunks[i].Section, f.Chunks[i].Content); err == nil {
			err = t.chunk(f.Path, &f.Chunks[i])
		}
	}
	return t.db.wrap(err)
}

// section writes a row of sections.
func (t *Tx) section(file string, s *backend.Section, content string) error {
	err := t.exec(`INSERT INTO sections VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, s.ID, file, orNull(s.Parent), s.Title, s.Path, content, s.Lines[0], s.Lines[1])
	if err != nil && strings.Contains(err.Error(), "UNIQUE constraint failed") {
		return fmt.Errorf("section %q: there is another of that id", s.ID)
	}
	return err
}

// chunk writes what is stored of a chunk besides its row of sections.
func (t *Tx) chunk(file string, c *backend.Chunk) error {
	w := &c.Words
	to := sequence{t: t}
	to.exec(`INSERT INTO docent_chunks(section_id, file, title_length, headings_length, body_length, data) VALUES (?, ?, ?, ?, ?, ?)`,
		c.ID, file, w.Lengths[0], w.Lengths[1], w.Lengths[2], c.Data)
	// The number it got is last_insert_rowid() until the next insert; the rest
	// takes it from the table.
	const row = `(SELECT row FROM docent_chunks WHERE section_id = ?)`
	to.exec(`INSERT INTO sections_fts(rowid, section_id, title, content) VALUES (`+row+`, ?, ?, ?)`, c.ID, c.ID, c.Title, c.Content)
	terms := make([]string, len(w.Terms))
	for i, term := range w.Terms {
		terms[i] = "=" + term
		if !t.known[term] {
			t.known[term] = true
			to.exec(`INSERT OR IGNORE INTO docent_words VALUES (?)`, term)
		}
	}
	to.exec(`INSERT INTO docent_terms(rowid, title, headings, body, terms) VALUES (`+row+`, ?, ?, ?, ?)`, c.ID,
		join(w.Title), join(w.Headings), join(w.Body), join(terms))
	if c.Vector != nil && to.err == nil {
		to.err = t.vector(c, row)
	}
	for _, r := range c.Refs {
		to.exec(`INSERT OR IGNORE INTO "references" VALUES (?, ?, ?, ?)`, c.ID, orNull(r.To), r.Text, r.Summary)
	}
	return to.err
}

// A sequence is statements of which none is run after the first that fails.
type sequence struct {
	t   *Tx
	err error
}

func (s *sequence) exec(query string, args ...any) {
	if s.err == nil {
		s.err = s.t.exec(query, args...)
	}
}

// orNull gives an id, NULL for none.
func orNull(id string) sql.NullString { return sql.NullString{String: id, Valid: id != ""} }

func join(words []string) string { return strings.Join(words, " ") }

// vector writes the vector of a chunk, and makes the table with the first.
func (t *Tx) vector(c *backend.Chunk, row string) error {
	if !t.vectors {
		if _, err := t.tx.ExecContext(t.ctx, fmt.Sprintf("CREATE VIRTUAL TABLE section_embeddings USING vec0(\n  embedding float[%d],\n  +section_id TEXT\n)", len(c.Vector))); err != nil {
			return err
		}
		t.vectors = true
	}
	return t.exec(`INSERT INTO section_embeddings(rowid, embedding, section_id) VALUES (`+row+`, ?, ?)`, c.ID, floats(c.Vector), c.ID)
}

// floats gives a vector as vec0 reads it.
func floats(v []float32) []byte {
	out := make([]byte, 0, 4*len(v))
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

// vectorOf reads what floats wrote.
func vectorOf(raw []byte) ([]float32, error) {
	if len(raw)%4 != 0 {
		return nil, errors.New("a vector of a broken size")
	}
	out := make([]float32, len(raw)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return out, nil
}

// DropDanglingRefs marks references whose section was deleted as unresolved, and
// drops the summary of the section.
func (t *Tx) DropDanglingRefs() error {
	return t.db.wrap(t.exec(`UPDATE "references" SET to_section_id = NULL, summary = '' WHERE to_section_id NOT IN (SELECT id FROM sections)`))
}
