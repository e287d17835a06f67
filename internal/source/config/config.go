// Package config reads and writes .docent.json, the file that says which
// folders make up a project's docs and how they are cut and ranked.
//
// A project's config comes with a clone and is not trusted: it can name no
// place outside the project, and every number in it has bounds. Writing one
// back keeps the keys docent does not know, and the order of all.
package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Name is the name of the file.
const Name = ".docent.json"

// maxSize bounds what is read: no real config comes near it.
const maxSize = 1 << 20

// A Config is what .docent.json says. Keys that are absent have their default.
type Config struct {
	Paths       []string // folders and files to index, relative to the project
	Index       string   // folder of the index, relative to the project
	ChunkMax    int      // largest chunk, in tokens
	ChunkMin    int      // smallest chunk: smaller sections merge
	ChunkDepth  int      // heading levels that begin a chunk
	Boost       Boost
	Ignore      []string          // more patterns to skip, as in .gitignore
	Tokens      string            // how tokens are counted
	Name        string            // what the docs are called; "" means after their folder
	Description string            // what the docs are about, in a line
	Synonyms    [][]string        // groups of words that mean the same
	Folders     map[string]string // what folders are about, in a sentence each
	Sources     []Source          // where paths that were fetched come from

	members []member // the file as it was read
}

// Boost weighs the places a word can be found in.
type Boost struct {
	Title    float64 `json:"title"`
	Headings float64 `json:"headings"`
	Body     float64 `json:"body"`
}

// member is one key of the file with its value, in the order of the file.
type member struct {
	key   string
	value json.RawMessage
}

// Default returns what holds where a config is silent or absent.
func Default() *Config {
	return &Config{
		Paths:      []string{"."},
		Index:      ".docent",
		ChunkMax:   800,
		ChunkMin:   100,
		ChunkDepth: 3,
		Boost:      Boost{Title: 2, Headings: 1.5, Body: 1},
	}
}

// Find returns the config nearest to dir: in it or in a folder above it.
func Find(dir string) (path string, ok bool) {
	for {
		path = filepath.Join(dir, Name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// Load reads the config at path.
func Load(path string) (*Config, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("config %s: %w", path, cause(err))
	}
	if !info.Mode().IsRegular() || info.Size() > maxSize {
		return nil, fmt.Errorf("config %s: not a regular file of at most 1 MiB", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("config %s: %w", path, cause(err))
	}
	c, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("config %s: %w", path, err)
	}
	return c, nil
}

// Parse reads the text of a config.
func Parse(data []byte) (*Config, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	c := Default()
	var err error
	if c.members, err = parseObject(data); err != nil {
		return nil, err
	}
	return c, c.set(c.members)
}

// set takes over the values of known keys.
func (c *Config) set(members []member) error {
	fields := c.fields()
	for _, m := range members {
		if target, ok := fields[m.key]; ok {
			if err := json.Unmarshal(m.value, target); err != nil {
				return fmt.Errorf("%q %w", m.key, wrongType(err))
			}
		}
	}
	return c.check()
}

// fields maps the keys of the file to where their values go.
func (c *Config) fields() map[string]any {
	return map[string]any{
		"paths": &c.Paths, "index": &c.Index,
		"chunkMaxTokens": &c.ChunkMax, "chunkMinTokens": &c.ChunkMin, "chunkDepth": &c.ChunkDepth,
		"boostFields": &c.Boost, "ignore": &c.Ignore, "tokens": &c.Tokens, "name": &c.Name, "description": &c.Description,
		"synonyms": &c.Synonyms, "folders": &c.Folders, "sources": &c.Sources,
	}
}

// Says reports whether the file has a key. What is absent has its default.
func (c *Config) Says(key string) bool {
	return slices.ContainsFunc(c.members, func(m member) bool { return m.key == key })
}

// check holds the values to their bounds.
func (c *Config) check() error {
	for i, p := range c.Paths {
		local, err := Local(p)
		if err != nil {
			return fmt.Errorf("\"paths\": %w", err)
		}
		c.Paths[i] = local
	}
	if len(c.Paths) > 1000 {
		return errors.New("\"paths\" names more than 1000 places")
	}
	if len(c.Synonyms) > 10_000 {
		return errors.New("\"synonyms\" has more than 10,000 groups")
	}
	for _, group := range c.Synonyms {
		if len(group) < 2 || len(group) > 20 {
			return fmt.Errorf("\"synonyms\": %q: a group has 2 to 20 words or phrases", group)
		}
	}
	if err := c.checkFolders(); err != nil {
		return err
	}
	if err := checkSources(c.Sources); err != nil {
		return fmt.Errorf("\"sources\": %w", err)
	}
	index, err := Local(c.Index)
	if err != nil {
		return fmt.Errorf("\"index\": %w", err)
	}
	if index == "." {
		return errors.New("\"index\": must name a folder of its own")
	}
	c.Index = index
	for _, n := range []struct {
		key           string
		value, lo, hi int
	}{
		{"chunkMaxTokens", c.ChunkMax, 16, 100_000},
		{"chunkMinTokens", c.ChunkMin, 0, c.ChunkMax},
		{"chunkDepth", c.ChunkDepth, 1, 6},
	} {
		if n.value < n.lo || n.value > n.hi {
			return fmt.Errorf("%q is %d: must lie between %d and %d", n.key, n.value, n.lo, n.hi)
		}
	}
	for _, w := range []struct {
		key   string
		value float64
	}{{"title", c.Boost.Title}, {"headings", c.Boost.Headings}, {"body", c.Boost.Body}} {
		if !(w.value >= 0 && w.value <= 100) {
			return fmt.Errorf("\"boostFields\": %s is %v: must lie between 0 and 100", w.key, w.value)
		}
	}
	return nil
}

// maxAbout is the most bytes of what is said of a folder.
const maxAbout = 500

// checkFolders cleans the names of folders.
func (c *Config) checkFolders() error {
	if len(c.Folders) > 1000 {
		return errors.New("\"folders\" describes more than 1000 folders")
	}
	clean := map[string]string{}
	for name, about := range c.Folders {
		local, err := Local(name)
		if err != nil {
			return fmt.Errorf("\"folders\": %w", err)
		}
		if len(about) > maxAbout {
			return fmt.Errorf("\"folders\": %s has %d bytes: a sentence of %d at most will do", name, len(about), maxAbout)
		}
		clean[local] = about
	}
	if c.Folders != nil {
		c.Folders = clean
	}
	return nil
}

// Local cleans a path a config names and refuses those that lead out of the
// project.
func Local(path string) (string, error) {
	slashed := strings.ReplaceAll(path, `\`, "/")
	if path == "" || strings.ContainsRune(path, 0) || !filepath.IsLocal(filepath.FromSlash(slashed)) {
		return "", fmt.Errorf("%q leads out of the project: name a folder inside it", path)
	}
	return filepath.ToSlash(filepath.Clean(filepath.FromSlash(slashed))), nil
}

// AddPath adds a path and reports whether it was new.
func (c *Config) AddPath(path string) bool {
	if slices.Contains(c.Paths, path) {
		return false
	}
	c.Paths = append(c.Paths, path)
	return true
}

// RemovePath takes a path off and reports whether it was there.
func (c *Config) RemovePath(path string) bool {
	i := slices.Index(c.Paths, path)
	if i < 0 {
		return false
	}
	c.Paths = slices.Delete(c.Paths, i, i+1)
	return true
}

// cause strips the operation and path that our own message repeats.
func cause(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
