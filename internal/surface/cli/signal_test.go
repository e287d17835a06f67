//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A command that waits for its input does not hear the first signal; the second
// ends it.
func TestSecondSignalEnds(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	docent := filepath.Join(t.TempDir(), "docent") // by which name the tests are the program
	if err := os.Symlink(self, docent); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(docent, "toc", "-")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(done)
	}()
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for range 300 {
		select {
		case <-done:
			if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !s.Signaled() {
				t.Errorf("ended by itself: %v", cmd.ProcessState)
			}
			return
		case <-again.C:
			_ = cmd.Process.Signal(os.Interrupt)
		}
	}
	_ = cmd.Process.Kill()
	t.Error("does not end")
}
