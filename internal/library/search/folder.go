package search

import (
	"context"
	"path"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// A folderOf is what is said of the folder of a document.
type folderOf struct {
	about    *answer.Folder // nil for nothing
	byConfig bool
}

// addFolders says of each hit what its folder is about, where that is said. Text has it
// once for each folder that the config describes: those who wrote that down want it read.
func (r *run) addFolders(context.Context) error {
	shown := map[string]bool{}
	known := map[string]folderOf{}
	for i := range r.hits {
		h := &r.hits[i]
		s := h.from.Segment
		if s == nil {
			continue
		}
		dir := s.Name + ":" + path.Dir(h.File)
		f, ok := known[dir]
		if !ok {
			var err error
			if f.about, f.byConfig, err = snapshot.AboutFolder(s.Home, h.File); err != nil {
				return err
			}
			known[dir] = f
		}
		if h.Folder = f.about; f.about != nil && f.byConfig {
			key := s.Name + ":" + f.about.Folder
			h.ShowFolder, shown[key] = !shown[key], true
		}
	}
	return nil
}
