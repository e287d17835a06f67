package refresh

import (
	"os"
	"strings"
	"sync"
)

// bootID names the time since the system was started; "" where that is not known.
var bootID = sync.OnceValue(func() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id))
})
