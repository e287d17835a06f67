//go:build unix

package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/library/corpus"
)

// documents are a folder of them and the chunks docent cuts them into.
type documents struct {
	name   string
	shared string // folder of corpora beside the checkout
	note   string // what a reader of the numbers must know
	dir    string
	blob   string   // all its text in one file
	files  []string // paths in dir, sorted
	bytes  int64
	chunks []answer.Record
	edits  int
}

// newCorpus unpacks the MDN reference into dir, or takes the example that every
// checkout has.
func newCorpus(ctx context.Context, root, dir string) (*documents, error) {
	shared := os.Getenv("DOCENT_SHARED")
	if shared == "" {
		shared = filepath.Join(root, "..", "shared")
	}
	c := &documents{name: "mdn-reference", shared: shared, dir: filepath.Join(dir, "corpus"), blob: filepath.Join(dir, "all.md")}
	err := unpack(filepath.Join(shared, "corpora", "mdn-reference.tar.gz"), c.dir)
	if errors.Is(err, fs.ErrNotExist) {
		c.name = "examples/harbour"
		c.note = "mdn-reference.tar.gz is not in the shared folder (see DOCENT_SHARED), so this is the example corpus. " +
			"It is tiny: the targets are for the MDN reference and are not shown."
		err = os.CopyFS(c.dir, os.DirFS(filepath.Join(root, "examples", "harbour")))
	}
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	return c, c.read(ctx)
}

// unpack writes the files of an archive below dir.
func unpack(archive, dir string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	root, err := makeRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		name := filepath.FromSlash(h.Name)
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := root.WriteFile(name, data, 0o644); err != nil {
			return err
		}
	}
}

func makeRoot(dir string) (*os.Root, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return os.OpenRoot(dir)
}

// read cuts the corpus as the index does, so that all rivals have the same rows,
// and joins its text.
func (c *documents) read(ctx context.Context) error {
	blob, err := os.Create(c.blob)
	if err != nil {
		return err
	}
	_, err = corpus.Scan(ctx, []string{c.dir}, corpus.ScanOptions{}, func(d *doc.Document) error {
		rel, err := filepath.Rel(c.dir, filepath.FromSlash(d.Path))
		if err != nil {
			return err
		}
		c.files = append(c.files, rel)
		c.bytes += int64(len(d.Source))
		_, err = blob.Write(d.Source)
		return err
	})
	if err := errors.Join(err, blob.Close()); err != nil {
		return err
	}
	c.chunks, err = cut(ctx, c.dir)
	return err
}

// cut reads the documents below dir and cuts them as the index does.
func cut(ctx context.Context, dir string) ([]answer.Record, error) {
	cutter, err := corpus.NewChunker(corpus.ChunkOptions{Max: 800, Min: 100, Depth: 3})
	if err != nil {
		return nil, err
	}
	var out []answer.Record
	_, err = corpus.Scan(ctx, []string{dir}, corpus.ScanOptions{}, func(d *doc.Document) error {
		out = append(out, cutter.Records(d)...)
		return nil
	})
	return out, err
}

// sample copies n files, spread over the whole corpus, to a folder.
func (c *documents) sample(n int, dir string) (string, error) {
	n = min(n, len(c.files))
	root, err := makeRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	for i := range n {
		name := c.files[i*len(c.files)/n]
		data, err := os.ReadFile(filepath.Join(c.dir, name))
		if err != nil {
			return "", err
		}
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return "", err
		}
		if err := root.WriteFile(name, data, 0o644); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// edit adds a line to the next file, one far from the last, and returns its path.
func (c *documents) edit() (string, error) {
	name := c.files[c.edits*7919%len(c.files)]
	c.edits++
	f, err := os.OpenFile(filepath.Join(c.dir, name), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(f, "\nEdit number %d.\n", c.edits)
	return name, errors.Join(err, f.Close())
}
