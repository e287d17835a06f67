package corpus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/source/crawl"
	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/markdown"
)

// ScanOptions tune how documents are found. The zero value is a good default.
type ScanOptions struct {
	Ignore  []string  // more patterns to skip, as in .gitignore
	Stdin   io.Reader // what the path "-" reads; nil refuses it
	Project *Corpus   // whose patterns to skip count for folders in it; nil means none
}

// Scan parses the Markdown that paths name and calls fn with each document, in the
// order of the paths and, within a folder, of the files' paths. A path is a file, a
// folder, or "-" for standard input. Documents are named as their path was typed. All
// paths must exist before any is read. A file that was named itself must be readable;
// one that was found in a folder is skipped and reported if it is not. With a nil fn
// files are only counted.
func Scan(ctx context.Context, paths []string, o ScanOptions, fn func(*doc.Document) error) (answer.Report, error) {
	var report answer.Report
	infos := make([]fs.FileInfo, len(paths))
	for i, p := range paths {
		info, err := StatPath(p, o)
		if err != nil {
			return report, err
		}
		infos[i] = info
	}
	for i, p := range paths {
		var err error
		switch {
		case p == "-":
			err = scanReader(o.Stdin, &report, fn)
		case infos[i].IsDir():
			err = scanFolder(ctx, p, o, &report, fn)
		default:
			err = scanFile(p, &report, fn)
		}
		if err != nil {
			return report, err
		}
	}
	if report.Files == 0 {
		return report, NoDocuments(paths, report)
	}
	return report, nil
}

func NoDocuments(paths []string, report answer.Report) error {
	where := fmt.Sprintf("%d places", len(paths))
	if len(paths) == 1 {
		where = paths[0]
	}
	if n := len(report.Skipped); n > 0 {
		return fmt.Errorf("%w in %s: %s skipped (%s)", answer.ErrNoDocuments, where, human.Plural(n, "file"), report.Reasons())
	}
	return fmt.Errorf("%w in %s", answer.ErrNoDocuments, where)
}

func StatPath(p string, o ScanOptions) (fs.FileInfo, error) {
	if p == "-" {
		if o.Stdin == nil {
			return nil, errors.New("standard input cannot be read here: name a file")
		}
		return nil, nil
	}
	info, err := os.Stat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", answer.ErrNoPath, p)
	}
	if err != nil {
		return nil, fmt.Errorf("path %s: %w", p, human.PathCause(err))
	}
	if !info.IsDir() {
		// Read once here, so that nothing is written before a file that cannot
		// be read is found.
		_, err = ReadNamed(p)
	}
	return info, err
}

// ReadNamed reads a file the user named. A link is followed: it was asked for.
func ReadNamed(p string) (crawl.File, error) {
	real, err := filepath.EvalSymlinks(p)
	if err != nil {
		return crawl.File{}, fmt.Errorf("read %s: %w", p, human.PathCause(err))
	}
	tree, err := crawl.Open(filepath.Dir(real))
	if err != nil {
		return crawl.File{}, fmt.Errorf("read %s: %w", p, human.PathCause(err))
	}
	defer tree.Close()
	f, err := tree.Read(filepath.Base(real), 0)
	if skip, ok := errors.AsType[*crawl.Skip](err); ok {
		return f, fmt.Errorf("read %s: %s", p, skipText(*skip))
	}
	return f, err
}

func skipText(s crawl.Skip) string {
	if s.Detail != "" {
		return s.Reason.String() + ": " + s.Detail
	}
	return s.Reason.String()
}

func scanReader(r io.Reader, report *answer.Report, fn func(*doc.Document) error) error {
	data, err := io.ReadAll(io.LimitReader(r, crawl.MaxSize+1))
	if err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	if skip := crawl.Check("standard input", doc.EndLines(data)); skip != nil {
		return fmt.Errorf("read standard input: %s", skipText(*skip))
	}
	return parseTo("stdin.md", data, report, fn)
}

func scanFile(p string, report *answer.Report, fn func(*doc.Document) error) error {
	f, err := ReadNamed(p)
	if err != nil {
		return err
	}
	return parseTo(filepath.ToSlash(filepath.Clean(p)), f.Data, report, fn)
}

func scanFolder(ctx context.Context, dir string, o ScanOptions, report *answer.Report, fn func(*doc.Document) error) error {
	tree, err := crawl.Open(dir)
	if err != nil {
		return err
	}
	defer tree.Close()
	name := filepath.ToSlash(filepath.Clean(dir))
	found, err := tree.Walk(ctx, crawl.Options{Ignore: append(o.Project.rulesIn(dir), o.Ignore...)}, func(f crawl.File) error {
		return parseTo(path.Join(name, f.Path), f.Data, report, fn)
	})
	for _, s := range found.Skipped {
		report.Skipped = append(report.Skipped, NewSkip(name, s))
	}
	return err
}

// rulesIn gives the patterns that a project skips as they read from a folder of it.
func (c *Corpus) rulesIn(dir string) []string {
	if c == nil {
		return nil
	}
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return nil
	}
	rel, err := filepath.Rel(c.Dir, real)
	if err != nil || !filepath.IsLocal(rel) {
		return nil
	}
	if rel == "." {
		rel = ""
	}
	files := Files{ignore: c.Config.Ignore}
	return slices.Clone(files.rules(filepath.ToSlash(rel)))
}

func NewSkip(dir string, s crawl.Skip) answer.Skip {
	return answer.Skip{Path: path.Join(dir, s.Path), Reason: s.Reason.String(), Detail: s.Detail}
}

func parseTo(name string, data []byte, report *answer.Report, fn func(*doc.Document) error) error {
	report.Files++
	if fn == nil {
		return nil
	}
	d := markdown.Parse(name, data)
	return fn(&d)
}
