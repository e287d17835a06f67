package docent

import (
	"context"
	"errors"
)

// A Keeper holds the newest Library of a corpus while a program asks it one thing
// after another. It serves one goroutine.
type Keeper struct {
	opts Options
	lib  *Library
}

// NewKeeper takes charge of a library; Close the keeper instead of it.
func NewKeeper(lib *Library, o Options) *Keeper { return &Keeper{opts: o, lib: lib} }

// Library returns the newest library.
func (k *Keeper) Library() *Library { return k.lib }

// With runs fn, and takes in the files behind its answer that turn out to have
// changed, until the answer is true. An index that turns out to be damaged is
// made anew.
func (k *Keeper) With(ctx context.Context, fn func(*Library) error) error {
	for round := range 5 {
		err := fn(k.lib)
		stale, isStale := errors.AsType[*StaleError](err)
		var next *Library
		switch {
		case isStale:
			paths := stale.Paths
			if round == 2 {
				paths = nil // there seem to be many: all are compared
			}
			if next, err = k.lib.RefreshFiles(ctx, paths, k.opts); Damaged(err) {
				next, err = k.lib.remake(ctx, err, k.opts)
			}
		case Damaged(err) && k.lib.snap != nil:
			next, err = k.lib.remake(ctx, err, k.opts)
		default:
			return err
		}
		if err != nil {
			return err
		}
		if next != k.lib {
			_ = k.lib.Close()
			k.lib = next
		}
	}
	return errors.New("files keep changing: try again")
}

// Close closes the library.
func (k *Keeper) Close() error { return k.lib.Close() }
