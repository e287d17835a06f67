package refresh

import (
	"os"
	"path/filepath"
	"time"

	"github.com/docent-md/docent/internal/library/corpus"
)

// checkedName is a file in the folder of the index whose mtime says when all files
// were last compared. Losing it costs one comparison.
const checkedName = "checked"

// lastCheck returns when all files were last compared. A time in the future is not
// trusted: the clock was set back, or the file came from elsewhere.
func lastCheck(c *corpus.Corpus) (time.Time, bool) {
	info, err := os.Lstat(filepath.Join(c.IndexDir, checkedName))
	if err != nil || !info.Mode().IsRegular() || info.ModTime().After(time.Now()) {
		return time.Time{}, false
	}
	return info.ModTime(), true
}

// setLastCheck records when all files were compared. It follows no links out of the
// folder of the index, which may have come with a clone.
func setLastCheck(c *corpus.Corpus, at time.Time) {
	root, err := os.OpenRoot(c.IndexDir)
	if err != nil {
		return
	}
	defer root.Close()
	info, err := root.Lstat(checkedName)
	if err == nil && !info.Mode().IsRegular() {
		return
	}
	if err != nil && root.WriteFile(checkedName, nil, 0o644) != nil {
		return
	}
	_ = root.Chtimes(checkedName, at, at)
}
