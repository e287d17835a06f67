//go:build unix

package main

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/docent-md/docent/answer"

	_ "modernc.org/sqlite" // the driver, registered as "sqlite"
)

// An fts is an SQLite database whose table chunks holds docent's chunks and whose
// FTS5 table fts indexes them, with the default tokenizer and external content:
// the settings that are fastest for this.
type fts struct {
	*sql.DB
	file string
}

const ftsChunks = `CREATE TABLE chunks(id INTEGER PRIMARY KEY, path TEXT, title TEXT, headings TEXT, body TEXT)`

const ftsIndex = `CREATE VIRTUAL TABLE fts USING fts5(title, headings, body, content='chunks', content_rowid='id')`

// ftsRank ranks by docent's own weights; the texts are fetched for the best only.
const ftsRank = `SELECT c.path, c.title, c.headings, c.body FROM
	(SELECT rowid AS row, bm25(fts, 2.0, 1.5, 1.0) AS score FROM fts WHERE fts MATCH ? ORDER BY score LIMIT ?) JOIN chunks c ON c.id = row
	ORDER BY score`

func openFTS(ctx context.Context, file string) (*fts, error) {
	db, err := sql.Open("sqlite", file)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	f := &fts{db, file}
	return f, f.exec(ctx, "PRAGMA synchronous=NORMAL", "PRAGMA cache_size=-65536")
}

// newFTS makes a database of chunks without an index.
func newFTS(ctx context.Context, file string, chunks []answer.Record) (*fts, error) {
	f, err := openFTS(ctx, file)
	if err != nil {
		return nil, err
	}
	return f, errors.Join(f.exec(ctx, "PRAGMA journal_mode=WAL", ftsChunks),
		f.insert(ctx, "INSERT INTO chunks(id, path, title, headings, body) VALUES(?,?,?,?,?)", chunks, func(i int, r answer.Record) []any {
			return []any{i + 1, r.Source.File, r.Title, r.Path, r.Content}
		}))
}

// empty makes an FTS5 table with nothing in it.
func (f *fts) empty(ctx context.Context) error {
	return f.exec(ctx, "DROP TABLE IF EXISTS fts", ftsIndex)
}

// fill fills it from chunks in memory.
func (f *fts) fill(ctx context.Context, chunks []answer.Record) error {
	return f.insert(ctx, "INSERT INTO fts(rowid, title, headings, body) VALUES(?,?,?,?)", chunks, func(i int, r answer.Record) []any {
		return []any{i + 1, r.Title, r.Path, r.Content}
	})
}

// settle makes the database as good to search as it gets.
func (f *fts) settle(ctx context.Context) error {
	return f.exec(ctx,
		"INSERT INTO fts(fts) VALUES('optimize')", "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA journal_mode=DELETE")
}

// search fetches the best texts for any of the words.
func (f *fts) search(ctx context.Context, query string, limit int) (int, error) {
	rows, err := f.QueryContext(ctx, ftsRank, match(query, " OR "), limit)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		var r [4]sql.RawBytes
		if err := rows.Scan(&r[0], &r[1], &r[2], &r[3]); err != nil {
			return n, err
		}
		n++
	}
	return n, rows.Err()
}

// match is a query in FTS5's language, each word quoted.
func match(query, operator string) string {
	w := words(query)
	for i := range w {
		w[i] = `"` + w[i] + `"`
	}
	return strings.Join(w, operator)
}

func (f *fts) exec(ctx context.Context, statements ...string) error {
	for _, s := range statements {
		if _, err := f.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// insert adds a row a chunk in one transaction.
func (f *fts) insert(ctx context.Context, statement string, chunks []answer.Record, row func(int, answer.Record) []any) error {
	tx, err := f.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	s, err := tx.PrepareContext(ctx, statement)
	if err != nil {
		return err
	}
	for i, c := range chunks {
		if _, err := s.ExecContext(ctx, row(i, c)...); err != nil {
			return err
		}
	}
	return tx.Commit()
}
