// Package wholefile replaces files so that there is all of the new one or all of
// the old, whatever happens in between.
package wholefile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write makes a file of what fill writes, next to the one of that name, flushes it
// to disk and lets it take that one's place. After an error, fill's too, the old
// file is as it was and nothing else is left.
func Write(name string, mode fs.FileMode, fill func(io.Writer) error) error {
	RemoveDead(name)
	tmp, err := os.CreateTemp(filepath.Dir(name), fmt.Sprintf(".%s.%d-*.tmp", filepath.Base(name), os.Getpid()))
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // of no effect once it has its name
	w := bufio.NewWriter(tmp)
	err = fill(w)
	if err == nil {
		err = errors.Join(w.Flush(), tmp.Chmod(mode), tmp.Sync())
	}
	if err := errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return Replace(tmp.Name(), name)
}

// WriteBytes is Write for what is at hand.
func WriteBytes(name string, mode fs.FileMode, data []byte) error {
	return Write(name, mode, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
