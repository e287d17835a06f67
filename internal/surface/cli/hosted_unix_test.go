//go:build unix

package cli

import (
	"net/http"
	"os"
	"syscall"
	"testing"
)

// SIGHUP reads the token file again, and opens the access log that was moved.
func TestHangUpReloads(t *testing.T) {
	h := startHosted(t)
	h.call(aliceToken, "toc", nil)
	if err := os.Rename(h.log, h.log+".1"); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	h.waitFor("the token file was read again")
	if status, _ := h.rpc(aliceToken, "tools/list", map[string]any{}); status != http.StatusOK {
		t.Errorf("alice is locked out: %d", status)
	}
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{h.log, h.log + ".1"} {
		if raw, err := os.ReadFile(file); err != nil || len(raw) == 0 {
			t.Errorf("%s has %q (%v)", file, raw, err)
		}
	}
}
