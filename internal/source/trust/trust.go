// Package trust remembers what the user has approved of a project's config.
//
// A config comes with a clone and may ask docent to go to servers and places of
// its writer's choice. It gets there only after the user said so, once for each
// set of places: an approval is of a hash of what is asked for, so that a config
// that asks for something else is asked about again. Approvals lie in the user's
// config folder, where no project can put one:
//
//	docent/approved/<hash>    a file; its text says what was approved, for people
package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/wholefile"
)

// A Store is where approvals lie.
type Store struct{ dir string }

// User returns the store of the user who runs this.
func User() (Store, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return Store{}, fmt.Errorf("approvals: no folder for this user's settings: set %s (%w)", variables(runtime.GOOS), err)
	}
	return In(filepath.Join(dir, "docent", "approved")), nil
}

// variables names what to set in the environment where a system, as runtime.GOOS names it, has no folder for settings.
func variables(system string) string {
	switch system {
	case "windows":
		return "%AppData%"
	case "darwin":
		return "HOME"
	}
	return "XDG_CONFIG_HOME or HOME"
}

// In returns the store in a folder, which need not exist.
func In(dir string) Store { return Store{dir} }

// Hash names what is asked for: a kind of thing, such as "sources", and the
// places. Their order does not matter, nor that one stands twice.
func Hash(kind string, places ...string) string {
	places = slices.Clone(places)
	slices.Sort(places)
	h := sha256.New()
	fmt.Fprintf(h, "docent approval 1\x00%d:%s", len(kind), kind)
	for _, p := range slices.Compact(places) {
		fmt.Fprintf(h, "\x00%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Approved reports whether the user has approved what a hash names. Any doubt
// means no.
func (s Store) Approved(hash string) bool {
	path, err := s.path(hash)
	if err != nil {
		return false
	}
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// Approve records that the user has approved what a hash names; about says what
// that is.
func (s Store) Approve(hash string, about ...string) error {
	path, err := s.path(hash)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("approve: %w", err)
	}
	if err := wholefile.WriteBytes(path, 0o600, []byte(strings.Join(about, "\n")+"\n")); err != nil {
		return fmt.Errorf("approve: %w", err)
	}
	return nil
}

// ApproveWith approves what a hash names while do runs, and for good if do succeeds: what
// failed leaves no approval that was not there before.
func (s Store) ApproveWith(hash, about string, do func() error) error {
	before := s.Approved(hash)
	if err := s.Approve(hash, about); err != nil {
		return err
	}
	err := do()
	if err != nil && !before {
		if path, perr := s.path(hash); perr == nil {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}

func (s Store) path(hash string) (string, error) {
	if b, err := hex.DecodeString(hash); err != nil || len(b) != sha256.Size || strings.ToLower(hash) != hash {
		return "", fmt.Errorf("%.80q is not the hash of something to approve", hash)
	}
	return filepath.Join(s.dir, hash), nil
}
