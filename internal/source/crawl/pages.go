package crawl

import (
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/docent-md/docent/doc"
)

// A folder called vendor mostly holds the code of others. In documentation it may be a
// page: that of navigator.vendor is navigator/vendor/index.md. It is read when it holds
// nothing but Markdown and images beside its folders, and lies beside Markdown, but not
// at the top, where package managers put theirs. Whatever they write there (modules.txt,
// autoload.php) tells the two apart.
const vendor = "vendor"

// IsPage reports whether the default rules yield to the folder rel of the tree dir.
func IsPage(dir, rel string) bool { return isPage(os.DirFS(dir).Open, rel) }

func isPage(open func(name string) (fs.File, error), rel string) bool {
	if path.Base(rel) != vendor || path.Dir(rel) == "." {
		return false
	}
	beside, _ := count(open, path.Dir(rel))
	inside, others := count(open, rel)
	return beside > 0 && inside > 0 && others == 0
}

// count counts the Markdown files of a folder, and those that are neither Markdown nor
// an image.
func count(open func(name string) (fs.File, error), name string) (markdown, others int) {
	f, err := open(name)
	if err != nil {
		return 0, 0
	}
	defer f.Close()
	d, ok := f.(fs.ReadDirFile)
	if !ok {
		return 0, 0
	}
	entries, _ := d.ReadDir(-1)
	for _, e := range entries {
		switch ext := strings.ToLower(path.Ext(e.Name())); {
		case e.IsDir():
		case doc.IsMarkdown(e.Name()):
			markdown++
		case ext != ".png" && ext != ".jpg" && ext != ".jpeg" && ext != ".gif" && ext != ".svg" && ext != ".webp":
			others++
		}
	}
	return markdown, others
}
