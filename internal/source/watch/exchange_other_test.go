//go:build !linux

package watch

import "errors"

func exchange(string, string) error { return errors.ErrUnsupported }
