//go:build darwin || freebsd || netbsd || openbsd

package refresh

import (
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// bootID names the time since the system was started; "" where that is not known. A
// clock that is set changes it, which costs as much as a start.
var bootID = sync.OnceValue(func() string {
	at, err := unix.SysctlTimeval("kern.boottime")
	if err != nil {
		return ""
	}
	return strconv.FormatInt(int64(at.Sec), 10)
})
