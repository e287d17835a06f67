//go:build !unix && !windows

package segment

import (
	"errors"
	"os"
)

const lockFlags = os.O_CREATE | os.O_RDONLY

func openFile(path string) (*os.File, error) { return os.Open(path) }

// mapFile fails: files are read at need.
func mapFile(*os.File, int) ([]byte, func() error, error) {
	return nil, nil, errors.ErrUnsupported
}

func syncDir(*os.Root) error { return nil }
