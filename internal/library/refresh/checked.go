package refresh

import (
	"encoding/json"
	"os"
	"time"

	"github.com/docent-md/docent/internal/library/corpus"
)

// checkedName is a file in the folder of the index that says when all files were last
// compared, and what that took. Losing it costs one comparison.
const checkedName = "checked"

// A check is a comparison of all files.
type check struct {
	At   time.Time     `json:"at"`
	Took time.Duration `json:"took"` // without what had to be indexed
	Boot string        `json:"boot"` // names the time since the system was started
}

// fewFiles are compared in a fraction of quick, whatever the clock says: on a busy machine
// a program may wait longer for its turn than it then needs.
const fewFiles = 2000

// comparing is how long it has taken to compare some files.
func comparing(since time.Time, files int) time.Duration {
	took := time.Since(since)
	if files <= fewFiles {
		took = min(took, quick-1)
	}
	return took
}

// isSlow reports whether comparing takes so long that it is not done for each question.
func (k check) isSlow() bool { return k.Took >= quick }

// lastCheck returns the last comparison of all files. A time in the future is not
// trusted: the clock was set back, or the file came from elsewhere.
func lastCheck(c *corpus.Corpus) check {
	root, err := os.OpenRoot(c.IndexDir)
	if err != nil {
		return check{}
	}
	defer root.Close()
	if info, err := root.Lstat(checkedName); err != nil || !info.Mode().IsRegular() {
		return check{}
	}
	var k check
	raw, err := root.ReadFile(checkedName)
	if err != nil || json.Unmarshal(raw, &k) != nil || k.At.After(time.Now()) {
		return check{}
	}
	return k
}

// save records a comparison for the next program. It follows no links out of the folder
// of the index, which may have come with a clone.
func (k check) save(c *corpus.Corpus) {
	root, err := os.OpenRoot(c.IndexDir)
	if err != nil {
		return
	}
	defer root.Close()
	if info, err := root.Lstat(checkedName); err == nil && !info.Mode().IsRegular() {
		return
	}
	if raw, err := json.Marshal(k); err == nil {
		_ = root.WriteFile(checkedName, raw, 0o644)
	}
}
