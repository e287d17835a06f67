// Package pictures finds and serves the pictures that documents show, and other files that
// they link to.
//
// A folder of documents is not trusted. What is served is a regular file below it, reached
// through an [os.Root], past no symbolic link and no folder that documents are not read
// from (hidden ones, node_modules and their like). Rules of .gitignore do not hold for
// pictures: what a document shows is meant to be seen. They hold for other files, since a
// link is easily set. What a file is is told by its first bytes, never by its name. SVG is
// served with a policy by which it runs and fetches nothing, wherever it is opened.
package pictures

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/docent-md/docent/internal/source/crawl"
)

// MaxSize is the size in bytes of the largest picture that is shown.
const MaxSize = 16 << 20

// ErrNone is returned for what is not a picture of the folder.
var ErrNone = errors.New("there is no such picture")

// A Folder is a folder of documents and pictures. It may be used by many goroutines at
// once.
type Folder struct {
	Dir string

	mu    sync.Mutex
	names map[string][]string // paths by the last element, in lower case
	read  time.Time           // when names was
}

var ignored = crawl.ParseIgnore([]byte(crawl.DefaultIgnore))

// sites are the folders that generators serve at the root, besides the root itself.
var sites = []string{"", "static", "public", "docs", "assets"}

// Find returns the path of the picture that the document at from calls dest, "" if there
// is none. wiki says that dest may be the name of a file in any folder.
func (f *Folder) Find(from, dest string, wiki bool) string {
	root, err := os.OpenRoot(f.Dir)
	if err != nil {
		return ""
	}
	defer root.Close()
	for _, name := range candidates(from, dest, wiki) {
		if isPicture(root, name) {
			return name
		}
	}
	if !wiki {
		return ""
	}
	for _, name := range f.named(root, path.Base(dest)) {
		if end := len(name) - len(dest); end >= 0 && (end == 0 || name[end-1] == '/') && strings.EqualFold(name[end:], dest) && isPicture(root, name) {
			return name
		}
	}
	return ""
}

// candidates are the paths that a picture may have.
func candidates(from, dest string, wiki bool) []string {
	if len(dest) > 1024 || strings.HasPrefix(dest, "//") {
		return nil
	}
	if !wiki {
		dest, _, _ = strings.Cut(dest, "#")
		dest, _, _ = strings.Cut(dest, "?")
		plain, err := url.PathUnescape(dest)
		if err != nil {
			return nil
		}
		dest = plain
	}
	dest = strings.TrimPrefix(dest, "@site") // of Docusaurus
	if dest == "" {
		return nil
	}
	var out []string
	if dest[0] != '/' {
		out = append(out, path.Join(path.Dir(from), dest))
		if !wiki {
			return out
		}
	}
	for _, site := range sites {
		out = append(out, path.Join(site, strings.TrimLeft(dest, "/")))
	}
	return out
}

// isPicture reports whether name is a regular file of the folder that may be shown.
func isPicture(root *os.Root, name string) bool {
	info, ok := lookup(root, name)
	return ok && info.Size() > 0 && info.Size() <= MaxSize
}

// lookup returns a regular file that no symbolic link leads to.
func lookup(root *os.Root, name string) (fs.FileInfo, bool) {
	if !fs.ValidPath(name) || name == "." || !filepath.IsLocal(filepath.FromSlash(name)) || strings.ContainsAny(name, "\\\x00") {
		return nil, false
	}
	for i := 0; ; i++ {
		n := strings.IndexByte(name[i:], '/')
		if n < 0 {
			break
		}
		i += n
		info, err := root.Lstat(filepath.FromSlash(name[:i]))
		if err != nil || !info.IsDir() || isLeftOut(name[:i]) {
			return nil, false
		}
	}
	info, err := root.Lstat(filepath.FromSlash(name))
	if err != nil || !info.Mode().IsRegular() || path.Base(name)[0] == '.' {
		return nil, false
	}
	return info, true
}

// isLeftOut reports whether documents are not read from a folder.
func isLeftOut(dir string) bool {
	rule := ignored.Match(dir, true)
	return rule != nil && !rule.Negated
}

const (
	namesFor = 10 * time.Second // that the names of a folder are believed
	maxNames = 200_000
)

// named returns the paths of the files of a name, in any folder.
func (f *Folder) named(root *os.Root, name string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.names == nil || time.Since(f.read) > namesFor {
		f.names, f.read = map[string][]string{}, time.Now()
		seen := 0
		_ = fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
			if seen++; seen > maxNames {
				return fs.SkipAll
			}
			switch {
			case err != nil:
				return fs.SkipDir
			case d.IsDir() && p != "." && isLeftOut(p):
				return fs.SkipDir
			case d.Type().IsRegular() && extensions[strings.ToLower(path.Ext(p))]:
				key := strings.ToLower(d.Name())
				f.names[key] = append(f.names[key], p)
			}
			return nil
		})
	}
	return f.names[strings.ToLower(name)]
}

// extensions are those of pictures that may be called by their names alone.
var extensions = map[string]bool{
	".png": true, ".jpg": true, ".jpeg": true, ".gif": true, ".webp": true, ".avif": true, ".svg": true, ".bmp": true, ".ico": true,
}
