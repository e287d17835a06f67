package docent

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/source/config"
)

// A corpus is what one index covers, and where that index lies.
type corpus struct {
	dir    string         // absolute; documents are named relative to it
	config *config.Config // the defaults where the project has none
	file   string         // the config's path, or ""
	store  string         // folder of the index
	help   *help          // what language models contribute; nil for nothing
	choice choice         // of a model for vectors
	sure   bool           // see Options.Confirm
	window bool           // documents are cut into overlapping windows
}

// findCorpus returns the corpus of a root as users name it: a folder, or "" for
// the project one stands in, which is the folder of the nearest config or, with
// none, the current folder.
func findCorpus(root string) (*corpus, error) {
	c := &corpus{config: config.Default()}
	if root == "" {
		here, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		c.dir = here
		if file, ok := config.Find(here); ok {
			c.file, c.dir = file, filepath.Dir(file)
		}
	} else {
		info, err := os.Stat(root)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w: %s", ErrNoPath, root)
		}
		if err != nil {
			return nil, fmt.Errorf("path %s: %w", root, pathCause(err))
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("path %s: not a folder", root)
		}
		if c.dir, err = filepath.Abs(root); err != nil {
			return nil, err
		}
		if dir, ok := indexedBy(c.dir); ok {
			if up, err := findCorpus(filepath.Dir(c.dir)); err == nil && up.file != "" && up.store == c.dir {
				dir = up.dir // the project may have been moved, or be a copy
			}
			d, err := findCorpus(dir)
			if err == nil {
				d.store = c.dir
			}
			return d, err
		}
		file := filepath.Join(c.dir, config.Name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			c.file = file
		}
	}
	// One folder has one index, by whatever name it is reached.
	if real, err := filepath.EvalSymlinks(c.dir); err == nil {
		c.dir = real
	}
	if c.file != "" {
		var err error
		if c.config, err = config.Load(c.file); err != nil {
			return nil, err
		}
	}
	return c, c.placeStore()
}

// indexedBy returns the folder of documents whose index lies in dir.
func indexedBy(dir string) (string, bool) {
	snap, err := segment.OpenStore(dir)
	if err != nil {
		return "", false
	}
	defer snap.Close()
	var m meta
	err = json.Unmarshal(snap.Meta, &m)
	return m.Dir, err == nil && m.Dir != "" && m.Dir != dir
}

// placeStore chooses the folder of the index: beside the config, else in the
// user's cache folder under a name made from the root's. A link that leads out of
// the project is no place for it: it may have come with a clone.
func (c *corpus) placeStore() error {
	if c.file != "" {
		c.store = filepath.Join(c.dir, filepath.FromSlash(c.config.Index))
		if c.config.Index != config.Default().Index && isOccupied(c.store) {
			return fmt.Errorf("config %s: \"index\": %q holds other files: name a folder of its own", c.file, c.config.Index)
		}
		info, err := os.Stat(c.store)
		if within(c.dir, c.store) && (err == nil && info.IsDir() || writable(filepath.Dir(c.store))) {
			return nil
		}
	}
	cache, err := cacheDir()
	if err != nil {
		c.store = "" // the index is kept in memory
		return nil
	}
	sum := sha256.Sum256([]byte(c.dir))
	c.store = filepath.Join(cache, "index", cleanName(filepath.Base(c.dir))+"-"+hex.EncodeToString(sum[:8]))
	return nil
}

// isOccupied reports whether a folder has something in it that is not of an index. One
// that is made there brings a .gitignore that hides all of it.
func isOccupied(dir string) bool {
	entries, err := os.ReadDir(dir)
	ours := len(entries) == 0
	for _, e := range entries {
		if doc.IsMarkdown(e.Name()) {
			return true
		}
		ours = ours || segment.IsMark(e.Name())
	}
	return err == nil && !ours
}

// cacheDir is docent's folder for what can be made again.
func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "docent"), nil
}

// within reports whether a path leads to dir or to what lies in it, links
// followed. Of a path that is not there yet, as much counts as is; a link to
// nowhere leads out.
func within(dir, path string) bool {
	real, err := filepath.EvalSymlinks(path)
	for rest := ""; err != nil; {
		if _, is := os.Lstat(path); is == nil || filepath.Dir(path) == path {
			return false
		}
		rest = filepath.Join(filepath.Base(path), rest)
		path = filepath.Dir(path)
		if real, err = filepath.EvalSymlinks(path); err == nil {
			real = filepath.Join(real, rest)
		}
	}
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	rel, err := filepath.Rel(dir, real)
	return err == nil && filepath.IsLocal(rel)
}

func writable(dir string) bool {
	f, err := os.CreateTemp(dir, ".docent-probe-*")
	if err != nil {
		return false
	}
	_ = f.Close()
	return os.Remove(f.Name()) == nil
}

// cleanName keeps the letters and digits of a folder's name, for people who
// look into the cache.
func cleanName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, s)
	return s[:min(len(s), 40)]
}

// policy is what decides how text becomes an index: when it changes, so does
// the index.
type policy struct {
	Format int      `json:"format"` // of our tables and texts
	Paths  []string `json:"paths"`
	Ignore []string `json:"ignore,omitempty"`
	Max    int      `json:"max"`
	Min    int      `json:"min"`
	Depth  int      `json:"depth"`
	Tokens string   `json:"tokens,omitempty"`
	Window bool     `json:"window,omitempty"`
}

func (c *corpus) policy() policy {
	return policy{
		Format: indexFormat, Paths: c.config.Paths, Ignore: c.config.Ignore,
		Max: c.config.ChunkMax, Min: c.config.ChunkMin, Depth: c.config.ChunkDepth, Tokens: c.config.Tokens, Window: c.window,
	}
}

func (p policy) equal(q policy) bool {
	a, _ := json.Marshal(p)
	b, _ := json.Marshal(q)
	return string(a) == string(b)
}

// sameCut reports whether documents become the same index under both policies.
// Which documents there are does not count: that is found out by looking at them.
func (p policy) sameCut(q policy) bool {
	p.Paths, p.Ignore, q.Paths, q.Ignore = nil, nil, nil, nil
	return p.equal(q)
}
