package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/docent-md/docent/doc"
)

// What is taken from an archive or a repository, and its bounds.
//
// Kept are regular files docent reads (Markdown) and files that say under which
// licence they may be used. Folders that docent does not look into by default
// are left out. All is written through an os.Root, with names that hold on every
// system: a tree is the same on Linux, macOS and Windows.
//
// An entry that is merely of no use (a link, a device, a name Windows cannot
// have, the second of two names that differ by case only, a file over the limit)
// is left out and reported. An archive that can only be an attack or an accident
// is refused as a whole, with the entry at fault: names that lead out of the
// folder, or bounds (options.go) exceeded.

var errOutside = errors.New("leads out of the folder")

type sinkFile struct {
	name      string
	hash      string
	inherited bool // a licence from above the folder: one of the folder's own replaces it
}

// sink takes in files and holds them to the rules above.
type sink struct {
	root    *os.Root
	lim     limits
	entries int
	bytes   int64
	files   []sinkFile
	seen    map[string]bool // folded paths: true for files, false for folders
	skipped []Skip
	skips   int
	wrote   func() // called after each file
}

func newSink(root *os.Root, lim limits) *sink {
	return &sink{root: root, lim: lim, seen: map[string]bool{}, wrote: func() {}}
}

// entry counts one entry and gives its name cleaned: relative, with forward
// slashes, without a way out.
func (k *sink) entry(raw string) (string, error) {
	if k.entries++; k.entries > k.lim.entries {
		return "", &EntryError{raw, fmt.Errorf("one of more than %d", k.lim.entries)}
	}
	slashed := strings.ReplaceAll(raw, `\`, "/")
	drive := len(slashed) > 1 && slashed[1] == ':' && (slashed[0]|0x20) >= 'a' && (slashed[0]|0x20) <= 'z'
	if strings.HasPrefix(slashed, "/") || drive && len(slashed) > 2 && slashed[2] == '/' {
		return "", &EntryError{raw, errOutside}
	}
	for part := range strings.SplitSeq(slashed, "/") {
		if part == ".." {
			return "", &EntryError{raw, errOutside}
		}
	}
	if strings.IndexByte(raw, 0) >= 0 {
		return "", &EntryError{raw, errors.New("a name with a NUL byte")}
	}
	name := path.Clean(raw)
	if name == "." {
		name = ""
	}
	return name, nil
}

func wanted(name string) bool {
	dir, base := path.Split(name)
	if !doc.IsMarkdown(base) && !isLicence(base) || strings.HasPrefix(base, ".") {
		return false
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") {
		switch part {
		case "node_modules", "_build", "dist", "vendor":
			return false
		}
		if strings.HasPrefix(part, ".") {
			return false
		}
	}
	return true
}

// licenceForm matches the files that say how others may be used: LICENSE,
// LICENCE.txt, LICENSE-MIT, COPYING.LESSER, NOTICE, UNLICENSE.
var licenceForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^((un)?licen[cs]e|copying|notice)([-.](mit|bsd|apache(-2\.0)?|mpl|gpl|lgpl|lesser|cc[a-z0-9.-]*|docs?|code|content))?(\.(txt|md|markdown|rst))?$`)
})

func isLicence(base string) bool { return licenceForm().MatchString(base) }

// skip reports an entry that is left out.
func (k *sink) skip(name, reason string) {
	if k.skips++; k.skips <= maxSkipped {
		if !printable(name) || len(name) > 120 {
			name = quoted(name)
		}
		k.skipped = append(k.skipped, Skip{name, reason})
	}
}

// put writes a file of a name that entry has cleaned and wanted has accepted.
// size is what the archive claims; it is not believed.
func (k *sink) put(name string, inherited bool, size int64, r io.Reader) error {
	if reason := unusable(name, k.lim); reason != "" {
		k.skip(name, reason)
		return nil
	}
	if size > k.lim.file {
		k.skip(name, fmt.Sprintf("%d bytes, over the limit of %d", size, k.lim.file))
		return nil
	}
	if reason := k.claim(name, inherited); reason != "" {
		if !inherited {
			k.skip(name, reason)
		}
		return nil
	}
	if len(k.files) >= k.lim.files {
		return &EntryError{name, fmt.Errorf("one of more than %d files", k.lim.files)}
	}
	if err := k.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return &EntryError{name, cause(err)}
	}
	f, err := k.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return &EntryError{name, cause(err)}
	}
	sum := sha256.New()
	room := min(k.lim.file, k.lim.kept-k.bytes)
	n, err := io.Copy(io.MultiWriter(f, sum), io.LimitReader(r, room+1))
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	k.bytes += n
	switch {
	case err != nil:
		return &EntryError{name, cause(err)}
	case k.bytes > k.lim.kept:
		return &EntryError{name, fmt.Errorf("more than %d bytes in all", k.lim.kept)}
	case n > room:
		return &EntryError{name, fmt.Errorf("holds more than the %d bytes it claims", size)}
	}
	k.files = append(k.files, sinkFile{name, hex.EncodeToString(sum.Sum(nil)), inherited})
	k.wrote()
	return nil
}

// claim takes a name, unless it is taken on some system: case and the way
// accents are composed do not tell files apart on macOS and Windows.
func (k *sink) claim(name string, inherited bool) string {
	name = fold(name)
	if file, ok := k.seen[name]; ok {
		if file && !inherited && k.dropInherited(name) {
			return ""
		}
		if file {
			return "another entry has that name, case aside"
		}
		return "a folder has that name, case aside"
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if k.seen[dir] {
			return "lies below a file"
		}
		k.seen[dir] = false
	}
	k.seen[name] = true
	return ""
}

// dropInherited removes the file of a folded name if it is an inherited one.
func (k *sink) dropInherited(folded string) bool {
	i := slices.IndexFunc(k.files, func(f sinkFile) bool { return f.inherited && fold(f.name) == folded })
	if i < 0 || k.root.Remove(k.files[i].name) != nil {
		return false
	}
	k.files = slices.Delete(k.files, i, i+1)
	return true
}

func fold(name string) string {
	return norm.NFC.String(strings.ToLower(strings.ToUpper(norm.NFC.String(name))))
}

// top is the folder that all files lie in, with its slash; empty if there is no
// such folder.
func (k *sink) top() string {
	first, _, _ := strings.Cut(k.files[0].name, "/")
	first += "/"
	if slices.ContainsFunc(k.files, func(f sinkFile) bool { return !strings.HasPrefix(f.name, first) }) {
		return ""
	}
	return first
}

// An EntryError says which entry of an archive is at fault.
type EntryError struct {
	Name  string // as the archive has it
	Cause error
}

func (e *EntryError) Error() string {
	return fmt.Sprintf("entry %s: %v", quoted(e.Name), e.Cause)
}

// Unwrap returns what is wrong with the entry.
func (e *EntryError) Unwrap() error { return e.Cause }

// quoted shows a hostile name on a line, shortened.
func quoted(name string) string {
	if len(name) > 120 {
		name = name[:60] + "..." + name[len(name)-50:]
	}
	return fmt.Sprintf("%q", name)
}

// cause strips an error to what happened; ours name the file as the archive does.
func cause(err error) error {
	for {
		if pe, ok := errors.AsType[*os.PathError](err); ok {
			err = pe.Err
		} else if le, ok := errors.AsType[*os.LinkError](err); ok {
			err = le.Err
		} else {
			return err
		}
	}
}
