//go:build !unix && !windows

package segment

import (
	"errors"
	"os"
)

const (
	openFlags = 0
	lockFlags = os.O_CREATE | os.O_RDONLY
)

// mapFile fails: files are read at need.
func mapFile(*os.File, int) ([]byte, func() error, error) {
	return nil, nil, errors.ErrUnsupported
}

func syncDir(*os.Root) error { return nil }

func transient(error) bool { return false }
