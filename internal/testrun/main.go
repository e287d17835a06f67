// Command testrun runs go test with its own arguments, prints what go test prints,
// and closes with a line on what the tests that were skipped lacked:
//
//	skipped: 9 tests for want of the shared folder, 2 for want of rg; 14 for other reasons
//
// It exits as go test does. With -events=FILE as the first argument, what go test -json says
// is also written to that file: "gates -events FILE" judges it without another run.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
		code = 2
	}
	os.Exit(code)
}

func run(args []string) (code int, err error) {
	var keep io.Writer = io.Discard
	if len(args) > 0 && strings.HasPrefix(args[0], "-events=") {
		file, failed := os.Create(strings.TrimPrefix(args[0], "-events="))
		if failed != nil {
			return 0, failed
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		keep, args = file, args[1:]
	}
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	events, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	skipped, err := follow(io.TeeReader(events, keep), os.Stdout)
	waited := cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](waited); ok && err == nil {
		waited, code = nil, exit.ExitCode()
	}
	fmt.Println(skipped)
	return code, errors.Join(err, waited)
}
