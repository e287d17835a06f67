//go:build unix

package crawl

import "syscall"

// nonblock makes opening a FIFO or device return at once. It also saves a
// regular file four of the six system calls that os.OpenFile makes to find out
// that it cannot be polled.
const nonblock = syscall.O_NONBLOCK
