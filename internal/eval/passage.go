package eval

// A passage becomes a small Markdown file, so that a tool which indexes folders
// can be measured on passage sets too. Its breadcrumb and title become nested
// headings, the form in which they reach an index from any real file:
//
//	# Develop with containers
//
//	## Make changes to the app
//
//	### Change the placeholder text
//
//	When you look at the app, ...
//
// The file is named by the passage's number, never by its id: the ids of some
// sets end in the slug of the very heading that was removed to make the
// question, and a tool that reads file names would find every answer.

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

type passage struct {
	ID       string `json:"_id"`
	Title    string `json:"title"`
	Headings string `json:"headings"`
	Text     string `json:"text"`
}

// file returns the n-th passage of a set as a file. Folders of a thousand keep
// listings short; the letter keeps the name from being a number that a question
// may hold.
func (p passage) file(n int) File {
	return File{Path: fmt.Sprintf("p%03d/p%06d.md", n/1000, n), Text: p.markdown()}
}

func (p passage) markdown() string {
	var b strings.Builder
	for i, h := range p.crumbs() {
		b.WriteString(strings.Repeat("#", min(i+1, 6)))
		b.WriteString(" " + h + "\n\n")
	}
	if b.Len() == 0 {
		b.WriteByte('\n') // a text that opens with "---" is not front matter
	}
	b.WriteString(p.Text)
	if !strings.HasSuffix(p.Text, "\n") {
		b.WriteByte('\n')
	}
	return b.String()
}

// crumbs returns the headings above the text, each on one line, the title last.
func (p passage) crumbs() []string {
	title := oneLine(p.Title)
	parents := oneLine(p.Headings)
	if parents == title {
		parents = ""
	}
	parents = strings.TrimSuffix(parents, " > "+title)
	var out []string
	for h := range strings.SplitSeq(parents, " > ") {
		if h = strings.TrimSpace(h); h != "" {
			out = append(out, h)
		}
	}
	if title != "" {
		out = append(out, title)
	}
	return out
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// WriteFiles writes the corpus into a folder, which is made where it is missing.
// Nothing is written outside that folder, whatever links lie in it.
func (s *Set) WriteFiles(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("write set %s: %w", s.Name, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("write set %s: %w", s.Name, err)
	}
	defer root.Close()
	for _, f := range s.Files {
		err := root.MkdirAll(filepath.FromSlash(path.Dir(f.Path)), 0o777)
		if err == nil {
			err = root.WriteFile(filepath.FromSlash(f.Path), []byte(f.Text), 0o666)
		}
		if err != nil {
			return fmt.Errorf("write set %s: %w", s.Name, err)
		}
	}
	return nil
}
