package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/wholefile"
)

// maxRewrite is the size of the largest file that rewrite changes.
const maxRewrite = 10 << 20

// rewrite changes or creates a file atomically. It follows a symbolic link, and the
// file keeps its mode. It reports whether the text changed; if not, nothing is written.
func rewrite(name string, change func(old []byte) ([]byte, error)) (changed bool, err error) {
	defer func() {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe.Err
		}
		if err != nil {
			err = fmt.Errorf("write %s: %w", clean(name), err)
		}
	}()
	file := name
	if real, err := filepath.EvalSymlinks(name); err == nil {
		file = real
	} else if _, lerr := os.Lstat(name); lerr == nil {
		return false, err // a dangling link
	}
	mode := fs.FileMode(0o644)
	info, err := os.Stat(file)
	isNew := errors.Is(err, fs.ErrNotExist)
	switch {
	case isNew:
	case err != nil:
		return false, err
	case !info.Mode().IsRegular():
		return false, errors.New("not a regular file")
	case info.Size() > maxRewrite:
		return false, fmt.Errorf("larger than %d bytes", maxRewrite)
	default:
		mode = info.Mode().Perm()
	}
	read := func() ([]byte, error) {
		if isNew {
			return nil, nil
		}
		return os.ReadFile(file)
	}
	old, err := read()
	if err != nil {
		return false, err
	}
	text, err := change(old)
	if err != nil || !isNew && bytes.Equal(text, old) {
		return false, err
	}
	err = wholefile.Write(file, mode, func(w io.Writer) error {
		if _, err := w.Write(text); err != nil {
			return err
		}
		// What another program wrote meanwhile must not be lost.
		if now, err := read(); err != nil || !bytes.Equal(now, old) {
			return errors.New("another program has just changed it: run this again")
		}
		return nil
	})
	return err == nil, err
}

// reportRewrite prints what rewrite did to a file.
func reportRewrite(c *console, file string, size int, changed, asJSON bool) error {
	what := fmt.Sprintf("wrote %d bytes into %s", size, clean(file))
	if !changed {
		what = clean(file) + " is up to date"
	}
	return c.report(asJSON, struct {
		File    string `json:"file"`
		Bytes   int    `json:"bytes"`
		Changed bool   `json:"changed"`
	}{file, size, changed}, "%s\n", what)
}

// parseSize reads a number of bytes: 8192, 8KB (8,000), 8KiB (8,192), 1MB.
func parseSize(s string) (int, error) {
	text := strings.ToUpper(strings.TrimSpace(s))
	number := strings.TrimRight(text, "BIKMG ")
	unit, ok := map[string]float64{
		"": 1, "B": 1, "K": 1e3, "KB": 1e3, "KIB": 1 << 10, "M": 1e6, "MB": 1e6, "MIB": 1 << 20,
	}[strings.TrimSpace(text[len(number):])]
	n, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(n > 0) || n*unit > math.MaxInt32 {
		return 0, fmt.Errorf("%q is not a size: write 8192, 8KB or 8KiB", s)
	}
	return int(n * unit), nil
}

func noRoot(root string) error { return fmt.Errorf("%w: %s", docent.ErrNoPath, clean(root)) }
