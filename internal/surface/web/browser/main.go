package main

import (
	"context"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/surface/web"
)

func main() {
	out := flag.String("out", "../../../../docs/images", "folder for the pictures")
	root := flag.String("root", "../../../../examples/harbour", "documents to show")
	name := flag.String("name", "", "what the corpus is called (default: the name of its folder)")
	query := flag.String("query", "how do I rotate a key", "what is searched")
	read := flag.String("read", "guide/keys.md", "document that is read")
	flag.Parse()
	if *name == "" {
		*name = filepath.Base(*root)
	}
	if err := screenshots(*out, *root, *name, *query, *read); err != nil {
		fmt.Fprintln(os.Stderr, "browser:", err)
		os.Exit(2)
	}
}

// corpusOf is the corpus of a library.
func corpusOf(name string, lib *docent.Library) web.Corpus {
	return web.Corpus{Name: name, Library: func(context.Context) (*docent.Library, error) { return lib, nil }}
}

// A shot is one picture.
type shot struct {
	file          string
	url           string
	width, height int64
	dark          bool
}

// screenshots writes a picture of each page, light and dark, wide and narrow.
func screenshots(out, root, name, query, read string) error {
	ctx := context.Background()
	lib, err := docent.Open(ctx, root, docent.Options{})
	if err != nil {
		return err
	}
	defer lib.Close()
	server := httptest.NewServer(web.New(web.Options{Corpora: []web.Corpus{corpusOf(name, lib)}}))
	defer server.Close()
	browser, stop, err := startBrowser(ctx)
	if err != nil {
		return err
	}
	defer stop()
	t, closeTab, err := newTab(browser, server.URL)
	if err != nil {
		return err
	}
	defer closeTab()
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	search := "/?q=" + queryEscape(query)
	for _, s := range []shot{
		{"start.png", "/", 1200, 1000, false},
		{"start-dark.png", "/", 1200, 1000, true},
		{"search.png", search, 1200, 800, false},
		{"search-dark.png", search, 1200, 800, true},
		{"agent.png", search + "&view=agent", 1200, 800, false},
		{"read.png", "/read/" + read, 1440, 900, false},
		{"read-dark.png", "/read/" + read, 1440, 900, true},
		{"read-phone.png", "/read/" + read, 390, 844, false},
		{"tree-phone.png", "/read/" + read + "#docent-tree", 390, 844, false},
		{"marked.png", "/read/" + read + "?q=" + queryEscape(query), 1440, 900, false},
		{"missing.png", "/read/guide/kees.md", 1200, 600, false},
		{"map.png", "/map", 1200, 1120, false},
		{"map-dark.png", "/map", 1200, 1120, true},
		{"health.png", "/health", 1200, 800, false},
		{"index.png", "/index", 1200, 900, false},
	} {
		if err := s.take(t, server.URL, filepath.Join(out, s.file)); err != nil {
			return fmt.Errorf("%s: %w", s.file, err)
		}
	}
	faults := slices.DeleteFunc(t.takeFaults(), func(f string) bool { return strings.Contains(f, "/read/guide/kees.md") })
	if len(faults) > 0 {
		return fmt.Errorf("the pages had faults: %q", faults)
	}
	return nil
}

func (s shot) take(t *tab, server, file string) error {
	theme := "light"
	if s.dark {
		theme = "dark"
	}
	var png []byte
	err := t.run(
		chromedp.EmulateViewport(s.width, s.height),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}),
		chromedp.Navigate(server+s.url),
		settled(),
		chromedp.CaptureScreenshot(&png),
	)
	if err != nil {
		return err
	}
	return os.WriteFile(file, png, 0o644)
}
