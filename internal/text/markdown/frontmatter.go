package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/BurntSushi/toml"
	"go.yaml.in/yaml/v3"

	"github.com/docent-md/docent/doc"
)

// Front matter is what stands between a first line "---" (YAML) or "+++" (TOML)
// and the next such line. A YAML reader costs as much as scanning the rest of
// the file, so plain front matter is read by plainYAML (yaml.go), which gives up
// on anything it is not certain of; the tests hold the two equal.
//
// maxFrontMatter bounds what is given to the YAML and TOML readers, whose time
// and memory are not ours to bound. Plain front matter may be longer.
const maxFrontMatter = 64 << 10

// A frontMatter is where the front matter of a file stands.
type frontMatter struct {
	fence      string // "---" or "+++"
	start, end int    // what is between its fences
	next       int    // where the file goes on
	lines      int    // how many it has
}

// findFrontMatter returns the front matter of s. It has no lines if there is none.
func findFrontMatter(s []byte) (m frontMatter) {
	at := 0
	if bytes.HasPrefix(s, bom) {
		at = len(bom)
	}
	if len(s)-at < 4 {
		return m
	}
	fence := string(s[at : at+3])
	if fence != "---" && fence != "+++" {
		return m
	}
	line, rest, found := bytes.Cut(s[at:], newline)
	if !found || !isFence(line, fence) {
		return m
	}
	start := len(s) - len(rest)
	first, _, _ := bytes.Cut(bytes.TrimLeft(rest, " \t\r\n"), newline)
	if !plausible(first, fence) {
		return m
	}
	for lines := 2; len(rest) > 0; lines++ {
		end := len(s) - len(rest)
		line, rest, _ = bytes.Cut(rest, newline)
		if isFence(line, fence) || fence == "---" && isFence(line, "...") {
			return frontMatter{fence, start, end, len(s) - len(rest), lines}
		}
	}
	return m // never closed: a thematic break
}

func isFence(line []byte, fence string) bool {
	if len(line) < 3 || string(line[:3]) != fence {
		return false
	}
	n := 3 + spaces(line[3:])
	return n == len(line) || n+1 == len(line) && line[n] == '\r'
}

// plausible reports whether the first line after "---" looks like front matter
// rather than text after a thematic break.
func plausible(line []byte, fence string) bool {
	line = bytes.TrimRight(line, " \t\r")
	if len(line) == 0 || isFence(line, fence) {
		return true
	}
	sep := byte(':')
	if fence == "+++" {
		sep = '='
	}
	switch line[0] {
	case '#':
		// A comment; a heading would have text under it and no second fence.
		return len(line) < 2 || line[1] != '#'
	case '{', '[', '"', '\'', '?', '%':
		return true
	}
	i := bytes.IndexByte(line, sep)
	return i > 0 && bytes.IndexByte(line[:i], '`') < 0
}

// rawValue returns what stands after a key in front matter that cannot be read:
// "title: {#if}" is no YAML, but its author meant it.
func rawValue(text, key string) string {
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, key)
		if !ok || rest[0] != ':' && rest[0] != ' ' && rest[0] != '=' {
			continue
		}
		return words(strings.Trim(rest, ":= \t\r\n\"'"))
	}
	return ""
}

// decodeMeta reads front matter with the YAML or TOML reader. It never panics:
// a reader that does has found broken front matter.
func decodeMeta(fence, text string) (meta map[string]any, err error) {
	if len(text) > maxFrontMatter {
		return nil, fmt.Errorf("over %d KiB", maxFrontMatter>>10)
	}
	defer func() {
		if r := recover(); r != nil {
			meta, err = nil, fmt.Errorf("%v", r)
		}
	}()
	if fence == "+++" {
		_, err = toml.Decode(text, &meta)
	} else {
		var v any
		if err = yaml.Unmarshal([]byte(text), &v); err == nil {
			switch v := tidy(v, new(int)).(type) {
			case map[string]any:
				meta = v
			case nil:
			default:
				err = errors.New("not a map of keys to values")
			}
		}
	}
	if err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), "\n", " "))
	}
	if meta == nil {
		meta = map[string]any{}
	}
	return meta, nil
}

// maxMetaNodes bounds what aliases can make of a small front matter, and the values of a large one.
const maxMetaNodes = 20_000

// tidy makes a decoded value fit for JSON: keys are strings, numbers finite.
func tidy(v any, nodes *int) any {
	if *nodes++; *nodes > maxMetaNodes {
		panic("too many values")
	}
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = tidy(e, nodes)
		}
	case map[any]any:
		m := make(map[string]any, len(v))
		for k, e := range v {
			m[fmt.Sprint(k)] = tidy(e, nodes)
		}
		return m
	case []any:
		for i, e := range v {
			v[i] = tidy(e, nodes)
		}
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprint(v)
		}
	}
	return v
}

// scalar returns a front matter value as text.
func scalar(v any) string {
	switch v := v.(type) {
	case nil, map[string]any, []any:
		return ""
	case string:
		return v
	default:
		return fmt.Sprint(v)
	}
}

// list returns a front matter value as a list: also one written as a single
// value, or as words with commas between them.
func list(v any) []string {
	var out []string
	switch v := v.(type) {
	case nil:
	case []any:
		for _, e := range v {
			if s := scalar(e); s != "" {
				out = append(out, s)
			}
		}
	case []string:
		out = v
	default:
		for s := range strings.SplitSeq(scalar(v), ",") {
			if s = strings.TrimSpace(s); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// words collapses white space.
func words(s string) string {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == ' ' && (i == 0 || i+1 == len(s) || s[i+1] == ' ') {
			return strings.Join(strings.Fields(s), " ")
		}
	}
	return s
}

// read gives d what its front matter says, which is text.
func (m frontMatter) read(d *doc.Document, text string) {
	meta, ok := map[string]any(nil), false
	if m.fence == "---" {
		meta, ok = plainYAML(text)
	}
	if !ok {
		var err error
		if meta, err = decodeMeta(m.fence, text); err != nil {
			d.MetaError = "front matter: " + err.Error()
			d.Title = shorten(rawValue(text, "title"), maxTitle)
			d.Description = shorten(rawValue(text, "description"), maxDescription)
			return
		}
	}
	d.Meta = meta
	d.Title = shorten(words(scalar(meta["title"])), maxTitle)
	d.Description = shorten(words(scalar(meta["description"])), maxDescription)
	d.Slug = scalar(meta["slug"])
	d.Tags = list(meta["tags"])
	d.Aliases = list(meta["aliases"])
}
