package segment

import (
	"errors"
	"fmt"
)

// What can be wrong with a file or a folder, for errors.Is. All but ErrLocked
// have the same remedy: build the thing again from its sources. An error that
// is none of these (no permission, too many open files) says nothing about the
// content, and is no reason to throw a healthy index away.
var (
	ErrDamaged = errors.New("damaged")
	ErrVersion = errors.New("another format version")
	ErrForeign = errors.New("not a docent file")
	ErrLocked  = errors.New("another process is writing")
)

// A DamagedError says where a file is not what was written. It is ErrDamaged
// to errors.Is.
type DamagedError struct {
	File   string // path; "" for bytes given by the caller
	Part   string // "" where the damage is outside all parts
	Offset int64  // from the beginning of the file
	Reason string
}

func (e *DamagedError) Error() string {
	if e.Part == "" {
		return fmt.Sprintf("%s: damaged at byte %d: %s", shown(e.File), e.Offset, e.Reason)
	}
	return fmt.Sprintf("%s: damaged at byte %d, part %q: %s", shown(e.File), e.Offset, e.Part, e.Reason)
}

// Unwrap makes errors.Is(err, ErrDamaged) true.
func (e *DamagedError) Unwrap() error { return ErrDamaged }

// A VersionError says that a whole and undamaged header announces a format this
// program does not read. It is ErrVersion to errors.Is.
type VersionError struct {
	File string
	Have uint64 // the version of the file
	Want uint64 // the version this program reads
}

func (e *VersionError) Error() string {
	if e.Have < e.Want {
		return fmt.Sprintf("%s: written by an older docent (format %d, this one reads %d): build it again",
			shown(e.File), e.Have, e.Want)
	}
	return fmt.Sprintf("%s: written by a newer docent (format %d, this one reads %d): upgrade docent, or build it again",
		shown(e.File), e.Have, e.Want)
}

// Unwrap makes errors.Is(err, ErrVersion) true.
func (e *VersionError) Unwrap() error { return ErrVersion }

func foreign(file string) error { return fmt.Errorf("%s: %w", shown(file), ErrForeign) }

func shown(file string) string {
	if file == "" {
		return "packed data"
	}
	return file
}
