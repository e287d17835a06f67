//go:build !linux

package symbol

import (
	"testing"
	"time"
)

var began = time.Now()

// threadTime is the time that has passed: this system gives us none of a thread.
func threadTime(*testing.T) time.Duration { return time.Since(began) }
