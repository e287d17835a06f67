// Package human words numbers, times, causes and command lines for people.
package human

import (
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Plural gives "1 file", "2 files", "10,954 files".
func Plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return Commas(n) + " " + word + "s"
}

// Commas groups the digits of a number by threes.
func Commas(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Ago gives the time since t in its largest unit.
func Ago(t time.Time) string {
	d := time.Since(t)
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		if d >= u.unit {
			return Plural(int(d/u.unit), u.name) + " ago"
		}
	}
	return "just now"
}

// ByteSize gives "21 kB", "3.4 MB".
func ByteSize(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// PathCause strips the operation and path of an error that the caller's own message
// repeats.
func PathCause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
