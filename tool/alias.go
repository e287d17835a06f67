package tool

import (
	"encoding/json"
	"strings"
)

// The specifications that docent unites have names of their own for some operations
// and parameters, and so have the tools for files that models know best. They are understood wherever a tool is called, whether written
// getSection, get_section or docs_get_section, and are not shown.
var aliases = map[string]string{
	"getsection":     "section",
	"getnode":        "node",
	"gettoc":         "toc",
	"listfiles":      "list",
	"searchfiles":    "files",
	"findexamples":   "examples",
	"searchsnippets": "snippets",
	"listsnippets":   "snippets",
	"explainsymbol":  "explain",
}

// aliasOf is the name in the table of what a specification calls an operation.
func aliasOf(name string) (string, bool) {
	folded := strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(name, "docs_")), "_", "")
	ours, ok := aliases[folded]
	return ours, ok
}

// translate gives the parameters of a call the names that the operation has for
// them, and reports whether it had to.
func translate(tool string, given map[string]json.RawMessage) bool {
	switch tool {
	case "section":
		return join(given)
	case "search":
		return within(given)
	case "read":
		return rename(given, "ref", "path", "file_path", "file")
	case "toc":
		return rename(given, "ref", "fileId", "file_id", "path", "file")
	case "grep":
		return rename(given, "glob", "path")
	case "node":
		return rename(given, "id", "nodeId", "node_id")
	}
	return false
}

// rename moves a parameter from the first of its other names that is given.
func rename(given map[string]json.RawMessage, to string, from ...string) bool {
	for _, name := range from {
		if value, ok := given[name]; ok && given[to] == nil {
			given[to] = value
			delete(given, name)
			return true
		}
	}
	return false
}

// within makes the glob of a search of source_id.
func within(given map[string]json.RawMessage) bool {
	var file string
	if given["path"] != nil || json.Unmarshal(given["source_id"], &file) != nil {
		return false
	}
	delete(given, "source_id")
	given["path"], _ = json.Marshal(FileGlob(file))
	return true
}

// FileGlob is a glob that matches one path.
func FileGlob(path string) string {
	b := &strings.Builder{}
	for _, c := range path {
		if strings.ContainsRune(`*?[]{}\`, c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// join makes a Ref of source_id and section_id.
func join(given map[string]json.RawMessage) bool {
	file, hasFile := given["source_id"]
	section, hasSection := given["section_id"]
	if !hasFile && !hasSection || given["ref"] != nil {
		return false
	}
	var f, s string
	if hasFile && json.Unmarshal(file, &f) != nil || hasSection && json.Unmarshal(section, &s) != nil {
		return false
	}
	delete(given, "source_id")
	delete(given, "section_id")
	given["ref"], _ = json.Marshal(SourceRef(f, s))
	return true
}

// SourceRef is the Ref that source_id and section_id name: a path, and an anchor in
// it or a whole Ref. Either may be empty.
func SourceRef(file, section string) string {
	switch {
	case file == "" || strings.HasPrefix(section, file) || strings.Contains(section, ":"+file):
		return section
	case section == "":
		return file
	}
	return file + "#" + strings.TrimPrefix(section, "#")
}
