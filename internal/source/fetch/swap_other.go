//go:build !linux

package fetch

import "os"

// exchange cannot be had from the standard library here.
func exchange(*os.Root, string, string) (bool, error) { return false, nil }

// flushAll cannot either.
func flushAll(*os.Root) (bool, error) { return false, nil }

// syncFolder does nothing: these systems journal the names in a folder, or have
// no way to flush them.
func syncFolder(*os.Root) error { return nil }
