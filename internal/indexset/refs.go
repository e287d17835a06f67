package indexset

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent/doc"
)

// SplitRef takes the name of an index off a Ref that begins with one: docs:guide/auth.md.
// It is one when there is such an index, or when what follows can only be a file, so
// that the reader is told which indexes there are. Files of the project may have such
// names too: Help:Contents.md.
func (s *Set) SplitRef(ref string) (name, rest string, ok bool) {
	name, rest, ok = strings.Cut(ref, ":")
	if !ok || checkName(name) != nil || strings.HasPrefix(rest, ":") {
		return "", ref, false
	}
	if _, err := s.Find(name); err == nil {
		return name, rest, true
	}
	r, err := doc.ParseRef(rest)
	isFile := err == nil && doc.IsMarkdown(r.Path) && !strings.HasPrefix(rest, " ") && !strings.Contains(name, ".") && !hasDrive(ref)
	if !isFile || s.registry.hasFile(ref) {
		return "", ref, false
	}
	return name, rest, true
}

// hasFile reports whether a Ref is to a file of the project.
func (r *registry) hasFile(ref string) bool {
	at, err := doc.ParseRef(ref)
	if err != nil || r.project == "" || !filepath.IsLocal(filepath.FromSlash(at.Path)) {
		return false
	}
	info, err := os.Lstat(filepath.Join(r.project, filepath.FromSlash(at.Path)))
	return err == nil && info.Mode().IsRegular()
}

// hasDrive reports whether a path begins with a drive of Windows.
func hasDrive(s string) bool {
	return len(s) > 2 && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z') && s[1] == ':' && (s[2] == '/' || s[2] == '\\')
}
