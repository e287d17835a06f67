package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// corpora returns the folders that the pages are tried on: the example, and those that
// DOCENT_CORPORA has (obsidian-help, pydantic, mdn-reference), each with a page of it.
func corpora(t *testing.T) map[string]string {
	out := map[string]string{harbour: "guide/keys.md"}
	dir := os.Getenv("DOCENT_CORPORA")
	if dir == "" {
		t.Log("DOCENT_CORPORA names no folder with obsidian-help, pydantic and mdn-reference: only the example is tried")
		return out
	}
	for name, page := range map[string]string{
		"obsidian-help": "Linking notes and files/Internal links.md", "pydantic": "docs/concepts/models.md", "mdn-reference": "api/abortcontroller/index.md",
	} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		out[filepath.Join(dir, name)] = page
	}
	return out
}

// theme chooses light or dark.
func theme(name string) chromedp.Action {
	return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}})
}

// pagesOf are the addresses of one page of each kind.
func pagesOf(page string) []string {
	read := "/read/" + strings.ReplaceAll(page, " ", "%20")
	dir := strings.ReplaceAll(filepath.ToSlash(filepath.Dir(page)), " ", "%20")
	return []string{"/", "/?q=key", "/?q=key&view=agent", "/?q=xylophone+qwertz", read, read + "?q=key", "/folder/" + dir, "/map", "/health", "/index"}
}

// overlap finds texts and controls that cover each other, and what sticks out of the page.
const overlap = `(() => {
  const seen = [], bad = [];
  const visible = (el) => { const s = getComputedStyle(el); return s.visibility !== "hidden" && s.display !== "none" && Number(s.opacity) > .1; };
  for (const el of document.querySelectorAll("main a, main button, main input, main select, main h1, main h2, main h3, main p, main summary, header a, header button")) {
    if (el.closest("svg, dialog, .sr, [hidden]") || el.matches(".sr, .skip, .copy, .tree-filter input") || !el.checkVisibility() || !visible(el)) continue;
    const clip = el.closest(".tree, .contents, .map-list, .linked ul, .code, .table, .bar nav");
    for (const r of el.getClientRects()) {
      if (r.width < 2 || r.height < 2) continue;
      if (!clip && (r.right > innerWidth + 1 || r.left < -1)) bad.push("sticks out: " + el.outerHTML.slice(0, 80));
      if (clip) { const c = clip.getBoundingClientRect(); if (r.bottom > c.bottom || r.top < c.top || r.right > c.right + 1 || r.left < c.left - 1) continue; }
      seen.push([el, r]);
    }
  }
  for (let i = 0; i < seen.length && bad.length < 5; i++) for (let j = i + 1; j < seen.length; j++) {
    const [a, x] = seen[i], [b, y] = seen[j];
    if (a.contains(b) || b.contains(a) || a.closest(".hits article") && a.closest("article") === b.closest("article")) continue;
    const w = Math.min(x.right, y.right) - Math.max(x.left, y.left), h = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
    const sticky = (el) => el.closest(".bar, .tree, .contents");
    if (w > 3 && h > 5 && !(Boolean(sticky(a)) !== Boolean(sticky(b)) && scrollY > 0)) bad.push(a.outerHTML.slice(0, 70) + " over " + b.outerHTML.slice(0, 70));
  }
  return bad;
})()`

// Pages of every kind, of every corpus: nothing overlaps on a phone, a tablet and a desk,
// light and dark; a page weighs less than 150 kB; nothing keeps readers out.
func TestPagesOfEveryCorpus(t *testing.T) {
	axe, err := os.ReadFile(cmpOr(os.Getenv("DOCENT_AXE"), "none"))
	if err != nil {
		t.Log("DOCENT_AXE names no axe.min.js: what keeps readers out is not looked for")
	}
	for root, page := range corpora(t) {
		t.Run(filepath.Base(root), func(t *testing.T) {
			p, server := open(t, root)
			for _, url := range pagesOf(page) {
				for _, width := range []int64{390, 768, 1280} {
					for _, name := range []string{"light", "dark"} {
						p.do(t, theme(name), chromedp.EmulateViewport(width, 900), chromedp.Navigate(server+url), settled(), arrived())
						if over := value[int](t, p, "document.documentElement.scrollWidth - innerWidth"); over > 0 {
							t.Errorf("%s at %d is %d pixels too wide", url, width, over)
						}
						if name == "light" {
							if bad := value[[]string](t, p, overlap); len(bad) > 0 {
								t.Errorf("%s at %d: %q", url, width, bad)
							}
						}
						if axe != nil && width != 768 {
							checkAxe(t, p, axe, fmt.Sprintf("%s at %d, %s", url, width, name))
						}
					}
				}
				if size := value[int](t, p, `performance.getEntriesByType("navigation")[0].decodedBodySize`); size > 150_000 {
					t.Errorf("%s weighs %d bytes", url, size)
				}
			}
		})
	}
}

// arrived waits for what a page loads by itself.
func arrived() chromedp.Action {
	return chromedp.Poll(`!document.querySelector("[data-part]")`, nil)
}

// checkAxe fails for whatever axe-core finds, of any weight. In which order the headings of
// a document are is its writer's business.
func checkAxe(t *testing.T, p *tab, axe []byte, name string) {
	t.Helper()
	var bad []string
	run := `(async () => (await axe.run(document, { resultTypes: ["violations"] })).violations.filter((v) => v.id !== "heading-order" || v.nodes.some((n) => !document.querySelector(n.target[0])?.closest("article.doc"))).map((v) => v.id + " (" + v.impact + "): " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)).join(" | ")))()`
	ctx, cancel := context.WithTimeout(p.Context, 3*time.Minute) // a large page takes it a while
	defer cancel()
	if err := chromedp.Run(ctx, chromedp.Evaluate(string(axe)+"; undefined", nil), chromedp.Evaluate(run, &bad, chromedp.EvalAsValue, awaitPromise)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, b := range bad {
		t.Errorf("%s: %s", name, b)
	}
}

func TestTreeOpensAndFilters(t *testing.T) {
	p, server := open(t, harbour)
	p.do(t, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(server+"/read/guide/keys.md"), settled())
	if here := value[string](t, p, `document.querySelector(".tree [aria-current]").textContent`); here != "API keys" {
		t.Errorf("%q is marked", here)
	}
	p.do(t, chromedp.Click(`.tree .twist[aria-label^="reference"]`), chromedp.WaitVisible(`.tree a[href="/read/reference/config.md"]`))
	p.do(t, chromedp.Click(`.tree .twist[aria-label^="reference"]`), chromedp.WaitNotVisible(`.tree a[href="/read/reference/config.md"]`))
	// Arrow keys: right opens the folder, down goes into it, left closes it.
	p.do(t, chromedp.Focus(`.tree a[href="/folder/reference"]`), chromedp.KeyEvent(kb.ArrowRight), chromedp.WaitVisible(`.tree a[href="/read/reference/config.md"]`), chromedp.KeyEvent(kb.ArrowDown))
	if at := value[string](t, p, `document.activeElement.getAttribute("href")`); !strings.HasPrefix(at, "/read/reference/") {
		t.Errorf("at %s", at)
	}
	p.do(t, chromedp.SendKeys("[data-tree-filter]", "worker"), chromedp.WaitVisible(".found a"))
	if first := value[string](t, p, `document.querySelector(".found a").getAttribute("href")`); first != "/read/guide/workers.md" {
		t.Errorf("found %s", first)
	}
	p.do(t, chromedp.KeyEvent(kb.Escape), chromedp.WaitVisible("[data-tree-all]"))
	p.do(t, chromedp.SendKeys("[data-tree-filter]", "worker"), chromedp.WaitVisible(".found a"), chromedp.KeyEvent(kb.Enter), chromedp.Poll(`location.pathname === "/read/guide/workers.md"`, nil))
	// On a phone the tree opens over the page, and closes.
	shown := func(want string) chromedp.Action {
		return chromedp.Poll(`getComputedStyle(document.querySelector("#docent-tree")).display === "`+want+`"`, nil)
	}
	p.do(t, chromedp.EmulateViewport(390, 844), chromedp.Navigate(server+"/read/guide/keys.md"), settled(), shown("none"))
	p.do(t, chromedp.Click(".pages-link"), shown("block"))
	p.do(t, chromedp.Click(".tree-close"), shown("none"))
}

// press presses a key that a page listens to: the driver's own would also type it into
// whatever gets the focus.
func press(key string, control bool) chromedp.Action {
	return chromedp.Evaluate(fmt.Sprintf(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: %q, ctrlKey: %v, bubbles: true, cancelable: true }))`, key, control), nil)
}

func TestSearchOverThePage(t *testing.T) {
	p, server := open(t, harbour)
	p.do(t, chromedp.Navigate(server+"/read/guide/keys.md#revoke-a-key"), settled())
	before := value[string](t, p, `location.href + history.length + document.title + document.querySelector("[data-palette]").outerHTML`)
	p.do(t, press("/", false), chromedp.WaitVisible("dialog.palette[open]"), chromedp.SendKeys(".palette input[type=search]", "retry"),
		chromedp.Poll(`document.querySelector("[data-palette-results]").dataset.for === "retry"`, nil), chromedp.WaitVisible(".palette [data-hit]"))
	p.do(t, chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	if at := value[int](t, p, `[...document.querySelectorAll(".palette [data-hit]")].indexOf(document.activeElement)`); at != 1 {
		t.Errorf("hit %d has the focus", at)
	}
	p.do(t, chromedp.KeyEvent(kb.Escape), chromedp.WaitNotPresent("dialog[open]"))
	if after := value[string](t, p, `location.href + history.length + document.title + document.querySelector("[data-palette]").outerHTML`); after != before {
		t.Errorf("it leaves something behind:\n%s\n%s", before, after)
	}
	if text := value[string](t, p, `document.querySelector(".palette input[type=search]").value`); text != "" {
		t.Errorf("%q is left", text)
	}
	// Ctrl-K opens it too, and Enter the first hit, where its words are marked.
	p.do(t, press("k", true), chromedp.WaitVisible("dialog.palette[open]"), chromedp.SendKeys(".palette input[type=search]", "rotate"),
		chromedp.Poll(`document.querySelector("[data-palette-results]").dataset.for === "rotate"`, nil), chromedp.KeyEvent(kb.Enter),
		chromedp.Poll(`location.search === "?q=rotate"`, nil), settled(), chromedp.WaitVisible("article.doc mark"), chromedp.WaitVisible("[data-marks]"))
	if words := value[string](t, p, `[...document.querySelectorAll("article.doc mark")].map((m) => m.textContent.toLowerCase()).find((w) => !w.startsWith("rotat")) || ""`); words != "" {
		t.Errorf("%q is marked", words)
	}
}

func TestContentsFollow(t *testing.T) {
	p, server := open(t, harbour)
	p.do(t, chromedp.EmulateViewport(1440, 700), chromedp.Navigate(server+"/read/guide/keys.md"), settled())
	p.do(t, chromedp.Evaluate(`document.querySelectorAll("article h2")[2].scrollIntoView()`, nil),
		chromedp.Poll(`document.querySelector(".contents [aria-current]")?.hash === "#" + document.querySelectorAll("article h2")[2].id`, nil))
	p.do(t, chromedp.Evaluate(`scrollTo(0, document.documentElement.scrollHeight)`, nil),
		chromedp.Poll(`document.querySelector(".contents [aria-current]") === [...document.querySelectorAll(".contents a")].at(-1)`, nil))
	// Previous and next, by keys.
	next := value[string](t, p, `document.querySelector(".turn [rel=next]").getAttribute("href")`)
	p.do(t, chromedp.KeyEvent("]"), chromedp.Poll("location.pathname === `"+next+"`", nil), settled(), chromedp.KeyEvent("["), chromedp.Poll(`location.pathname === "/read/guide/keys.md"`, nil))
}

func TestMoreResults(t *testing.T) {
	p, server := open(t, harbour)
	p.do(t, chromedp.Navigate(server+"/?q=job"), settled(), chromedp.WaitVisible("[data-more]"), chromedp.Click("[data-more]"),
		chromedp.Poll(`document.querySelectorAll("[data-hit]").length > 20`, nil))
	if at := value[int](t, p, `[...document.querySelectorAll("[data-hit]")].indexOf(document.activeElement)`); at != 20 {
		t.Errorf("hit %d has the focus", at)
	}
	if at := value[string](t, p, "location.search"); at != "?n=40&q=job" {
		t.Errorf("the address is %s", at)
	}
}

// The map finds any page, drawn or not, and flies there; folders open in place.
func TestMapFindsAnyPage(t *testing.T) {
	root, file, folder := harbour, "guide/keys.md", "guide"
	if dir := os.Getenv("DOCENT_CORPORA"); dir != "" {
		root, file, folder = filepath.Join(dir, "mdn-reference"), "api/abortcontroller/abort/index.md", "api"
	}
	p, server := open(t, root)
	p.do(t, chromedp.Navigate(server+"/map"), settled(), chromedp.WaitReady(".spot"))
	words := map[string]string{harbour: "api keys"}[root]
	p.do(t, chromedp.SendKeys("[data-map-find]", cmpOr(words, "abortcontroller abort")), chromedp.WaitVisible(fmt.Sprintf(`[data-map-found] a[data-at=%q]`, file)),
		chromedp.Click(fmt.Sprintf(`[data-map-found] a[data-at=%q]`, file)), chromedp.WaitReady(fmt.Sprintf(`.spot.on[data-path=%q]`, file)),
		chromedp.Poll(`Number(document.querySelector(".map svg").getAttribute("viewBox").split(" ")[2]) < 900`, nil))
	// The folder opens in place, from the list, by keys.
	p.do(t, chromedp.Navigate(server+"/map"), settled(), chromedp.Focus(fmt.Sprintf(`[data-map-list] a[data-path=%q]`, folder)), chromedp.KeyEvent(kb.Enter),
		chromedp.Poll(fmt.Sprintf(`location.search === "?dir=%s" && document.querySelector("h1").textContent === "Map of %s"`, folder, folder), nil))
	p.do(t, chromedp.Evaluate("history.back()", nil), chromedp.Poll(`document.querySelector("h1").textContent === "Map"`, nil))
}

// Pages that say that there is nothing are pages too.
func TestPagesThatAreNotThere(t *testing.T) {
	axe, err := os.ReadFile(cmpOr(os.Getenv("DOCENT_AXE"), "none"))
	if err != nil {
		t.Skip("DOCENT_AXE names no axe.min.js")
	}
	p, server := open(t, harbour)
	for _, url := range []string{"/read/guide/kees.md", "/folder/none", "/map?at=none.md", "/nothing"} {
		if err := p.run(chromedp.Navigate(server+url), settled(), chromedp.WaitVisible(".problem h1")); err != nil {
			t.Fatal(err)
		}
		for _, f := range p.takeFaults() {
			if !strings.Contains(f, "404") {
				t.Errorf("%s: %s", url, f)
			}
		}
		checkAxe(t, p, axe, url)
	}
}
