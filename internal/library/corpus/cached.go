package corpus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/internal/engine/segment"
)

// A CachedIndex is an index in the user's cache folder: that of a folder without a
// config, or of a project that cannot be written to.
type CachedIndex struct {
	Dir     string    `json:"dir"`     // where it lies
	Folder  string    `json:"folder"`  // whose documents it covers; "" if that cannot be read
	Bytes   int64     `json:"bytes"`   // on disk
	Updated time.Time `json:"updated"` // when it was written last
	Gone    bool      `json:"gone"`    // the folder is not there any more, or not known: nothing will ask this index
}

// CachedIndexes lists the indexes in the user's cache folder, the largest first.
func CachedIndexes() (dir string, all []CachedIndex, err error) {
	cache, err := cacheDir()
	if err != nil {
		return "", nil, err
	}
	dir = filepath.Join(cache, "index")
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return dir, nil, err
	}
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		if !e.IsDir() || !segment.IsStore(at) {
			continue // not ours
		}
		all = append(all, cachedIndex(at))
	}
	slices.SortFunc(all, func(a, b CachedIndex) int {
		if a.Bytes != b.Bytes {
			return int(min(max(b.Bytes-a.Bytes, -1), 1))
		}
		return strings.Compare(a.Dir, b.Dir)
	})
	return dir, all, nil
}

func cachedIndex(dir string) CachedIndex {
	c := CachedIndex{Dir: dir}
	if snap, err := segment.OpenStore(dir); err == nil {
		var meta struct {
			Dir string `json:"dir"`
		}
		_ = json.Unmarshal(snap.Meta, &meta) // what cannot be read is nobody's
		c.Folder = meta.Dir
		_ = snap.Close()
	}
	_, err := os.Stat(c.Folder)
	c.Gone = c.Folder == "" || errors.Is(err, fs.ErrNotExist)
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil //nolint:nilerr // what cannot be looked at is not counted
		}
		if info, err := d.Info(); err == nil {
			c.Bytes += info.Size()
			if info.ModTime().After(c.Updated) {
				c.Updated = info.ModTime()
			}
		}
		return nil
	})
	return c
}

// Remove deletes the index. It waits for no one: an index that is being written is an
// error. The documents stay, and a question builds it again.
func (c CachedIndex) Remove() error {
	once, cancel := context.WithCancel(context.Background())
	cancel()
	w, err := segment.Lock(once, c.Dir)
	if err != nil {
		return err
	}
	if err := w.RemoveAll(); err != nil {
		return fmt.Errorf("remove %s: %w", c.Dir, err)
	}
	return nil
}
