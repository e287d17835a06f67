//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !windows

package refresh

// bootID is not known: each time may be the first after a start.
var bootID = func() string { return "" }
