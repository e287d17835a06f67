package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// folder writes documents to a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Diagrams are drawn, as pictures, under the policy of the page; what cannot be drawn stays
// source.
func TestDiagramsAreDrawn(t *testing.T) {
	p, server := open(t, folder(t, map[string]string{
		"a.md": "# A\n\n```mermaid\ngraph TD\n  A[Start] --> B{Choice}\n```\n\n```mermaid\nsequenceDiagram\n  Alice->>Bob: Hello\n```\n\n```mermaid\nno such diagram\n```\n",
	}))
	p.do(t, chromedp.Navigate(server+"/read/a.md"), settled(),
		chromedp.Poll(`document.querySelectorAll(".diagram img").length === 2 && [...document.querySelectorAll(".diagram img")].every((i) => i.complete && i.naturalWidth > 50)`, nil),
		chromedp.Poll(`document.body.textContent.includes("cannot be drawn")`, nil))
	if n := value[int](t, p, `document.querySelectorAll("[data-diagram]").length`); n != 3 {
		t.Errorf("%d sources", n)
	}
}
