package syserr_test

import (
	"errors"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/docent-md/docent/internal/syserr"
)

func TestReaderGone(t *testing.T) {
	signal.Ignore(syscall.SIGPIPE)
	t.Cleanup(func() { signal.Reset(syscall.SIGPIPE) })
	for _, tt := range []struct {
		name  string
		write func(t *testing.T) error
		want  bool
	}{
		{"a pipe of the system whose reader is gone", func(t *testing.T) error {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			_ = r.Close()
			_, err = w.WriteString("x")
			return err
		}, true},
		{"a pipe in memory whose reader is gone", func(*testing.T) error {
			r, w := io.Pipe()
			_ = r.Close()
			_, err := io.WriteString(w, "x")
			return err
		}, true},
		{"a file that was closed", func(t *testing.T) error {
			f, err := os.CreateTemp(t.TempDir(), "")
			if err != nil {
				t.Fatal(err)
			}
			_ = f.Close()
			_, err = f.WriteString("x")
			return err
		}, true},
		{"a full disk", func(*testing.T) error { return &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC} }, false},
		{"a timeout", func(*testing.T) error { return &net.OpError{Op: "write", Err: os.ErrDeadlineExceeded} }, false},
		{"another error", func(*testing.T) error { return errors.New("other") }, false},
		{"none", func(*testing.T) error { return nil }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.write(t); syserr.ReaderGone(err) != tt.want {
				t.Errorf("ReaderGone(%v) is %v", err, !tt.want)
			}
		})
	}
}
