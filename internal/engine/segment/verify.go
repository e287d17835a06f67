package segment

import (
	"errors"
	"fmt"
	"io/fs"
)

// Verify reads the whole file again and returns nil when every byte, padding
// included, is what was written. Otherwise the error is ErrDamaged and has a line
// for each part that is hurt, with the place of its first damage.
func (f *File) Verify() error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.closed {
		return fmt.Errorf("verify %s: %w", shown(f.src.path), fs.ErrClosed)
	}
	return Guard(f.verify)
}

func (f *File) verify() error {
	now, err := f.src.parse()
	if err != nil {
		return err
	}
	if now.sum != f.layout.sum {
		return f.src.damaged(now.table, "the file was replaced in place")
	}
	errs := []error{f.verifyPadding(headerSize, align)}
	for i := range f.layout.blobs {
		b := &f.layout.blobs[i]
		end := b.off + int64(b.n)
		errs = append(errs, b.verifyAll(), f.verifyPadding(end, roundUp(end)))
	}
	return errors.Join(errs...)
}

func (b *Blob) verifyAll() error {
	buf := make([]byte, 0, pageSize)
	var first error
	bad, pages := 0, pagesIn(b.n)
	for p := range pages {
		err := b.verify(p, buf)
		if err == nil {
			continue
		}
		if bad++; first == nil {
			first = err
		}
		if !errors.Is(err, ErrDamaged) {
			return err
		}
	}
	if bad > 1 {
		return fmt.Errorf("%w (and %d more of its %d pages)", first, bad-1, pages)
	}
	return first
}

func (f *File) verifyPadding(from, to int64) error {
	pad, err := f.src.read(from, int(to-from), nil)
	if err == nil && !allZero(pad) {
		err = f.src.damaged(from, "the padding is not zero")
	}
	return err
}
