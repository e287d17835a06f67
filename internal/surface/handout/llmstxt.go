package handout

import (
	"cmp"
	"net/url"
	"path"
	"strings"

	"github.com/docent-md/docent"
)

// LLMsTxt returns the documents as llms.txt, in the form that llmstxt.org
// describes: a heading, a summary, and under a heading for each top folder a list
// of links with a note. Links are the files' paths, after base where there is
// one.
func (g *Guide) LLMsTxt(base string) string {
	b := &strings.Builder{}
	b.WriteString("# " + cmp.Or(mdText(g.Name, maxTitle), "Documentation") + "\n")
	if g.Summary != "" {
		b.WriteString("\n> " + mdText(g.Summary, 200) + "\n")
	}
	if base != "" && !strings.HasSuffix(base, "/") {
		base += "/"
	}
	for _, s := range g.shelves() {
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

// A shelf is the files of one top folder.
type shelf struct {
	title string
	files []*docent.ManifestFile
}

// shelves groups the files by the folders in which they part, those in none
// first. A folder
// is called after its index page.
func (g *Guide) shelves() []*shelf {
	top := &shelf{title: "Docs"}
	out := []*shelf{top}
	byName := map[string]*shelf{}
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
			s = &shelf{title: mdText(visible(name), maxTitle)}
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
		if strings.EqualFold(s.title, "optional") { // which means: skip these
			s.title += " pages"
		}
	}
	return out
}

// link is a path as a URL in a Markdown link.
func link(p string) string {
	s := (&url.URL{Path: p}).String()
	return strings.NewReplacer("(", "%28", ")", "%29").Replace(s)
}

// mdText makes a document's words plain text in Markdown.
func mdText(s string, n int) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "<", `\<`).Replace(quote(s, n))
}
