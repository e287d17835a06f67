package web

import (
	"context"
	"os"
	"path"
	"path/filepath"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/surface/web/sitetree"
)

// order returns the order that writers ask for. What cannot be read asks for none: a
// database has no fields, a pack no files.
func (r *release) order(ctx context.Context, files []answer.FileInfo) *sitetree.Order {
	o := &sitetree.Order{}
	_ = docent.EachField(ctx, r.lib, sitetree.OrderFields, o.AddField)
	if !filepath.IsAbs(r.status.Root) {
		return o
	}
	root, err := os.OpenRoot(r.status.Root)
	if err != nil {
		return o
	}
	defer root.Close()
	seen := map[string]bool{}
	var dirs []string
	for _, f := range files {
		for dir := path.Dir(f.File); dir != "." && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			dirs = append(dirs, dir)
		}
	}
	o.AddFiles(root.FS(), dirs)
	return o
}
