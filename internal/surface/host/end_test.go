package host

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// listen serves until stop is called, which returns when the server has ended.
func listen(t *testing.T, h *Host) (url string, stop func(), ended chan error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	at, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- h.ListenAndServe(ctx, "127.0.0.1:0", func(u string) { at <- u }) }()
	t.Cleanup(cancel)
	select {
	case url = <-at:
	case err := <-ended:
		t.Fatal(err)
	}
	return strings.TrimSuffix(url, "/mcp"), cancel, ended
}

func TestShutdownFinishesWhatRuns(t *testing.T) {
	b := newBlocking()
	h := newHost(t, Options{View: b.view, Grace: time.Minute})
	url, stop, ended := listen(t, h)
	answer := make(chan string, 1)
	go func() {
		res, err := http.Get(url + "/")
		if err != nil {
			answer <- err.Error()
			return
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		answer <- string(text)
	}()
	<-b.began
	stop()
	for !h.isDraining() {
		time.Sleep(time.Millisecond)
	}
	if w := do(h, asRequest(http.MethodGet, "/", "", "")); w.Code != 503 || w.Header().Get("Retry-After") == "" {
		t.Errorf("a new request: %d %v", w.Code, w.Header())
	}
	if w := do(h, asRequest(http.MethodGet, "/healthz", "", "")); w.Code != 503 {
		t.Errorf("health: %d", w.Code)
	}
	select {
	case err := <-ended:
		t.Fatalf("the server ended while a request ran: %v", err)
	default:
	}
	close(b.end)
	if got := <-answer; got != "finished\n" {
		t.Errorf("the running request got %q", got)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A request that does not end by itself does not keep the server.
func TestShutdownEnds(t *testing.T) {
	b := newBlocking()
	h := newHost(t, Options{View: b.view, Grace: 10 * time.Millisecond})
	url, stop, ended := listen(t, h)
	go func() {
		if res, err := http.Get(url + "/"); err == nil {
			_ = res.Body.Close()
		}
	}()
	<-b.began
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A stream has no end of its own, so that it is not waited for.
func TestShutdownEndsStreams(t *testing.T) {
	b := newBlocking()
	h := newHost(t, Options{View: b.view, Grace: time.Hour})
	_, stop, ended := listen(t, h)
	ctx, cancel := context.WithCancel(t.Context())
	before, after := &running{h: h, cancel: cancel}, &running{h: h}
	h.addStream(before)
	stop()
	<-ctx.Done()
	late, cancelLate := context.WithCancel(t.Context())
	after.cancel = cancelLate
	h.addStream(after)
	<-late.Done()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestFollowNoticesChanges(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	changed := make(chan struct{}, 100)
	go Follow(t.Context(), file, time.Millisecond, func() { changed <- struct{}{} })
	for text := "a"; ; text += "a" { // until Follow has seen it before, and now
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		select {
		case <-changed:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func TestLogsAreOpenedAgain(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "access.log")
	l, err := OpenLog(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	l.add(entry{Path: "/one"})
	if err := os.Rename(file, file+".1"); err != nil {
		t.Fatal(err)
	}
	if err := l.Reopen(); err != nil {
		t.Fatal(err)
	}
	l.add(entry{Path: "/two"})
	for name, want := range map[string]string{file + ".1": "/one", file: "/two"} {
		if raw, err := os.ReadFile(name); err != nil || strings.Count(string(raw), "\n") != 1 || !strings.Contains(string(raw), want) {
			t.Errorf("%s has %q (%v)", name, raw, err)
		}
	}
}
