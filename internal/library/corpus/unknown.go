package corpus

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// An UnknownKey is a key of a config that docent does not know. It has no effect, and
// stays in the file.
type UnknownKey struct {
	Key   string   // with the object it is in: "boostFields.tilte"
	Name  string   // without
	Known []string // the valid keys of that object
}

// UnknownKeys lists those of a project's config.
func UnknownKeys(root string) []UnknownKey {
	c, err := Find(root)
	if err != nil {
		return nil // opening the project reports it
	}
	return c.UnknownKeys()
}

// MissingPaths lists the paths of a project's config that do not exist.
func MissingPaths(root string) []string {
	c, err := Find(root)
	if err != nil || c.File == "" {
		return nil
	}
	var out []string
	for _, p := range c.Config.Paths {
		if _, err := os.Stat(filepath.Join(c.Dir, filepath.FromSlash(p))); errors.Is(err, fs.ErrNotExist) {
			out = append(out, p)
		}
	}
	return out
}

func (c *Corpus) UnknownKeys() []UnknownKey {
	if c.File == "" {
		return nil
	}
	var out []UnknownKey
	for _, u := range c.Config.Unknown() {
		out = append(out, UnknownKey{u.String(), u.Key, u.Known})
	}
	return out
}
