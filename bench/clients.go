//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A server is one of those that many clients ask.
type server struct {
	name  string
	start []string                     // the command
	body  func(string) ([]byte, error) // of a question
}

// clients measures one server that many ask at once.
func (b *bench) clients(ctx context.Context) error {
	if err := b.reindex(ctx); err != nil {
		return err
	}
	file, err := b.ftsFile(ctx, b.corpus.chunks)
	if err != nil {
		return err
	}
	folder := filepath.Join(b.tmp, "bleve")
	index, err := newBleve(folder, b.corpus.chunks, "standard")
	if err != nil {
		return err
	}
	if err := index.Close(); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	docent := []string{b.docent, "serve", "--http", "127.0.0.1:0", "--root", b.corpus.dir, "--no-refresh", "--max-concurrent", "1000"}
	asQuestion := func(q string) ([]byte, error) { return json.Marshal(q) }
	servers := []server{
		{"docent, by words", docent, call(map[string]any{"mode": "lexical", "rerank": "off"})},
		{"docent, by words and meaning", docent, call(map[string]any{"rerank": "off"})},
		{"docent, with its reranker", docent, call(nil)},
		{"bleve, three fields", []string{self, "-peer", "bleve=" + folder}, asQuestion},
		{"SQLite FTS5 (modernc)", []string{self, "-peer", "fts=" + file}, asQuestion},
	}
	fmt.Fprintf(b.w, "\n## Many clients of one server\n\n%s\n\n| server | clients | questions a second | p50 | p99 | CPU of the server a question |\n|---|---:|---:|---:|---:|---:|\n",
		wrap("Each client asks one question after another for three seconds, over HTTP on one machine, which the clients share with the server. docent answers a call of its MCP tool "+
			"search with the texts, each read and checked; with its reranker it reads questions of three words or more once more, and those that waited a second "+
			"for others not: with 500 clients that is most of them. Its peers stand behind a bare net/http handler; FTS5 fetches the texts, bleve ranks only. Meilisearch and Typesense come in no package that could be had here."))
	for _, s := range servers {
		if err := b.crowd(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// call makes the body of a call of docent's search.
func call(arguments map[string]any) func(string) ([]byte, error) {
	return func(question string) ([]byte, error) {
		with := map[string]any{"query": question, "limit": best}
		maps.Copy(with, arguments)
		return json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": "search", "arguments": with}})
	}
}

// crowd starts a server, has 1, 8, 64 and 500 clients ask it, and adds a row for each.
func (b *bench) crowd(ctx context.Context, s server) (err error) {
	cmd := exec.CommandContext(ctx, s.start[0], s.start[1:]...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	said := bufio.NewReader(stderr)
	line, err := said.ReadString('\n')
	if err != nil {
		return err
	}
	go func() { _, _ = io.Copy(io.Discard, said) }()
	_, url, ok := strings.Cut(strings.TrimSpace(line), " at ")
	if !ok {
		return fmt.Errorf("it named no address: %s", line)
	}
	var bodies [][]byte
	for _, q := range b.corpus.queries(b.queries) {
		body, err := s.body(q)
		if err != nil {
			return err
		}
		bodies = append(bodies, body)
	}
	for _, n := range []int{1, 8, 64, 500} {
		c := &crowd{url: url, bodies: bodies, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: n}}}
		if _, err := c.ask(ctx, n, time.Second); err != nil { // connects, and warms
			return err
		}
		before := cpuOf(cmd.Process.Pid)
		const lasts = 3 * time.Second
		began := time.Now()
		took, err := c.ask(ctx, n, lasts)
		if err != nil {
			return err
		}
		whole := time.Since(began) // questions under way at the end are answered
		after := cpuOf(cmd.Process.Pid)
		c.http.CloseIdleConnections()
		b.row(s.name, fmt.Sprint(n), number(float64(len(took))/whole.Seconds()), number(spreadOf(took).mid)+" ms", number(p99(took).mid)+" ms",
			number(ms(after-before)/float64(len(took)))+" ms")
	}
	return nil
}

// A crowd is what clients of one server share.
type crowd struct {
	url    string
	bodies [][]byte
	http   *http.Client
}

// ask has n clients ask for some time, and returns how many milliseconds each question took.
func (c *crowd) ask(ctx context.Context, n int, lasts time.Duration) ([]float64, error) {
	took := make([][]float64, n)
	failed := make([]error, n)
	var wg sync.WaitGroup
	end := time.Now().Add(lasts)
	for client := range n {
		wg.Go(func() {
			for i := client; time.Now().Before(end) && failed[client] == nil; i++ {
				began := time.Now()
				failed[client] = c.one(ctx, c.bodies[i%len(c.bodies)])
				took[client] = append(took[client], ms(time.Since(began)))
			}
		})
	}
	wg.Wait()
	return slices.Concat(took...), errors.Join(failed...)
}

// one asks one question.
func (c *crowd) one(ctx context.Context, body []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	res, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err == nil && (res.StatusCode != http.StatusOK || bytes.Contains(text, []byte(`"isError":true`)) || bytes.Contains(text, []byte(`"error":{`))) {
		err = fmt.Errorf("%s: %.300s", res.Status, text)
	}
	return err
}

// cpuOf is the CPU time that a running process has had; 0 where the system has no /proc.
func cpuOf(pid int) time.Duration {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(raw), ") ") // behind its name
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	var ticks time.Duration
	for _, f := range fields[11:13] { // user and system, in hundredths of a second
		n, _ := strconv.ParseInt(f, 10, 64)
		ticks += time.Duration(n)
	}
	return ticks * 10 * time.Millisecond
}
