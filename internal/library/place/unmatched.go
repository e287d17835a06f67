package place

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/words"
)

// Unmatched says that no path matches a pattern for files, and which folders or files
// come nearest; "" if one does.
func Unmatched(pattern string, paths []string) string {
	if slices.ContainsFunc(paths, func(p string) bool { return snapshot.MatchPath([]string{pattern}, p) }) {
		return ""
	}
	reason := fmt.Sprintf("no file matches %q", pattern)
	if near := nearestPaths(pattern, paths); len(near) > 0 {
		reason += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return reason
}

// nearestPaths are the folders and files with the name that a pattern ends with, or a
// similar one.
func nearestPaths(pattern string, paths []string) []string {
	var literal []string
	for part := range strings.SplitSeq(strings.Trim(strings.TrimPrefix(pattern, "./"), "/"), "/") {
		if strings.ContainsAny(part, `*?[{`) {
			break
		}
		literal = append(literal, strings.ReplaceAll(part, `\`, ""))
	}
	if len(literal) == 0 {
		return nil
	}
	name := literal[len(literal)-1]
	var same []string
	all := withFolders(paths)
	for _, p := range all {
		if strings.EqualFold(path.Base(p), name) {
			same = append(same, p)
		}
	}
	slices.Sort(same)
	if len(same) > 0 {
		return same[:min(len(same), MaxNearest)]
	}
	return words.Nearest(strings.Join(literal, "/"), all, MaxNearest)
}

// withFolders are paths of files, and of the folders that they are in.
func withFolders(paths []string) []string {
	all := slices.Clone(paths)
	seen := map[string]bool{}
	for _, p := range paths {
		for dir := path.Dir(p); dir != "." && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			all = append(all, dir)
		}
	}
	return all
}
