package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
)

// ManifestName is the file in a fetched folder that says where the folder comes
// from and what was put into it. It is JSON:
//
//	{
//	  "url": "https://github.com/owner/repo", "branch": "main", "commit": "...", "etag": "...",
//	  "files": {"guide.md": "<SHA-256 in hex>", ...}
//	}
//
// It is in the folder, not in the project's config, because it must be true
// of the folder: a colleague's update changes the config of all, and the folder
// of one. Nothing is asked of the server with "has it changed since?" unless
// every file is there as it was written.
//
// It also says what is the user's: a folder without one, or with files it does
// not name, is not replaced. A file that it names is the source's, and is
// replaced whatever was done to it.
const ManifestName = ".docent-source.json"

const maxManifest = 32 << 20

type manifest struct {
	URL    string            `json:"url"`
	Branch string            `json:"branch,omitempty"`
	Rev    string            `json:"rev,omitempty"`
	Sub    string            `json:"sub,omitempty"`
	Commit string            `json:"commit,omitempty"`
	ETag   string            `json:"etag,omitempty"`
	Files  map[string]string `json:"files"`
}

// readManifest reads the manifest of a folder. A damaged one is as good as none.
func readManifest(root *os.Root) (manifest, bool) {
	data, err := readRegular(root, ManifestName, maxManifest)
	if err != nil {
		return manifest{}, false
	}
	var m manifest
	if json.Unmarshal(data, &m) != nil || len(m.Files) == 0 {
		return manifest{}, false
	}
	for name := range m.Files {
		if !fs.ValidPath(name) {
			return manifest{}, false
		}
	}
	return m, true
}

func (m manifest) write(root *os.Root, name string) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// readRegular reads a file of at most max bytes. What is not a regular file is
// not opened: a pipe would never end.
func readRegular(root *os.Root, name string, max int64) ([]byte, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > max {
		return nil, fmt.Errorf("%s: not a regular file of at most %d bytes", name, max)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, max))
}

// hashes reads the files of a folder that are in want and gives the hash of
// each that is there.
func hashes(root *os.Root, want map[string]string) map[string]string {
	got := make(map[string]string, len(want))
	buf := make([]byte, 64<<10)
	for name := range want {
		info, err := root.Lstat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		f, err := root.Open(name)
		if err != nil {
			continue
		}
		sum := sha256.New()
		_, err = io.CopyBuffer(struct{ io.Writer }{sum}, struct{ io.Reader }{f}, buf)
		_ = f.Close()
		if err == nil {
			got[name] = hex.EncodeToString(sum.Sum(nil))
		}
	}
	return got
}

// strangers lists the first few files of a folder that m does not name: the
// user's own. What systems leave in folders by themselves does not count.
func strangers(root *os.Root, m manifest) ([]string, error) {
	var found []string
	err := fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		switch _, ours := m.Files[name]; {
		case d.IsDir() && !strings.EqualFold(base, ".git"):
			return nil
		case ours, name == ManifestName, base == ".DS_Store", base == "Thumbs.db", base == "desktop.ini":
			return nil
		}
		found = append(found, name)
		if len(found) == 4 {
			return fs.SkipAll
		}
		return nil
	})
	return found, err
}

// A StrangerError says that a folder holds something of the user's and was
// left alone.
type StrangerError struct {
	Dest  string
	Names []string // the first few files that are not the source's
}

func (e *StrangerError) Error() string {
	names := slices.Clone(e.Names)
	if len(names) > 3 {
		names = append(names[:3], "...")
	}
	return fmt.Sprintf("%s holds files that are not from the source (%s): move them, or name another folder", e.Dest, strings.Join(names, ", "))
}

var errNotFolder = errors.New("there is something else than a folder")

// difference says what a new tree changes about an old one.
type difference struct{ added, changed, removed []string }

func compare(before, after map[string]string) difference {
	var d difference
	for name, hash := range after {
		switch old, ok := before[name]; {
		case !ok:
			d.added = append(d.added, name)
		case old != hash:
			d.changed = append(d.changed, name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			d.removed = append(d.removed, name)
		}
	}
	slices.Sort(d.added)
	slices.Sort(d.changed)
	slices.Sort(d.removed)
	return d
}

// Held says what a fetched folder holds.
type Held struct {
	URL    string
	Branch string
	Commit string
	Files  int  // documents: its licence is none
	Whole  bool // every file is there as it was written
}

// documents counts the files that are indexed: a licence comes with them, and is not.
func (m *manifest) documents() int {
	n := 0
	for name := range m.Files {
		if doc.IsMarkdown(name) {
			n++
		}
	}
	return n
}

// Look reads what the folder dest in root holds. It is false for a folder that
// was not fetched.
func Look(root, dest string) (Held, bool) {
	project, err := os.OpenRoot(root)
	if err != nil {
		return Held{}, false
	}
	defer project.Close()
	folder, err := project.OpenRoot(dest)
	if err != nil {
		return Held{}, false
	}
	defer folder.Close()
	m, ok := readManifest(folder)
	if !ok {
		return Held{}, false
	}
	whole := maps.Equal(hashes(folder, m.Files), m.Files)
	return Held{URL: m.URL, Branch: m.Branch, Commit: m.Commit, Files: m.documents(), Whole: whole}, true
}
