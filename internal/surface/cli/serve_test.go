package cli

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// startServe runs "docent serve" over HTTP and returns its URL and how to stop it.
func startServe(t *testing.T, args ...string) (url string, stop func() error) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("# Alpha\n\nText.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	errR, errW := io.Pipe()
	out := &bytes.Buffer{}
	cmd := newServe(newConsole(strings.NewReader(""), out, errW))
	cmd.SetArgs(append(args, "--root", dir))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- cmd.ExecuteContext(ctx)
		_ = errW.Close()
	}()
	line, err := bufio.NewReader(errR).ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %v", err, <-done)
	}
	go func() { _, _ = io.Copy(io.Discard, errR) }()
	_, url, _ = strings.Cut(strings.TrimSpace(line), " at ")
	return url, func() error {
		cancel()
		err := <-done
		if out.Len() > 0 {
			t.Errorf("standard output holds %q", out)
		}
		return err
	}
}

func ask(t *testing.T, url, token string) int {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}

func TestServeOverHTTP(t *testing.T) {
	url, stop := startServe(t, "--http", "0")
	if code := ask(t, url, ""); code != 200 {
		t.Errorf("%s answers %d", url, code)
	}
	if err := stop(); err != nil {
		t.Errorf("a signal ends it with %v", err)
	}
}

func TestServeTakesItsTokenFromTheEnvironment(t *testing.T) {
	t.Setenv("DOCENT_TOKEN", "from-env")
	url, stop := startServe(t, "--http", "127.0.0.1:0")
	if none, right := ask(t, url, ""), ask(t, url, "from-env"); none != 401 || right != 200 {
		t.Errorf("without a token %d, with it %d", none, right)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	url, stop = startServe(t, "--http", "127.0.0.1:0", "--token", "from-flag")
	if env, flag := ask(t, url, "from-env"), ask(t, url, "from-flag"); env != 401 || flag != 200 {
		t.Errorf("the flag does not win: %d, %d", env, flag)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestServeDoesNotStart(t *testing.T) {
	t.Setenv("DOCENT_TOKEN", "")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"without a token where others can reach it", []string{"--http", "0.0.0.0:0", "--root", t.TempDir()}, "needs a token"},
		{"where there is no folder", []string{"--root", filepath.Join(t.TempDir(), "nope")}, "path not found"},
		{"with a tool that does not exist", []string{"--tools", "serch", "--root", t.TempDir()}, `no tool is called "serch"`},
		{"at no address", []string{"--http", "127.0.0.1:x", "--root", t.TempDir()}, "listen on 127.0.0.1:x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := newServe(newConsole(strings.NewReader(""), io.Discard, io.Discard))
			cmd.SilenceErrors, cmd.SilenceUsage = true, true
			cmd.SetArgs(tt.args)
			err := cmd.ExecuteContext(context.Background())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// A client that closes its end is no failure.
func TestServeEndsQuietlyWhenNobodyReads(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	r, w := io.Pipe()
	_ = r.Close()
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	cmd := newServe(newConsole(strings.NewReader(in), w, io.Discard))
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs([]string{"--root", t.TempDir()})
	if err := cmd.ExecuteContext(context.Background()); err != nil {
		t.Errorf("got %v", err)
	}
}
