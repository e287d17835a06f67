// Package sqlite stores chunks in a SQLite file that others can read too.
//
// # Tables
//
// What people know from the docsearch roadmap, under its names:
//
//	sources             a row a document; its id is its path
//	sections            a row a chunk; its id is its Ref. A section that chunks name as
//	                    their parent and that is no chunk itself (its text is divided, or
//	                    merged into a neighbour) has a row with no content
//	sections_fts        FTS5 over the chunks, for queries by hand
//	section_embeddings  vec0, a row a chunk, of length 1; only where there are vectors
//	references          a row a link; its name must be quoted
//	meta                what the file is: format, model, corpus
//
// and what ranking needs besides, which no other program should rely on:
//
//	docent_files        a row a document: hash, origin, prices, and its text, packed
//	docent_chunks       a row a chunk. Its number is the rowid of the chunk in
//	                    sections_fts, section_embeddings and docent_terms, which no
//	                    VACUUM changes, as it may the rowids of sections
//	docent_terms        FTS5 without content: the words of a chunk by field, as docent's
//	                    own index has them, and its terms as they are written, each with
//	                    a "=" before it
//	docent_words        every term there ever was, for correcting what is misspelt
//
// A document is replaced in one transaction, in WAL mode: readers see it as it was
// or as it is. One writer at a time; another waits for it.
//
// # The dependency
//
// modernc.org/sqlite is SQLite translated to Go, with FTS5 and sqlite-vec: it keeps
// docent one static binary without cgo. It adds 4.4 MB to it and, by package
// initialisers that cannot be put off, 0.3 ms to every start; no file is touched
// before one is opened.
package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
	_ "modernc.org/sqlite/vec" // vec0
)

// Format is the version of our own tables. A file of another is refused.
const Format = 2

const schema = `
CREATE TABLE sources (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  file TEXT NOT NULL
);
CREATE TABLE sections (
  id TEXT PRIMARY KEY,
  source_id TEXT NOT NULL REFERENCES sources(id),
  parent_id TEXT REFERENCES sections(id),
  title TEXT NOT NULL,
  path TEXT NOT NULL,
  content TEXT NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL
);
CREATE INDEX sections_source ON sections(source_id);
CREATE INDEX sections_parent ON sections(parent_id);
CREATE VIRTUAL TABLE sections_fts USING fts5(
  section_id, title, content
);
CREATE TABLE "references" (
  from_section_id TEXT NOT NULL REFERENCES sections(id),
  to_section_id TEXT,
  ref_text TEXT NOT NULL,
  summary TEXT,
  PRIMARY KEY (from_section_id, ref_text)
);
CREATE INDEX references_to ON "references"(to_section_id);
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value
);
CREATE TABLE docent_files (
  file TEXT PRIMARY KEY REFERENCES sources(id),
  origin TEXT NOT NULL,
  hash TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  sections INTEGER NOT NULL,
  text BLOB
);
CREATE TABLE docent_chunks (
  row INTEGER PRIMARY KEY,
  section_id TEXT NOT NULL UNIQUE REFERENCES sections(id),
  file TEXT NOT NULL REFERENCES sources(id),
  title_length INTEGER NOT NULL,
  headings_length INTEGER NOT NULL,
  body_length INTEGER NOT NULL,
  data BLOB NOT NULL
);
CREATE INDEX docent_chunks_file ON docent_chunks(file);
CREATE INDEX docent_chunks_lengths ON docent_chunks(title_length, headings_length, body_length);
CREATE VIRTUAL TABLE docent_terms USING fts5(
  title, headings, body, terms, content='', contentless_delete=1, tokenize="ascii tokenchars '=_.-:'"
);
CREATE TABLE docent_words (
  term TEXT PRIMARY KEY
) WITHOUT ROWID;
`

// ErrForeign is what opening returns for a file that docent did not make.
var ErrForeign = errors.New("not a database that docent made")

// ErrFormat is what opening returns for a file of another version.
var ErrFormat = errors.New("made by another version of docent: rebuild it with --full")

// ErrDamaged is what opening or reading returns for a file of ours that SQLite cannot
// read.
var ErrDamaged = errors.New("damaged: docent index <folders> --full with the same --db moves it aside and makes a new one")

// A DB is an open file. It may be used by many goroutines at once.
type DB struct {
	sql  *sql.DB
	file string
}

// Open opens a file to read it.
func Open(ctx context.Context, file string) (*DB, error) {
	info, err := os.Stat(file)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fs.ErrNotExist
		}
		return nil, fmt.Errorf("open %s: %w", file, err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("open %s: a folder", file)
	}
	db, err := open(file, "ro")
	if err != nil {
		return nil, err
	}
	good, err := db.checked(ctx)
	if err == nil || errors.Is(err, ErrForeign) || errors.Is(err, ErrFormat) || errors.Is(err, ErrDamaged) || ctx.Err() != nil {
		return good, err
	}
	// SQLite wants to write next to a file in WAL mode even to read it. Where the
	// folder forbids that, no one writes to the file either, and it can be read as
	// it is, if its log was checkpointed.
	if log, serr := os.Stat(file + "-wal"); serr == nil && log.Size() > 0 {
		return nil, err
	}
	if db, err = open(file, "immutable"); err != nil {
		return nil, err
	}
	return db.checked(ctx)
}

// Create opens a file to write to it, and makes it where there is none.
func Create(ctx context.Context, file string) (*DB, error) {
	mode := "rw"
	if info, err := os.Stat(file); err != nil || info.Size() == 0 {
		if _, err := os.Stat(filepath.Dir(file)); err != nil {
			return nil, fmt.Errorf("make %s: its folder is not there", file)
		}
		mode = "rwc"
	}
	db, err := open(file, mode)
	if err != nil {
		return nil, err
	}
	// An existing file may be blank: the program that created it was killed.
	if mode == "rw" && !db.blank(ctx) {
		return db.checked(ctx)
	}
	if err := db.make(ctx); err != nil {
		_ = db.Close()
		return nil, fmt.Errorf("make %s: %w", file, err)
	}
	return db, nil
}

// blank reports whether the file is a database without any table.
func (d *DB) blank(ctx context.Context) bool {
	var n int
	err := d.sql.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&n)
	return err == nil && n == 0
}

// open prepares the connections: to read ("ro"), to read what no one writes to
// ("immutable"), to write ("rw"), and to make the file too ("rwc"). Foreign keys are checked at the end of a
// transaction, so that rows may come in any order.
func open(file, mode string) (*DB, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	path := filepath.ToSlash(abs)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/...
	}
	u := url.URL{Scheme: "file", Path: path}
	q := url.Values{"mode": {mode}, "_pragma": {"busy_timeout(10000)", "foreign_keys(1)", "synchronous(NORMAL)", "cache_size(-32000)", "trusted_schema(0)"}}
	switch mode {
	case "ro":
	case "immutable":
		q.Set("mode", "ro")
		q.Set("immutable", "1")
	default:
		q["_pragma"] = append(q["_pragma"], "journal_mode(WAL)")
		q.Set("_txlock", "immediate")
	}
	db, err := sql.Open("sqlite", u.String()+"?"+q.Encode())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", file, err)
	}
	return &DB{db, file}, nil
}

func (d *DB) make(ctx context.Context) error {
	tx, err := d.sql.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	// Another program may have made it since we looked.
	if have, err := hasTable(ctx, tx, "meta"); err != nil || have {
		return err
	}
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO meta VALUES ('format', ?), ('generator', 'docent')`, Format); err != nil {
		return err
	}
	return tx.Commit()
}

// checked reports whether the file is one of ours.
func (d *DB) checked(ctx context.Context) (*DB, error) {
	var format string
	err := d.sql.QueryRowContext(ctx, `SELECT value FROM meta WHERE key = 'format' AND EXISTS (SELECT 1 FROM meta WHERE key = 'generator' AND value = 'docent')`).Scan(&format)
	if err == nil && format == strconv.Itoa(Format) {
		return d, nil
	}
	_ = d.Close()
	switch {
	case err == nil:
		return nil, fmt.Errorf("open %s: format %s: %w", d.file, format, ErrFormat)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case isDamage(err) && hasOurSchema(d.file):
		return nil, d.wrap(err)
	case errors.Is(err, sql.ErrNoRows), strings.Contains(err.Error(), "no such table"), isDamage(err):
		return nil, fmt.Errorf("open %s: %w", d.file, ErrForeign)
	}
	return nil, fmt.Errorf("open %s: %w", d.file, err)
}

// isDamage reports whether SQLite says that a file is malformed, or none of its own.
func isDamage(err error) bool {
	e, ok := errors.AsType[*driver.Error](err)
	return ok && (e.Code()&0xff == sqlite3.SQLITE_CORRUPT || e.Code()&0xff == sqlite3.SQLITE_NOTADB)
}

// hasOurSchema reports whether the text of our tables stands at the beginning of a file,
// however damaged the rest is.
func hasOurSchema(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 1<<20))
	return err == nil && bytes.Contains(head, []byte("CREATE TABLE docent_chunks"))
}

// Close closes the file.
func (d *DB) Close() error { return d.sql.Close() }

// Meta returns what is stored under a key; nil when nothing is.
func (d *DB) Meta(ctx context.Context, key string) ([]byte, error) {
	var value []byte
	err := d.sql.QueryRowContext(ctx, `SELECT value FROM meta WHERE key = ?`, key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return value, d.wrap(err)
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// vectorTable is only there where there are vectors.
const vectorTable = "section_embeddings"

func hasTable(ctx context.Context, q querier, name string) (bool, error) {
	var n int
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE name = ?`, name).Scan(&n)
	return n > 0, err
}

// collect returns the rows of a query, each as scan reads it.
func collect[T any](ctx context.Context, q querier, scan func(*sql.Rows, *T) error, query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		var x T
		if err := scan(rows, &x); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, rows.Err()
}

func (d *DB) wrap(err error) error {
	switch {
	case err == nil:
		return nil
	case isDamage(err):
		return fmt.Errorf("%s: %w (%w)", d.file, ErrDamaged, err)
	}
	return fmt.Errorf("%s: %w", d.file, err)
}
