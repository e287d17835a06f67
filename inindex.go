package docent

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent/doc"
)

// Cut takes the name of an index off a Ref that begins with one: docs:guide/auth.md.
// It is one when there is such an index, or when what follows can only be a file,
// so that the reader is told which indexes there are. Files of the project may have
// such names too: Help:Contents.md.
func (c *Catalogue) Cut(ref string) (name, rest string, ok bool) {
	name, rest, ok = strings.Cut(ref, ":")
	if !ok || checkName(name) != nil || strings.HasPrefix(rest, ":") {
		return "", ref, false
	}
	if _, err := c.Find(name); err == nil {
		return name, rest, true
	}
	r, err := doc.ParseRef(rest)
	isFile := err == nil && doc.IsMarkdown(r.Path) && !strings.HasPrefix(rest, " ") && !strings.Contains(name, ".") && !hasDrive(ref)
	if !isFile || c.hasFile(ref) {
		return "", ref, false
	}
	return name, rest, true
}

// hasFile reports whether a Ref is to a file of the project.
func (c *Catalogue) hasFile(ref string) bool {
	r, err := doc.ParseRef(ref)
	if err != nil || c.project == "" || !filepath.IsLocal(filepath.FromSlash(r.Path)) {
		return false
	}
	info, err := os.Lstat(filepath.Join(c.project, filepath.FromSlash(r.Path)))
	return err == nil && info.Mode().IsRegular()
}

// hasDrive reports whether a path begins with a drive of Windows.
func hasDrive(s string) bool {
	return len(s) > 2 && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z') && s[1] == ':' && (s[2] == '/' || s[2] == '\\')
}

// InIndex says of an answer, or of an error, that it comes from a named index: its
// Refs begin with the name from then on, so that they lead back to it.
func InIndex(answer any, name string) {
	p := indexPrefix(name + ":")
	switch a := answer.(type) {
	case *SectionView:
		p.put(&a.Section.SectionID, a.Section.ParentID)
		if a.Parent != nil {
			p.put(&a.Parent.SectionID)
		}
		for _, leads := range [][]SectionLead{a.Siblings, a.Children} {
			for i := range leads {
				p.put(&leads[i].SectionID)
			}
		}
		p.references(a.References, a.Backlinks)
	case *Links:
		p.put(&a.Ref)
		p.references(a.Out, a.In, a.Unresolved, a.External)
		for i := range a.Reached {
			p.put(&a.Reached[i].SectionID, &a.Reached[i].From)
		}
	case *Neighbours:
		p.put(&a.Ref)
		for i := range a.Neighbours {
			p.put(&a.Neighbours[i].SectionID)
		}
	case *Outline:
		for i := range a.Files {
			p.put(&a.Files[i].File)
			p.outline(a.Files[i].Sections)
		}
	case *Reading:
		p.put(&a.Ref)
	case *Verdict:
		p.put(&a.Citation, &a.Now)
	case *Matches:
		for i := range a.Matches {
			p.put(&a.Matches[i].Section)
		}
	case *Snippets:
		for i := range a.Snippets {
			p.put(&a.Snippets[i].Ref)
		}
	case *Node:
		p.put(&a.ID, &a.FileID, &a.Ref, &a.Next, &a.Parent)
		for _, list := range [][]string{a.Children, a.Links} {
			for i := range list {
				p.put(&list[i])
			}
		}
	case *FileChunks:
		for i := range a.List {
			p.put(&a.List[i].Ref)
		}
	case *NotFoundError:
		p.put(&a.Name)
		for i := range a.Nearest {
			p.put(&a.Nearest[i])
		}
	}
}

// An indexPrefix is the name of an index as Refs begin with it.
type indexPrefix string

func (p indexPrefix) put(refs ...*string) {
	for _, r := range refs {
		if r != nil && *r != "" {
			*r = string(p) + *r
		}
	}
}

func (p indexPrefix) references(lists ...[]Reference) {
	for _, list := range lists {
		for i := range list {
			p.put(list[i].SectionID, &list[i].From)
		}
	}
}

func (p indexPrefix) outline(sections []OutlineSection) {
	for i := range sections {
		p.put(&sections[i].Ref)
		p.outline(sections[i].Children)
	}
}
