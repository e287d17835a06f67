package web

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"math"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/docent-md/docent/internal/text/human"
)

//go:embed templates assets
var files embed.FS

// pages holds the templates and assets. They are parsed on first use, so that commands
// without pages do not pay for them.
type pages struct {
	templates *template.Template
	assets    map[string]string // addresses by name; an address has a hash of the content
	served    map[string]asset  // by the name in the address
	styles    string
	scripts   string
}

type asset struct {
	kind string
	data []byte
}

var kinds = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}

var loadPages = sync.OnceValue(func() *pages {
	p := &pages{assets: map[string]string{}, served: map[string]asset{}}
	entries, err := files.ReadDir("assets")
	if err != nil {
		panic(err) // it was embedded
	}
	for _, e := range entries {
		data, err := files.ReadFile("assets/" + e.Name())
		if err != nil {
			panic(err)
		}
		ext := path.Ext(e.Name())
		sum := sha256.Sum256(data)
		name := strings.TrimSuffix(e.Name(), ext) + "-" + hex.EncodeToString(sum[:6]) + ext
		p.assets[strings.ReplaceAll(e.Name(), ".", "_")] = "/assets/" + name
		p.served[name] = asset{kinds[ext], data}
		switch e.Name() {
		case "style.css", "content.css":
			p.styles += string(data)
		case "map.js":
			p.scripts = string(data)
		}
	}
	p.templates = template.Must(template.New("").Funcs(template.FuncMap{
		"count": human.Commas, "size": human.ByteSize, "plural": human.Plural, "day": day,
		"width": func(b []bar) int { return barWidth * len(b) }, "at": func(i int) int { return barWidth * i },
		"barH": func(b bar) float64 { return tenth(b.Height * 1.1) }, "barY": func(b bar) float64 { return tenth(126 - b.Height*1.1) },
		"barT": func(b bar) float64 { return tenth(122 - b.Height*1.1) },
	}).ParseFS(files, "templates/*.html"))
	return p
})

func (p *pages) execute(w io.Writer, name string, data any) error {
	return p.templates.ExecuteTemplate(w, name, data)
}

// fragment renders a part of a page, so that it can be cached.
func (p *pages) fragment(name string, data any) (template.HTML, error) {
	b := &strings.Builder{}
	err := p.execute(b, name, data)
	return template.HTML(b.String()), err //nolint:gosec // a template made it
}

// barWidth is the width of a bar of the histogram.
const barWidth = 56

// A tabView is a link in the head of a page.
type tabView struct {
	URL, Name string
	Here      bool
}

// Tab is called by templates.
func (f *frame) Tab(here, path, name string) tabView {
	return tabView{f.address(path, ""), name, f.Here == here}
}

// asset serves a style or script, which clients may cache for ever: its address has a
// hash of it.
func (p *pages) asset(w http.ResponseWriter, r *http.Request) {
	a, ok := p.served[r.PathValue("name")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Content-Length", fmt.Sprint(len(a.data)))
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	if r.Method != http.MethodHead {
		_, _ = w.Write(a.data)
	}
}

// inlineHash returns the source expression of an inline script or style in a policy.
func inlineHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func tenth(x float64) float64 { return math.Round(x*10) / 10 }

// A bar of a histogram.
type bar struct {
	Label  string
	Count  int
	Height float64 // of 100
}

// plainTitle removes backticks from a title.
func plainTitle(s string) string { return strings.ReplaceAll(s, "`", "") }

// day formats a time to the minute; "" for the zero time.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2 Jan 2006, 15:04")
}

// clip shortens a text to n bytes or so.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
