// Package blob says how engines read stored bytes: in pieces, from a part of a
// mapped file or from memory.
package blob

import (
	"errors"
	"fmt"
)

// A Blob is bytes that can be read in pieces. It may be used by many goroutines
// at once.
type Blob interface {
	Len() int

	// Bytes returns n bytes from off on. They must not be changed and stay
	// valid as long as the Blob is in use. An error means that the bytes are
	// not there or not what was written.
	Bytes(off, n int) ([]byte, error)
}

// ErrDamaged is what Memory returns, wrapped, for bytes that are not there.
var ErrDamaged = errors.New("damaged index")

// Memory is a Blob in memory.
type Memory []byte

// Len returns the number of bytes.
func (m Memory) Len() int { return len(m) }

// Bytes returns n bytes from off on.
func (m Memory) Bytes(off, n int) ([]byte, error) {
	if off < 0 || n < 0 || off > len(m) || n > len(m)-off {
		return nil, fmt.Errorf("%w: %d bytes at %d of %d", ErrDamaged, n, off, len(m))
	}
	return m[off : off+n : off+n], nil
}
