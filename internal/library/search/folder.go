package search

import (
	"context"

	"github.com/docent-md/docent/internal/library/snapshot"
)

// addFolders says of each hit what its folder is about, where that is said. Text has it
// once for each folder that the config describes: those who wrote that down want it read.
func (r *run) addFolders(context.Context) error {
	shown := map[string]bool{}
	for i := range r.hits {
		h := &r.hits[i]
		s := h.from.Segment
		if s == nil {
			continue
		}
		d, err := snapshot.AboutFolder(s.Home, h.File)
		if err != nil {
			return err
		}
		if h.Folder = d.Folder; d.Folder != nil && d.ByConfig {
			key := s.Name + ":" + d.Folder.Folder
			h.ShowFolder, shown[key] = !shown[key], true
		}
	}
	return nil
}
