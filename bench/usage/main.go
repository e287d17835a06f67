//go:build unix

// Usage runs a command and prints what it used, as one JSON object. It is a
// program of its own because a process inherits the peak memory of the one that
// started it, so that whoever measures must be small.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// A report is what a command used.
type report struct {
	CPU    time.Duration `json:"cpu"` // user and system
	Wall   time.Duration `json:"wall"`
	RSS    int64         `json:"rss"` // most bytes of resident memory
	Exit   int           `json:"exit"`
	Bytes  int64         `json:"bytes"` // written to standard output
	Stderr string        `json:"stderr"`
}

func main() {
	r, err := run(os.Args[1:])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "usage:", err)
		os.Exit(2)
	}
}

func run(args []string) (report, error) {
	var r report
	if len(args) == 0 {
		return r, errors.New("no command")
	}
	cmd := exec.Command(args[0], args[1:]...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	// A pipe that someone reads, as agents have it: some programs work less when
	// their output goes nowhere.
	out, err := cmd.StdoutPipe()
	if err != nil {
		return r, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return r, err
	}
	if r.Bytes, err = io.Copy(io.Discard, out); err != nil {
		return r, err
	}
	err = cmd.Wait()
	r.Wall = time.Since(start)
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		return r, err
	}
	state := cmd.ProcessState
	r.CPU = state.UserTime() + state.SystemTime()
	r.Exit = state.ExitCode()
	r.Stderr = stderr.String()
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		r.RSS = int64(u.Maxrss)
		if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
			r.RSS *= 1024
		}
	}
	return r, nil
}
