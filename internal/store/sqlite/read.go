package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/docent-md/docent/internal/store/backend"
)

// Stats sum up the file.
func (d *DB) Stats(ctx context.Context) (backend.Stats, error) {
	var s backend.Stats
	err := d.sql.QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM sources), (SELECT count(*) FROM sections), count(*),
		coalesce(sum(title_length), 0), coalesce(sum(headings_length), 0), coalesce(sum(body_length), 0)
		FROM docent_chunks`).Scan(&s.Files, &s.Sections, &s.Chunks, &s.Lengths[0], &s.Lengths[1], &s.Lengths[2])
	return s, d.wrap(err)
}

// weights are those of the columns of docent_terms when candidates are looked for.
// They are docent's own; SQLite's formula is another, so that more candidates are
// asked for than are wanted in the end.
const weights = "2.0, 1.5, 1.0, 0.3"

// Candidates returns the chunks that FTS5 ranks best.
func (d *DB) Candidates(ctx context.Context, q backend.Query) ([]backend.Chunk, error) {
	match := expression(q)
	if match == "" || q.K <= 0 {
		return nil, nil
	}
	where, args := `docent_terms MATCH ?`, []any{match}
	if q.Files != nil {
		where += ` AND rowid IN (SELECT row FROM docent_chunks WHERE file IN (SELECT value FROM json_each(?)))`
		args = append(args, list(q.Files))
	}
	return d.chunks(ctx, `SELECT rowid FROM docent_terms WHERE `+where+` ORDER BY bm25(docent_terms, `+weights+`) LIMIT ?`, append(args, q.K)...)
}

// expression writes a query as FTS5 reads it. Every word is quoted, so that any
// text is a valid one.
func expression(q backend.Query) string {
	if len(q.Any) == 0 {
		return ""
	}
	var any []string
	for _, w := range q.Any {
		any = append(any, word(w))
		for _, t := range w.Terms {
			any = append(any, quote("="+t))
		}
	}
	out := "(" + strings.Join(any, " OR ") + ")"
	for _, group := range q.Must {
		var one []string
		for _, w := range group {
			one = append(one, word(w))
		}
		if len(one) > 0 {
			out += " AND (" + strings.Join(one, " OR ") + ")"
		}
	}
	if len(q.Not) > 0 {
		not := make([]string, len(q.Not))
		for i, w := range q.Not {
			not[i] = quote(w)
		}
		out = "(" + out + ") NOT (" + strings.Join(not, " OR ") + ")"
	}
	return out
}

func word(w backend.Word) string {
	if w.Title {
		return "title : " + quote(w.Text)
	}
	return quote(w.Text)
}

func quote(s string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(s, "\x00", ""), `"`, `""`) + `"`
}

// list gives strings to json_each.
func list(s []string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}

// Near returns the k chunks whose vectors are nearest to v, of some files; nil for
// all.
func (d *DB) Near(ctx context.Context, v []float32, k int, files []string) ([]backend.Chunk, error) {
	if has, err := hasTable(ctx, d.sql, vectorTable); err != nil || !has || k <= 0 {
		return nil, d.wrap(err)
	}
	where, args := `embedding MATCH ? AND k = ?`, []any{floats(v), k}
	if files != nil {
		where += ` AND rowid IN (SELECT row FROM docent_chunks WHERE file IN (SELECT value FROM json_each(?)))`
		args = append(args, list(files))
	}
	return d.chunks(ctx, `SELECT rowid FROM section_embeddings WHERE `+where, args...)
}

// chunks reads the chunks whose rows a query gives.
func (d *DB) chunks(ctx context.Context, rows string, args ...any) ([]backend.Chunk, error) {
	vector, join := `NULL`, ``
	if has, err := hasTable(ctx, d.sql, vectorTable); err != nil {
		return nil, d.wrap(err)
	} else if has {
		vector, join = `e.embedding`, ` LEFT JOIN section_embeddings e ON e.rowid = c.row`
	}
	out, err := collect(ctx, d.sql, scanChunk, `WITH picked AS MATERIALIZED (`+rows+`)
		SELECT s.id, s.source_id, coalesce(s.parent_id, ''), s.title, s.path, s.content, s.start_line, s.end_line, c.data, `+vector+`
		FROM picked JOIN docent_chunks c ON c.row = picked.rowid JOIN sections s ON s.id = c.section_id`+join, args...)
	return out, d.wrap(err)
}

func scanChunk(r *sql.Rows, c *backend.Chunk) error {
	var raw []byte
	err := r.Scan(&c.ID, &c.File, &c.Parent, &c.Title, &c.Path, &c.Content, &c.Lines[0], &c.Lines[1], &c.Data, &raw)
	if err == nil && raw != nil {
		c.Vector, err = vectorOf(raw)
	}
	return err
}

// Terms returns in how many chunks each of some terms occurs as it is written.
func (d *DB) Terms(ctx context.Context, terms []string) ([]int, error) {
	marked := make([]string, len(terms))
	for i, t := range terms {
		marked[i] = "=" + t
	}
	return d.Words(ctx, marked)
}

// Words returns in how many chunks each of some words occurs. It asks FTS5 itself,
// by way of its own table of terms, which belongs to a connection and is made again
// for each.
func (d *DB) Words(ctx context.Context, keys []string) ([]int, error) {
	out := make([]int, len(keys))
	if len(keys) == 0 {
		return out, nil
	}
	conn, err := d.sql.Conn(ctx)
	if err != nil {
		return nil, d.wrap(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, `CREATE VIRTUAL TABLE IF NOT EXISTS temp.docent_counts USING fts5vocab(main, docent_terms, row)`); err != nil {
		return nil, d.wrap(err)
	}
	s, err := conn.PrepareContext(ctx, `SELECT doc FROM temp.docent_counts WHERE term = ?`)
	if err != nil {
		return nil, d.wrap(err)
	}
	defer s.Close()
	for i, k := range keys {
		if err := s.QueryRowContext(ctx, k).Scan(&out[i]); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, d.wrap(err)
		}
	}
	return out, nil
}

// Vocabulary returns the terms that begin with a prefix.
func (d *DB) Vocabulary(ctx context.Context, prefix string) ([]string, error) {
	query, args := `SELECT term FROM docent_words`, []any{}
	if prefix != "" {
		// No term holds the last rune there is.
		query, args = query+` WHERE term >= ? AND term < ?`, []any{prefix, prefix + "\U0010ffff"}
	}
	out, err := collect(ctx, d.sql, func(r *sql.Rows, term *string) error { return r.Scan(term) }, query, args...)
	return out, d.wrap(err)
}

// Files lists the documents in the order of their paths, without text and chunks.
func (d *DB) Files(ctx context.Context) ([]backend.File, error) {
	out, err := collect(ctx, d.sql, func(r *sql.Rows, f *backend.File) error {
		return r.Scan(&f.Path, &f.Name, &f.Origin, &f.Hash, &f.Bytes, &f.Tokens, &f.Lines, &f.Sections, &f.Rows)
	}, `SELECT s.id, s.name, f.origin, f.hash, f.bytes, f.tokens, f.lines, f.sections,
		(SELECT count(*) FROM docent_chunks c WHERE c.file = s.id)
		FROM sources s JOIN docent_files f ON f.file = s.id ORDER BY s.id`)
	return out, d.wrap(err)
}

// Texts calls fn with every document whose text is known, packed, in the order of their paths.
func (d *DB) Texts(ctx context.Context, fn func(path string, packed []byte) error) error {
	rows, err := d.sql.QueryContext(ctx, `SELECT file, text FROM docent_files WHERE text IS NOT NULL ORDER BY file`)
	if err != nil {
		return d.wrap(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var path string
		var packed []byte
		if err := rows.Scan(&path, &packed); err != nil {
			return d.wrap(err)
		}
		if err := fn(path, packed); err != nil {
			return err
		}
	}
	return d.wrap(rows.Err())
}

// File returns a document with its text and chunks; nil when there is none of that
// path.
func (d *DB) File(ctx context.Context, path string) (*backend.File, error) {
	f := &backend.File{Path: path}
	err := d.sql.QueryRowContext(ctx, `SELECT s.name, f.origin, f.hash, f.bytes, f.tokens, f.lines, f.text FROM sources s JOIN docent_files f ON f.file = s.id WHERE s.id = ?`, path).
		Scan(&f.Name, &f.Origin, &f.Hash, &f.Bytes, &f.Tokens, &f.Lines, &f.Text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, d.wrap(err)
	}
	f.Chunks, err = d.chunks(ctx, `SELECT row AS rowid FROM docent_chunks WHERE file = ? ORDER BY row`, path)
	return f, err
}

// Links returns the references in some chunks, or lead to some
// sections.
func (d *DB) Links(ctx context.Context, from, to []string) ([]backend.Reference, error) {
	out, err := collect(ctx, d.sql, func(r *sql.Rows, x *backend.Reference) error {
		return r.Scan(&x.From, &x.To, &x.Text, &x.Summary, &x.Title)
	}, `SELECT r.from_section_id, coalesce(r.to_section_id, ''), r.ref_text, coalesce(r.summary, ''), s.title FROM "references" r JOIN sections s ON s.id = r.from_section_id
		WHERE r.from_section_id IN (SELECT value FROM json_each(?1)) OR r.to_section_id IN (SELECT value FROM json_each(?2)) ORDER BY r.rowid`, list(from), list(to))
	return out, d.wrap(err)
}

// Referring returns the references that lead to some sections.
func (d *DB) Referring(ctx context.Context, to []string) ([]backend.Reference, error) {
	return d.Links(ctx, nil, to)
}

// Check reports what is wrong with the file, if anything.
func (d *DB) Check(ctx context.Context) error {
	var verdict string
	if err := d.sql.QueryRowContext(ctx, `PRAGMA integrity_check`).Scan(&verdict); err != nil || verdict != "ok" {
		return d.wrap(errors.Join(err, fmt.Errorf("integrity: %s", verdict)))
	}
	var table string
	err := d.sql.QueryRowContext(ctx, `SELECT "table" FROM pragma_foreign_key_check LIMIT 1`).Scan(&table)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return d.wrap(errors.Join(err, fmt.Errorf("a row of %s refers to one that is not there", table)))
}

// Size returns how many bytes the file takes, with what is still in its log.
func (d *DB) Size(ctx context.Context) int64 {
	var pages, size int64
	if d.sql.QueryRowContext(ctx, `PRAGMA page_count`).Scan(&pages) != nil || d.sql.QueryRowContext(ctx, `PRAGMA page_size`).Scan(&size) != nil {
		return 0
	}
	return pages * size
}

// Unresolved counts the unresolved references, by document.
func (d *DB) Unresolved(ctx context.Context) (map[string]int, error) {
	type count struct {
		path string
		n    int
	}
	counts, err := collect(ctx, d.sql, func(r *sql.Rows, c *count) error { return r.Scan(&c.path, &c.n) },
		`SELECT s.source_id, COUNT(*) FROM "references" r JOIN sections s ON s.id = r.from_section_id WHERE r.to_section_id IS NULL GROUP BY s.source_id`)
	out := map[string]int{}
	for _, c := range counts {
		out[c.path] = c.n
	}
	return out, err
}
