package harness

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/glob"
	"github.com/docent-md/docent/internal/model/llm"
)

// Files are the tools that an agent has without docent: list, grep and read. They are as
// agents know them, and no worse: matches come with line numbers, files with most matches
// first, and reading may be of a range.
type Files struct {
	paths []string
	text  map[string]string
}

// NewFiles reads the Markdown files of a tree.
func NewFiles(fsys fs.FS) (*Files, error) {
	f := &Files{text: map[string]string{}}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".md") {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		f.paths, f.text[name] = append(f.paths, name), string(text)
		return err
	})
	return f, err
}

// What the tools return at most.
const (
	maxPaths   = 200
	maxMatches = 60
	maxRead    = 2000 // lines
	maxLine    = 300  // characters of a match
)

// Tools implements Toolset.
func (f *Files) Tools() []llm.Tool {
	return []llm.Tool{
		{
			Name: "list", Description: "List the Markdown files, in the order of paths.",
			Schema: []byte(`{"type":"object","properties":{"glob":{"type":"string","description":"only these, e.g. guide/**"}}}`),
		},
		{
			Name: "grep", Description: "Find the lines that match a regular expression (RE2). They come as path:line:text.",
			Schema: []byte(`{"type":"object","properties":{"pattern":{"type":"string"},` +
				`"glob":{"type":"string","description":"only files that match, e.g. guide/**"},` +
				`"ignore_case":{"type":"boolean"},` +
				`"count":{"type":"boolean","description":"only how many lines match in each file, most first"}},"required":["pattern"]}`),
		},
		{
			Name: "read", Description: "Read a file with line numbers, whole (up to 2,000 lines) or a range of its lines.",
			Schema: []byte(`{"type":"object","properties":{"path":{"type":"string"},"from":{"type":"integer"},"to":{"type":"integer"}},"required":["path"]}`),
		},
	}
}

// Instructions implements Toolset.
func (f *Files) Instructions() string {
	return fmt.Sprintf("The documentation is %d Markdown files.", len(f.paths))
}

// Call implements Toolset.
func (f *Files) Call(_ context.Context, name, args string) (string, bool, error) {
	var in struct {
		Glob, Pattern, Path string
		IgnoreCase          bool `json:"ignore_case"`
		Count               bool
		From, To            int
	}
	text, err := "", decodeStrictly(args, &in)
	if err == nil {
		switch name {
		case "list":
			text, err = f.list(in.Glob)
		case "grep":
			if in.IgnoreCase {
				in.Pattern = "(?i)" + in.Pattern
			}
			text, err = f.grep(in.Pattern, in.Glob, in.Count)
		case "read":
			text, err = f.read(in.Path, in.From, in.To)
		default:
			err = fmt.Errorf("no tool is called %q: there are list, grep and read", name)
		}
	}
	if err != nil {
		return err.Error(), true, nil
	}
	return text, false, nil
}

func decodeStrictly(args string, into any) error {
	d := json.NewDecoder(bytes.NewReader([]byte(cmp.Or(args, "{}"))))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("arguments: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("arguments: more than one JSON value")
	}
	return nil
}

// choose returns the paths that a pattern matches; all for "".
func (f *Files) choose(pattern string) ([]string, error) {
	if pattern == "" {
		return f.paths, nil
	}
	p, ok := glob.Compile(pattern)
	if !ok {
		return nil, fmt.Errorf("%q is not a glob", pattern)
	}
	some := slices.DeleteFunc(slices.Clone(f.paths), func(name string) bool { return !p.Match(name) })
	if len(some) == 0 {
		return nil, fmt.Errorf("no file matches %q", pattern)
	}
	return some, nil
}

func (f *Files) list(pattern string) (string, error) {
	some, err := f.choose(pattern)
	if err != nil {
		return "", err
	}
	return limited(some, maxPaths), nil
}

// limited joins lines, and says how many were left out.
func limited(lines []string, most int) string {
	if len(lines) <= most {
		return strings.Join(lines, "\n")
	}
	return fmt.Sprintf("%s\n[%d more]", strings.Join(lines[:most], "\n"), len(lines)-most)
}

func (f *Files) grep(pattern, only string, count bool) (string, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", err
	}
	some, err := f.choose(only)
	if err != nil {
		return "", err
	}
	type file struct {
		path    string
		matches []string
	}
	var found []file
	for _, name := range some {
		at := file{path: name}
		n := 0
		for line := range strings.Lines(f.text[name]) {
			if n++; re.MatchString(strings.TrimRight(line, "\r\n")) {
				at.matches = append(at.matches, fmt.Sprintf("%s:%d:%.*s", name, n, maxLine, strings.TrimRight(line, "\r\n")))
			}
		}
		if len(at.matches) > 0 {
			found = append(found, at)
		}
	}
	if len(found) == 0 {
		return fmt.Sprintf("no line matches in %d files", len(some)), nil
	}
	slices.SortStableFunc(found, func(a, b file) int { return cmp.Compare(len(b.matches), len(a.matches)) })
	var lines []string
	for _, at := range found {
		if count {
			lines = append(lines, fmt.Sprintf("%s:%d", at.path, len(at.matches)))
		} else {
			lines = append(lines, at.matches...)
		}
	}
	return limited(lines, maxMatches), nil
}

func (f *Files) read(name string, from, to int) (string, error) {
	name = path.Clean(strings.TrimPrefix(name, "./"))
	text, ok := f.text[name]
	if !ok {
		return "", fmt.Errorf("no file %q: list names them", name)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	from = max(from, 1)
	if from > len(lines) {
		return "", fmt.Errorf("%s has %d lines", name, len(lines))
	}
	if to < from {
		to = len(lines)
	}
	to = min(to, len(lines), from+maxRead-1)
	b := &strings.Builder{}
	for i, line := range lines[from-1 : to] {
		fmt.Fprintf(b, "%6d\t%s\n", from+i, line)
	}
	if to < len(lines) {
		fmt.Fprintf(b, "[%d lines more]\n", len(lines)-to)
	}
	return b.String(), nil
}
