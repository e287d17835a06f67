package refresh

import (
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/windows"
)

// bootID names the time since the system was started. A clock that is set changes it,
// which costs as much as a start.
var bootID = sync.OnceValue(func() string {
	at := time.Now().Add(-windows.DurationSinceBoot())
	return strconv.FormatInt(at.Round(time.Minute).Unix(), 10)
})
