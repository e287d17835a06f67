package browse

import (
	"context"
	"fmt"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/history"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// addChanged says of each file of a list when it was last changed.
func addChanged(ctx context.Context, v *snapshot.View, list *answer.FileList) error {
	var files []snapshot.File
	for _, f := range list.Files {
		k, ok, err := v.Find(f.File)
		if err != nil {
			return err
		}
		if ok {
			files = append(files, k)
		}
	}
	times, err := history.Times(ctx, v, files)
	if err != nil {
		return fmt.Errorf("changed: %w", err)
	}
	for i := range list.Files {
		if at, ok := times[list.Files[i].File]; ok {
			list.Files[i].Changed = &at
		}
	}
	return nil
}
