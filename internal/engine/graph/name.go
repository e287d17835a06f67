package graph

import (
	"path"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
)

// A nameKind says how a file came by a path name.
type nameKind uint8

const (
	ownPath    nameKind = iota // its path, without extension
	folderPath                 // the folder that it is the page of
	sitePath                   // its path without the numbers that order it
	declared                   // in its front matter
)

// A pathName is a path by which a file may be called.
type pathName struct {
	kind nameKind
	path string // without extension; "" is the root
	key  string // folded
}

func pathNames(p string, names []Name) []pathName {
	out := make([]pathName, 0, 4)
	add := func(k nameKind, s string) {
		key := fold(s)
		if !slices.ContainsFunc(out, func(n pathName) bool { return n.key == key }) {
			out = append(out, pathName{k, s, key})
		}
	}
	own := trimExt(p)
	add(ownPath, own)
	site := own
	if isIndex(path.Base(own)) > 0 {
		site = folder(own)
		add(folderPath, site)
	}
	if s := unnumbered(site); s != site {
		add(sitePath, s)
	}
	if dir, date, title := dated(site); title != "" {
		add(sitePath, path.Join(dir, date[:4], date[5:7], title))
		add(sitePath, path.Join(dir, date[:4], date[5:7], date[8:], title))
	}
	for _, n := range names {
		if n.Path {
			add(declared, n.Text)
		}
	}
	return out
}

// nameKeys appends the keys of the paths, title and aliases of a file to dst.
func nameKeys(dst []uint32, paths []pathName, title string, names []Name) []uint32 {
	for _, n := range paths {
		dst = append(dst, hashKey(wholePath, n.key))
		if n.key == "" {
			continue
		}
		tails := maxTail
		if n.kind == ownPath && isIndex(path.Base(n.path)) > 0 {
			tails = 1 // its folders are in the next name
		}
		for i, end := 1, ""; i <= tails && len(end) < len(n.key); i++ {
			end = tail(n.key, i)
			dst = append(dst, hashKey(pathEnd, end))
		}
	}
	if t := foldText(title); t != "" {
		dst = append(dst, hashKey(words, t))
	}
	for _, n := range names {
		if t := foldText(n.Text); !n.Path && t != "" {
			dst = append(dst, hashKey(words, t))
		}
	}
	return dst
}

// declaredNames reads the names in a document's front matter.
func declaredNames(d *doc.Document) []Name {
	var out []Name
	add := func(n Name) {
		if n.Text != "" && len(n.Text) <= maxText && len(out) < maxNames {
			out = append(out, n)
		}
	}
	// Hugo's and Docusaurus' slug is the last component, unless it has a slash;
	// MDN's is the whole path.
	addPath := func(s string) {
		if s == "" || strings.Contains(s, "://") {
			return
		}
		if !strings.Contains(s, "/") {
			own := trimExt(d.Path)
			if isIndex(path.Base(own)) > 0 {
				own = folder(own)
			}
			s = path.Join(folder(own), s)
		}
		if p, ok := join("", s); ok && p != "" {
			add(Name{trimExt(p), true})
		}
	}
	addPath(d.Slug)
	for _, key := range []string{"url", "permalink"} {
		s, ok := d.Meta[key].(string)
		if ok && strings.Contains(s, "/") && !strings.Contains(s, "/:") { // not "/:year/:title/"
			addPath(s)
		}
	}
	if s, ok := d.Meta["id"].(string); ok && s != path.Base(trimExt(d.Path)) { // Docusaurus
		addPath(s)
	}
	for _, s := range metaList(d.Meta["redirect_from"]) {
		addPath(s)
	}
	for _, s := range d.Aliases {
		// Hugo's aliases are paths, Obsidian's are words that may hold a slash.
		if strings.Contains(s, "/") {
			addPath(s)
		}
		add(Name{Text: s})
	}
	for _, s := range metaList(d.Meta["alias"]) {
		add(Name{Text: s})
	}
	return out
}

func metaList(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, e := range v {
			if s, ok := e.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// pageExts are the endings that a page may have in a link: those of documents,
// and that of what is made of them.
var pageExts = append([]string{".html", ".htm"}, doc.Extensions...)

// trimExt takes the ending of a page off a path.
func trimExt(p string) string {
	dot := strings.LastIndexByte(p, '.')
	if dot <= 0 || p[dot-1] == '/' {
		return p
	}
	if slices.ContainsFunc(pageExts, func(ext string) bool { return strings.EqualFold(p[dot:], ext) }) {
		return p[:dot]
	}
	return p
}

// isIndex reports whether a file of that name, its extension taken off, is the
// page of its folder: 1 to 3 in the order in which they are preferred, else 0.
func isIndex(base string) int {
	switch {
	case strings.EqualFold(base, "index"):
		return 1
	case base == "_index":
		return 2
	case strings.EqualFold(base, "readme"):
		return 3
	}
	return 0
}

// folder returns the folder of a path, "" for the root.
func folder(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// unnumbered takes the numbers that Docusaurus and others order files by off the
// components of a path: "01-intro/2. setup" is "intro/setup".
func unnumbered(p string) string {
	if p == "" || !strings.ContainsAny(p, "0123456789") {
		return p
	}
	parts := strings.Split(p, "/")
	changed := false
	for i, s := range parts {
		n := 0
		for n < len(s) && '0' <= s[n] && s[n] <= '9' {
			n++
		}
		rest := strings.TrimLeft(s[n:], " ")
		if n == 0 || n > 4 || rest == "" || !strings.ContainsRune("-_.", rune(rest[0])) {
			continue
		}
		rest = strings.TrimLeft(rest, "-_. ")
		// "2020-01-05-x" is a date and "1.2" a version.
		if rest == "" || '0' <= rest[0] && rest[0] <= '9' {
			continue
		}
		parts[i], changed = rest, true
	}
	if !changed {
		return p
	}
	return strings.Join(parts, "/")
}

// dated takes the path of a post apart, "blog/_posts/2021-02-01-news": Jekyll and
// Hugo serve it under its date.
func dated(p string) (dir, date, title string) {
	dir = folder(p)
	s := strings.TrimPrefix(p[len(dir):], "/")
	if len(s) < len("2021-02-01-x") || s[4] != '-' || s[7] != '-' || s[10] != '-' {
		return "", "", ""
	}
	if strings.Trim(s[:4]+s[5:7]+s[8:10], "0123456789") != "" {
		return "", "", ""
	}
	return strings.TrimSuffix(strings.TrimSuffix(dir, "_posts"), "/"), s[:10], s[11:]
}

// join resolves a path against a folder. It reports false when the path climbs out
// of the root, or holds a NUL.
func join(dir, p string) (string, bool) {
	if strings.IndexByte(p, 0) >= 0 {
		return "", false
	}
	if !strings.Contains(p, "//") && !strings.HasPrefix(p, ".") && !strings.Contains(p, "/.") {
		p = strings.Trim(p, "/")
		if dir == "" || p == "" {
			return dir + p, true
		}
		return dir + "/" + p, true
	}
	var parts []string
	if dir != "" {
		parts = strings.Split(dir, "/")
	}
	for s := range strings.SplitSeq(p, "/") {
		switch s {
		case "", ".":
		case "..":
			if len(parts) == 0 {
				return "", false
			}
			parts = parts[:len(parts)-1]
		default:
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "/"), true
}
