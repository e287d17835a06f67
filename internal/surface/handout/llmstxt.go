package handout

import (
	"cmp"
	"net/url"
	"path"
	"strings"

	"github.com/docent-md/docent/answer"
)

// LLMsTxt returns the documents in the llms.txt format of llmstxt.org: a heading, a
// summary, and for each top folder a heading and a list of links with a note. A link
// is the file's path, with base before it if that is set.
func (g *Guide) LLMsTxt(base string) string {
	b := &strings.Builder{}
	b.WriteString("# " + cmp.Or(mdText(g.Name, maxTitle), "Documentation") + "\n")
	if g.Summary != "" {
		b.WriteString("\n> " + mdText(g.Summary, 200) + "\n")
	}
	if base != "" && !strings.HasSuffix(base, "/") {
		base += "/"
	}
	for _, s := range g.groups() {
		b.WriteString("\n## " + s.title + "\n\n")
		for _, f := range s.files {
			b.WriteString("- [" + cmp.Or(mdText(f.Title, maxTitle), visible(f.File)) + "](" + base + link(f.File) + ")")
			if f.Summary != "" {
				b.WriteString(": " + mdText(f.Summary, 200))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// A group is the files of one top folder.
type group struct {
	title string
	files []*answer.ManifestFile
}

// groups divides the files by their first folder below the one they share; files
// without one come first. A group has the title of its folder's index page.
func (g *Guide) groups() []*group {
	top := &group{title: "Docs"}
	out := []*group{top}
	byName := map[string]*group{}
	above := len(commonFolder(g.Files))
	for i := range g.Files {
		f := &g.Files[i]
		name, rest, inFolder := strings.Cut(f.File[above:], "/")
		if !inFolder {
			top.files = append(top.files, f)
			continue
		}
		s := byName[name]
		if s == nil {
			s = &group{title: mdText(visible(name), maxTitle)}
			byName[name] = s
			out = append(out, s)
		}
		switch strings.ToLower(strings.TrimSuffix(rest, path.Ext(rest))) {
		case "index", "_index", "readme":
			s.title = cmp.Or(mdText(f.Title, maxTitle), s.title)
		}
		s.files = append(s.files, f)
	}
	if len(top.files) == 0 {
		out = out[1:]
	}
	for _, s := range out {
		if strings.EqualFold(s.title, "optional") { // in llms.txt "Optional" means: skip these
			s.title += " pages"
		}
	}
	return out
}

// link escapes a path for a Markdown link.
func link(p string) string {
	s := (&url.URL{Path: p}).String()
	return strings.NewReplacer("(", "%28", ")", "%29").Replace(s)
}

// mdText shortens and escapes text of a document for Markdown.
func mdText(s string, n int) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "<", `\<`).Replace(quote(s, n))
}
