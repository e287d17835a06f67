package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/source/config"
	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Corpus is the documents that one index covers, and where that index is stored.
type Corpus struct {
	Dir      string           // absolute; documents are named relative to it
	Name     string           // what it is called: after its folder or file
	Config   *config.Config   // the defaults where the project has none
	File     string           // the config's path, or ""
	IndexDir string           // folder of the index; "" when there is no place to store one
	Choice   embedding.Choice // of a model for vectors
	Windows  bool             // documents are cut into overlapping windows

	// Summary returns what a language model wrote about a section, if one did. It may
	// be nil.
	Summary func(d *doc.Document, s doc.Section) (string, bool)
}

// Vary has c skip more than its config says and, with windows, cuts documents into
// overlapping windows of 64 to 320 tokens instead of sections.
func (c *Corpus) Vary(windows bool, ignore []string) {
	own := *c.Config
	own.Ignore = append(slices.Clone(own.Ignore), ignore...)
	if c.Windows = windows; windows {
		own.ChunkMax, own.ChunkMin, own.ChunkDepth = 320, 64, 2
	}
	c.Config = &own
}

// Default is a corpus with default settings and no place of its own.
func Default() *Corpus { return &Corpus{Config: config.Default()} }

// Find returns the corpus of a root as users name it: a folder, or "" for the project
// that contains the working directory, which is the folder of the nearest config or,
// with none, the working directory itself.
func Find(root string) (*Corpus, error) {
	c := Default()
	if root == "" {
		here, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		c.Dir = here
		if file, ok := config.Find(here); ok {
			c.File, c.Dir = file, filepath.Dir(file)
		}
	} else {
		info, err := os.Stat(root)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w: %s", answer.ErrNoPath, root)
		}
		if err != nil {
			return nil, fmt.Errorf("path %s: %w", root, human.PathCause(err))
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("path %s: not a folder", root)
		}
		if c.Dir, err = filepath.Abs(root); err != nil {
			return nil, err
		}
		if dir, ok := indexedBy(c.Dir); ok {
			if up, err := Find(filepath.Dir(c.Dir)); err == nil && up.File != "" && up.IndexDir == c.Dir {
				dir = up.Dir // the project may have been moved, or be a copy
			}
			d, err := Find(dir)
			if err == nil {
				d.IndexDir = c.Dir
			}
			return d, err
		}
		file := filepath.Join(c.Dir, config.Name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			c.File = file
		}
	}
	// One folder has one index, by whatever name it is reached.
	if real, err := filepath.EvalSymlinks(c.Dir); err == nil {
		c.Dir = real
	}
	if c.File != "" {
		var err error
		if c.Config, err = config.Load(c.File); err != nil {
			return nil, err
		}
	}
	c.Name = visible.Line(filepath.Base(c.Dir))
	return c, c.placeIndex()
}

// indexedBy returns the folder of documents whose index is in dir.
func indexedBy(dir string) (string, bool) {
	snap, err := segment.OpenStore(dir)
	if err != nil {
		return "", false
	}
	defer snap.Close()
	var meta struct {
		Dir string `json:"dir"`
	}
	err = json.Unmarshal(snap.Meta, &meta)
	return meta.Dir, err == nil && meta.Dir != "" && meta.Dir != dir
}

// placeIndex chooses the folder of the index: the one the config names, else one in
// the user's cache folder, named after the root. A link that leads out of the project
// is not followed: it may have come with a clone.
func (c *Corpus) placeIndex() error {
	if c.File != "" {
		c.IndexDir = filepath.Join(c.Dir, filepath.FromSlash(c.Config.Index))
		if c.Config.Index != config.Default().Index && isOccupied(c.IndexDir) {
			return fmt.Errorf("config %s: \"index\": %q holds other files: name a folder of its own", c.File, c.Config.Index)
		}
		info, err := os.Stat(c.IndexDir)
		if Within(c.Dir, c.IndexDir) && (err == nil && info.IsDir() || writable(filepath.Dir(c.IndexDir))) {
			return nil
		}
	}
	cache, err := cacheDir()
	if err != nil {
		c.IndexDir = "" // the index lives in memory
		return nil
	}
	sum := sha256.Sum256([]byte(c.Dir))
	c.IndexDir = filepath.Join(cache, "index", CleanName(filepath.Base(c.Dir))+"-"+hex.EncodeToString(sum[:8]))
	return nil
}

// isOccupied reports whether a folder has files that are not of an index. An index
// brings a .gitignore, which would hide them.
func isOccupied(dir string) bool {
	entries, err := os.ReadDir(dir)
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return doc.IsMarkdown(e.Name()) }) {
		return true
	}
	return err == nil && len(entries) > 0 && !segment.IsStore(dir)
}

// cacheDir is docent's folder for what can be rebuilt.
func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "docent"), nil
}

// CacheVariables names what to set in the environment where a system, as runtime.GOOS
// names it, has no folder for caches.
func CacheVariables(system string) string {
	switch system {
	case "windows":
		return "%LocalAppData%"
	case "darwin":
		return "HOME"
	}
	return "XDG_CACHE_HOME or HOME"
}

// Within reports whether a path leads to dir or into it, links followed. Of a path
// that does not exist yet, the part that does is followed; a dangling link leads out.
func Within(dir, path string) bool {
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

// CleanName reduces a folder's name to letters, digits, "-" and "_", for people who
// look into the cache.
func CleanName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, s)
	return s[:min(len(s), 40)]
}

func (c *Corpus) Recipe() Recipe {
	return Recipe{
		Format: Format, Paths: c.Config.Paths, Ignore: c.Config.Ignore,
		Max: c.Config.ChunkMax, Min: c.Config.ChunkMin, Depth: c.Config.ChunkDepth, Tokens: c.Config.Tokens, Window: c.Windows,
	}
}

func (p Recipe) Equal(q Recipe) bool {
	a, _ := json.Marshal(p)
	b, _ := json.Marshal(q)
	return string(a) == string(b)
}

// SameChunking reports whether documents become the same index under both policies.
// Which documents there are does not count: that is found out by looking at them.
func (p Recipe) SameChunking(q Recipe) bool {
	p.Paths, p.Ignore, q.Paths, q.Ignore = nil, nil, nil, nil
	return p.Equal(q)
}

// Indexed reports whether a root has an index already, so that opening it builds none.
func Indexed(root string) bool {
	if info, err := os.Stat(root); root != "" && err == nil && info.Mode().IsRegular() {
		return true // a packed file
	}
	c, err := Find(root)
	return err == nil && c.HasIndex()
}

func (c *Corpus) HasIndex() bool {
	if c.IndexDir == "" {
		return false
	}
	_, err := segment.Generation(c.IndexDir)
	return err == nil
}

// NameOf is the name that the corpus at a root will have. It opens nothing.
func NameOf(root string) string {
	if info, err := os.Stat(root); err == nil && info.Mode().IsRegular() {
		return PackName(root)
	}
	if c, err := Find(root); err == nil {
		return c.Name
	}
	dir, err := filepath.Abs(root)
	if err != nil {
		dir = root
	}
	return visible.Line(filepath.Base(dir))
}

// PackName is what the corpus in a packed file is called.
func PackName(file string) string {
	name := filepath.Base(file)
	return visible.Line(strings.TrimSuffix(name, filepath.Ext(name)))
}
