package git

import (
	"bufio"
	"fmt"
	"strings"
	"testing"
	"time"
)

// What git log prints with -z is read as it is: names may hold anything but NUL.
func TestLogEntries(t *testing.T) {
	const log = "\x0120\x00\na.md\x00b c é.md\x00\x0110\x00\na.md\x00"
	var got []string
	read := func(most int) error {
		got = nil
		return logEntries(bufio.NewReader(strings.NewReader(log)), func(path string, when time.Time) bool {
			got = append(got, fmt.Sprintf("%d %s", when.Unix(), path))
			return len(got) < most
		})
	}
	if err := read(9); err != nil || strings.Join(got, ", ") != "20 a.md, 20 b c é.md, 10 a.md" {
		t.Errorf("%q, %v", got, err)
	}
	if err := read(2); err == nil || len(got) != 2 {
		t.Errorf("after enough there are %q, %v", got, err)
	}
	if err := logEntries(bufio.NewReader(strings.NewReader("\x01x\x00")), nil); err == nil {
		t.Error("a time that is none was accepted")
	}
}
