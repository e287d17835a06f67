package fetch

import (
	"errors"
	"fmt"
	"os"
)

// An EntryError says which entry of an archive is at fault.
type EntryError struct {
	Name  string // as the archive has it
	Cause error
}

func (e *EntryError) Error() string {
	return fmt.Sprintf("entry %s: %v", quoted(e.Name), e.Cause)
}

// Unwrap returns what is wrong with the entry.
func (e *EntryError) Unwrap() error { return e.Cause }

// quoted shows a hostile name on a line, shortened.
func quoted(name string) string {
	if len(name) > 120 {
		name = name[:60] + "..." + name[len(name)-50:]
	}
	return fmt.Sprintf("%q", name)
}

// cause strips an error to what happened; ours name the file as the archive does.
func cause(err error) error {
	for {
		if pe, ok := errors.AsType[*os.PathError](err); ok {
			err = pe.Err
		} else if le, ok := errors.AsType[*os.LinkError](err); ok {
			err = le.Err
		} else {
			return err
		}
	}
}
