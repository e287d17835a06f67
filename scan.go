package docent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/source/crawl"
	"github.com/docent-md/docent/internal/text/markdown"
)

// ScanOptions tune how documents are found. The zero value is a good default.
type ScanOptions struct {
	Ignore []string  // more patterns to skip, as in .gitignore
	Stdin  io.Reader // what the path "-" reads; nil refuses it
}

// A Report says what a scan came across.
type Report struct {
	Files   int    // documents read
	Skipped []Skip // files that were not, and why
}

// A Skip is a file that was left out.
type Skip struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
	Detail string `json:"detail,omitempty"`
}

// Scan reads the Markdown that paths name, takes it apart and calls fn with
// each document, in the order of the paths and, within a folder, of the files'
// paths. A path is a file, a folder, or "-" for standard input. Documents are
// named as their path was typed. Nothing is read before all paths were found
// to exist; a file that was named itself must be readable, one that was found
// in a folder is skipped and reported when it is not. With a nil fn files are only
// counted.
func Scan(ctx context.Context, paths []string, o ScanOptions, fn func(*doc.Document) error) (Report, error) {
	var report Report
	infos := make([]fs.FileInfo, len(paths))
	for i, p := range paths {
		info, err := statPath(p, o)
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
		return report, noDocuments(paths, report)
	}
	return report, nil
}

func noDocuments(paths []string, report Report) error {
	where := fmt.Sprintf("%d places", len(paths))
	if len(paths) == 1 {
		where = paths[0]
	}
	if n := len(report.Skipped); n > 0 {
		return fmt.Errorf("%w in %s: %s skipped (%s)", ErrNoDocuments, where, plural(n, "file"), report.Reasons())
	}
	return fmt.Errorf("%w in %s", ErrNoDocuments, where)
}

func statPath(p string, o ScanOptions) (fs.FileInfo, error) {
	if p == "-" {
		if o.Stdin == nil {
			return nil, errors.New("standard input cannot be read here: name a file")
		}
		return nil, nil
	}
	info, err := os.Stat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", ErrNoPath, p)
	}
	if err != nil {
		return nil, fmt.Errorf("path %s: %w", p, pathCause(err))
	}
	if !info.IsDir() {
		// Read once here, so that nothing is written before a file that cannot
		// be read is found.
		_, err = readNamed(p)
	}
	return info, err
}

// readNamed reads a file the user named. A link is followed: it was asked for.
func readNamed(p string) (crawl.File, error) {
	real, err := filepath.EvalSymlinks(p)
	if err != nil {
		return crawl.File{}, fmt.Errorf("read %s: %w", p, pathCause(err))
	}
	tree, err := crawl.Open(filepath.Dir(real))
	if err != nil {
		return crawl.File{}, fmt.Errorf("read %s: %w", p, pathCause(err))
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

func scanReader(r io.Reader, report *Report, fn func(*doc.Document) error) error {
	data, err := io.ReadAll(io.LimitReader(r, crawl.MaxSize+1))
	if err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	if skip := crawl.Check("standard input", data); skip != nil {
		return fmt.Errorf("read standard input: %s", skipText(*skip))
	}
	return give("stdin.md", data, report, fn)
}

func scanFile(p string, report *Report, fn func(*doc.Document) error) error {
	f, err := readNamed(p)
	if err != nil {
		return err
	}
	return give(filepath.ToSlash(filepath.Clean(p)), f.Data, report, fn)
}

func scanFolder(ctx context.Context, dir string, o ScanOptions, report *Report, fn func(*doc.Document) error) error {
	tree, err := crawl.Open(dir)
	if err != nil {
		return err
	}
	defer tree.Close()
	name := filepath.ToSlash(filepath.Clean(dir))
	found, err := tree.Walk(ctx, crawl.Options{Ignore: o.Ignore}, func(f crawl.File) error {
		return give(path.Join(name, f.Path), f.Data, report, fn)
	})
	for _, s := range found.Skipped {
		report.Skipped = append(report.Skipped, newSkip(name, s))
	}
	return err
}

func newSkip(dir string, s crawl.Skip) Skip {
	return Skip{Path: path.Join(dir, s.Path), Reason: s.Reason.String(), Detail: s.Detail}
}

func give(name string, data []byte, report *Report, fn func(*doc.Document) error) error {
	report.Files++
	if fn == nil {
		return nil
	}
	d := markdown.Parse(name, data)
	return fn(&d)
}

// Reasons sums up why files were skipped: "2 not UTF-8, 1 too large".
func (r Report) Reasons() string {
	var order []string
	count := map[string]int{}
	for _, s := range r.Skipped {
		if count[s.Reason] == 0 {
			order = append(order, s.Reason)
		}
		count[s.Reason]++
	}
	text := ""
	for i, reason := range order {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s %s", commas(count[reason]), reason)
	}
	return text
}

// pathCause strips the operation and path that our own message repeats.
func pathCause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
