package snapshot_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// A thousand skipped files with long names were once more than the manifest holds,
// and no question was answered for their sake.
func TestSkippedFilesFitTheManifest(t *testing.T) {
	var m snapshot.Meta
	var all []answer.Skip
	for i := range 2 * snapshot.MaxSkips {
		all = append(all, answer.Skip{Path: strings.Repeat("\x01", 4000) + fmt.Sprint(i), Reason: "not UTF-8"})
	}
	m.SetSkipped(all)
	raw, err := json.Marshal(m)
	if err != nil || len(raw) > 900_000 || m.Skips != len(all) || len(m.Skipped) == 0 {
		t.Errorf("%d bytes for %d of %d skipped files, %v", len(raw), len(m.Skipped), m.Skips, err)
	}
	for i := range all {
		all[i].Path = fmt.Sprint("some/usual/folder/file", i)
	}
	if m.SetSkipped(all); len(m.Skipped) != snapshot.MaxSkips {
		t.Errorf("%d skipped files are named, want %d", len(m.Skipped), snapshot.MaxSkips)
	}
}
