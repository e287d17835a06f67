package handout

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
)

// maxGroup is how many files of a folder llms.txt lists before it divides them by the
// folders in it.
const maxGroup = 25

// MinLLMsTxt is the smallest budget of LLMsTxt, in bytes.
const MinLLMsTxt = 200

// LLMsTxt returns the documents in the llms.txt format of llmstxt.org: a heading, a
// summary, and for each folder a heading and a list of links with a note. A link is the
// file's path, with base before it if that is set. Within a budget of bytes, 0 meaning
// none, notes go first. Then folders are divided only as far as their headings take less
// than half of it, each list is cut short, and what is nearest to the top of a folder stays.
func (g *Guide) LLMsTxt(base string, budget int) string {
	if base != "" && !strings.HasSuffix(base, "/") {
		base += "/"
	}
	groups := g.groups(maxGroup)
	text := g.llmsTxt(groups, base, true, len(g.Files))
	if budget == 0 || len(text) <= budget {
		return text
	}
	if text = g.llmsTxt(groups, base, false, len(g.Files)); len(text) <= budget {
		return text
	}
	for size := maxGroup; size < 2*len(g.Files) && 2*len(g.llmsTxt(groups, base, false, 0)) > budget; {
		size *= 2
		groups = g.groups(size)
	}
	for _, s := range groups {
		slices.SortStableFunc(s.files, func(a, b *answer.ManifestFile) int {
			return cmp.Compare(strings.Count(a.File, "/"), strings.Count(b.File, "/"))
		})
	}
	lo, hi := 0, len(g.Files) // links of each list
	for lo < hi {
		if mid := (lo + hi + 1) / 2; len(g.llmsTxt(groups, base, false, mid)) <= budget {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if text = g.llmsTxt(groups, base, lo > 0, lo); len(text) <= budget {
		return text
	}
	text = g.llmsTxt(groups, base, false, lo)
	if len(text) > budget { // even the headings are too many
		text = text[:strings.LastIndexByte(text[:budget], '\n')+1]
	}
	return text
}

// llmsTxt lists so many links of each group, with notes or without.
func (g *Guide) llmsTxt(groups []*group, base string, notes bool, most int) string {
	b := &strings.Builder{}
	b.WriteString("# " + cmp.Or(mdText(g.Name, maxTitle), "Documentation") + "\n")
	if g.Summary != "" {
		b.WriteString("\n> " + mdText(g.Summary, 200) + "\n")
	}
	for _, s := range groups {
		b.WriteString("\n## " + s.title + "\n")
		for i, f := range s.files[:min(most, len(s.files))] {
			if i == 0 {
				b.WriteString("\n")
			}
			b.WriteString("- [" + cmp.Or(mdText(f.Title, maxTitle), visible(f.File)) + "](" + base + link(f.File) + ")")
			if f.Summary != "" && notes {
				b.WriteString(": " + mdText(f.Summary, 200))
			}
			b.WriteString("\n")
		}
		if more := len(s.files) - most; more > 0 {
			what := "more page"
			if most == 0 {
				what = "page"
			}
			fmt.Fprintf(b, "\n%s in %s\n", count(more, what), mdText(visible(cmp.Or(s.folder, "./")), maxTitle))
		}
	}
	return b.String()
}

// A group is the files of one folder, without those of folders in it that are groups.
type group struct {
	title  string
	folder string // with a slash at the end; "" for the top
	files  []*answer.ManifestFile
}

// groups divides the files by their first folder below the one they share, and folders of
// more than size files by those in them; files without one come first. A group has the
// title of its folder's index page.
func (g *Guide) groups(size int) []*group {
	all := make([]*answer.ManifestFile, len(g.Files))
	for i := range g.Files {
		all[i] = &g.Files[i]
	}
	out := divide(&group{title: "Docs", folder: commonFolder(g.Files), files: all}, size, true)
	for _, s := range out {
		if strings.EqualFold(s.title, "optional") { // in llms.txt "Optional" means: skip these
			s.title += " pages"
		}
	}
	return out
}

// divide divides a group by the folders in it, if it has more than size files or has to
// be. Folders of one file stay with the files of the group.
func divide(all *group, size int, always bool) []*group {
	if len(all.files) <= size && !always {
		return []*group{all}
	}
	own := &group{title: all.title, folder: all.folder}
	byName := map[string]*group{}
	var in []*group
	for _, f := range all.files {
		name, rest, inFolder := strings.Cut(f.File[len(all.folder):], "/")
		if !inFolder {
			own.files = append(own.files, f)
			continue
		}
		s := byName[name]
		if s == nil {
			s = &group{title: mdText(visible(name), maxTitle), folder: all.folder + name + "/"}
			byName[name] = s
			in = append(in, s)
		}
		switch strings.ToLower(strings.TrimSuffix(rest, path.Ext(rest))) {
		case "index", "_index", "readme":
			s.title = cmp.Or(mdText(f.Title, maxTitle), s.title)
		}
		s.files = append(s.files, f)
	}
	if !always {
		for _, s := range in {
			if len(s.files) == 1 {
				own.files = append(own.files, s.files...)
				s.files = nil
			}
		}
		slices.SortStableFunc(own.files, func(a, b *answer.ManifestFile) int { return strings.Compare(a.File, b.File) })
	}
	var out []*group
	if len(own.files) > 0 {
		out = append(out, own)
	}
	for _, s := range in {
		if len(s.files) > 0 {
			out = append(out, divide(s, size, false)...)
		}
	}
	return out
}
