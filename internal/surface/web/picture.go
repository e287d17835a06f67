package web

import (
	"errors"
	"net/http"
	"path/filepath"

	"github.com/docent-md/docent/internal/surface/web/pictures"
)

// folder returns the folder that the pictures of a corpus are in; nil if its documents
// are not in a folder.
func (c *corpus) folder(root string) *pictures.Folder {
	if !filepath.IsAbs(root) {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pictures == nil || c.pictures.Dir != root {
		c.pictures = &pictures.Folder{Dir: root}
	}
	return c.pictures
}

// picture serves a picture of the corpus.
func (s *site) picture(w http.ResponseWriter, r *http.Request, f *frame) error {
	now, err := f.release(r.Context())
	if err != nil {
		return err
	}
	folder := f.corpus.folder(now.status.Root)
	if folder == nil {
		return errNoPage
	}
	if err := folder.Serve(w, r, r.PathValue("path")); errors.Is(err, pictures.ErrNone) {
		return errNoPage
	}
	return nil
}

// pictureIn returns what finds the pictures of a document, and where whether one was
// missing is noted: such a page is not cached, as the picture may still come.
func (f *frame) pictureIn(from, root string, missing *bool) func(string, bool) string {
	folder := f.corpus.folder(root)
	if folder == nil || f.Report {
		return nil
	}
	return func(dest string, wiki bool) string {
		name := folder.Find(from, dest, wiki)
		if name == "" {
			*missing = true
			return ""
		}
		return f.address("/picture/"+name, "")
	}
}
