package eval

import (
	"fmt"
	"path"
	"strings"
)

// Pages joins the passages of a set whose ids are addresses, page#section, into the
// pages that they were cut from, each passage under its title as a heading of the second
// level. What was judged becomes the lines of its section; questions whose answers are
// not there are left out. A set that has whole files is returned as it is.
func (s *Set) Pages() *Set {
	if !s.Passages {
		return s
	}
	type section struct {
		file       string
		start, end int
	}
	var files []File
	number := map[string]int{} // of a page, by its path
	lines := map[string]int{}  // of a page so far
	at := map[string]section{} // by the id of a passage
	add := func(name, text string) (start, end int) {
		files[number[name]].Text += text
		start = lines[name] + 1
		lines[name] += strings.Count(text, "\n")
		return start, lines[name]
	}
	for _, p := range s.Files {
		name := pagePath(p.ID)
		if _, ok := number[name]; !ok {
			number[name] = len(files)
			files = append(files, File{Path: name, ID: name})
			add(name, fmt.Sprintf("# %s\n\n", strings.ReplaceAll(path.Base(strings.TrimSuffix(name, ".md")), "-", " ")))
		}
		start, end := add(name, "#"+p.Text+"\n") // its title becomes a heading of the second level
		at[p.ID] = section{name, start, end}
	}
	var queries []Query
	for _, q := range s.Queries {
		var judged []Judgement
		for _, j := range q.Judged {
			if where, ok := at[j.ID]; ok {
				j.File, j.Start, j.End = where.file, where.start, where.end
				judged = append(judged, j)
			}
		}
		if len(judged) > 0 {
			q.Judged, q.Type = judged, Section
			queries = append(queries, q)
		}
	}
	out := NewSet(s.Name, files, queries)
	out.Unanswerable = s.Unanswerable
	return out
}

// pagePath is the file of a page, below docs, for an address like
// https://docs.claude.com/en/api/errors#shape.
func pagePath(id string) string {
	page, _, _ := strings.Cut(id, "#")
	if _, rest, ok := strings.Cut(page, "://"); ok {
		_, page, _ = strings.Cut(rest, "/")
	}
	return path.Join("docs", strings.TrimPrefix(strings.TrimSuffix(page, "/"), "en/")) + ".md"
}
