package docent

import (
	"context"
	"errors"
	"sync"
)

// A Keeper holds the newest Library of a corpus for as long as a program runs.
// It may be used by many goroutines at once.
type Keeper struct {
	opts Options
	mu   sync.Mutex
	lib  *Library
}

// NewKeeper takes charge of a library; Close the keeper instead of it.
func NewKeeper(lib *Library, o Options) *Keeper { return &Keeper{opts: o, lib: lib} }

// Library returns the newest library.
func (k *Keeper) Library() *Library {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.lib
}

// With runs fn, and takes in the files behind its answer that turn out to have
// changed, until the answer is true. An index that turns out to be damaged is
// made anew.
func (k *Keeper) With(ctx context.Context, fn func(*Library) error) error {
	for range 5 {
		lib := k.Library()
		err := fn(lib)
		stale, isStale := errors.AsType[*StaleError](err)
		switch {
		case isStale:
			err = k.replace(lib, func() (*Library, error) { return lib.RefreshFiles(ctx, stale.Paths, k.opts) })
		case Damaged(err) && lib.snap != nil:
			k.opts.note("the index is damaged and is made anew: %v", err)
			err = k.replace(lib, func() (*Library, error) { return Rebuild(ctx, lib, k.opts) })
		default:
			return err
		}
		if err != nil {
			return err
		}
	}
	return errors.New("files keep changing: try again")
}

// replace puts a newer library in the place of lib, unless someone else has,
// meanwhile.
func (k *Keeper) replace(lib *Library, newer func() (*Library, error)) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.lib != lib {
		return nil
	}
	next, err := newer()
	if err != nil {
		return err
	}
	k.lib = next
	return nil
}

// Close closes the library.
func (k *Keeper) Close() error { return k.Library().Close() }
