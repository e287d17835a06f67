package sitetree

import (
	"encoding/json"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-md/docent/internal/text/markdown"
)

// Writers order pages in three ways, which generators of sites have:
//
//   - A field of front matter, the first of OrderFields that is a number. That of an index
//     page is the place of its folder.
//   - The file _category_.json of a folder, as Docusaurus has it: "position", and "label" for
//     the folder's title.
//   - "nav" in mkdocs.yml at the top: then the others do not count. A folder stands where the
//     first of its pages does.
//
// What has no place comes after what has one.

// OrderFields are the fields of front matter that give a page its place among its siblings.
var OrderFields = []string{"sidebar_position", "nav_order", "sidebar.order", "order", "weight"}

// An Order says where pages and folders stand among their siblings, and what folders are
// called. The zero value says nothing.
type Order struct {
	places map[string]float64 // by path; the lowest is first
	titles map[string]string  // of folders
	fields map[string]int     // which of OrderFields a page's place is from
}

// place returns where a page or folder stands.
func (o *Order) place(file string) float64 {
	if p, ok := o.places[file]; ok {
		return p
	}
	return math.Inf(1)
}

func (o *Order) set(file string, p float64) {
	if o.places == nil {
		o.places = map[string]float64{}
	}
	o.places[file] = p
}

// AddField takes a field of a page into account.
func (o *Order) AddField(file, name, value string) {
	rank := slices.Index(OrderFields, name)
	p, err := strconv.ParseFloat(value, 64)
	if rank < 0 || err != nil || math.IsNaN(p) {
		return
	}
	if old, ok := o.fields[file]; ok && old <= rank {
		return
	}
	if o.fields == nil {
		o.fields = map[string]int{}
	}
	o.fields[file] = rank
	o.set(file, p)
}

const (
	maxCategories = 1000 // folders that are looked into for _category_.json
	maxSettings   = 64 << 10
)

// AddFiles takes into account what files beside the documents say of their order: dirs are
// the folders that have documents. Of many folders none is looked into.
func (o *Order) AddFiles(root fs.FS, dirs []string) {
	if len(dirs) <= maxCategories {
		for _, dir := range dirs {
			o.addCategory(dir, settings(root, path.Join(dir, "_category_.json")))
		}
	}
	for _, name := range []string{"mkdocs.yml", "mkdocs.yaml"} {
		if text := settings(root, name); text != nil {
			o.addNav(string(text))
			return
		}
	}
}

// settings returns a small file; nil if there is none.
func settings(root fs.FS, name string) []byte {
	info, err := fs.Stat(root, name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := root.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSettings))
	if err != nil {
		return nil
	}
	return data
}

func (o *Order) addCategory(dir string, data []byte) {
	var c struct {
		Label    string
		Position *float64
	}
	if data == nil || json.Unmarshal(data, &c) != nil {
		return
	}
	if c.Position != nil {
		o.set(dir, *c.Position)
	}
	if c.Label != "" {
		if o.titles == nil {
			o.titles = map[string]string{}
		}
		o.titles[dir] = strings.Join(strings.Fields(c.Label[:min(len(c.Label), 200)]), " ")
	}
}

// addNav reads "nav" of mkdocs.yml. The rest of that file may have what is no plain YAML.
func (o *Order) addNav(text string) {
	meta := markdown.Parse("nav.md", []byte("---\n"+topLevel(text, "nav")+topLevel(text, "docs_dir")+"---\n")).Meta
	dir := "docs"
	if d, ok := meta["docs_dir"].(string); ok {
		dir = d
	}
	next, seen := 0.0, map[string]bool{}
	var add func(v any)
	add = func(v any) {
		switch v := v.(type) {
		case string:
			file := path.Join(dir, strings.TrimSpace(v))
			for p := file; p != "." && p != "/" && p != ""; p = parent(p) {
				if !seen[p] {
					seen[p] = true
					o.set(p, next)
				}
			}
			next++
		case []any:
			for _, e := range v {
				add(e)
			}
		case map[string]any:
			for _, e := range v { // a title and what it names
				if len(v) == 1 {
					add(e)
				}
			}
		}
	}
	if nav, ok := meta["nav"].([]any); ok {
		clear(o.places)
		add(nav)
	}
}

// topLevel returns the lines of a key at the top of a YAML file.
func topLevel(text, key string) string {
	b := &strings.Builder{}
	in := false
	for line := range strings.Lines(text) {
		if c := line[0]; c != ' ' && c != '-' && c != '\n' && c != '\r' && c != '#' {
			in = strings.HasPrefix(line, key+":")
		}
		if in && strings.TrimSpace(line) != "---" {
			b.WriteString(strings.TrimRight(line, "\r\n") + "\n")
		}
	}
	return b.String()
}
