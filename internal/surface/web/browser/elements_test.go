package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// elements is a page with everything that documentation is written in.
const elements = "# Elements\n\n" +
	"> [!NOTE]\n> GitHub's note, with `code` and a [link](other.md).\n\nA paragraph behind it.\n\n" +
	"> [!tip]+ Obsidian's tip\n> It can be folded.\n> > [!warning] One in another\n> > Careful.\n\n" +
	"!!! danger \"MkDocs' danger\"\n\n    - an item\n    - another\n\n??? info \"folded\"\n\n    Hidden words.\n\n" +
	":::important[Docusaurus' own]\n\nWords.\n\n:::\n\n{{< caution >}}\nHugo's words.\n{{< /caution >}}\n\n" +
	"## Tabs\n\n=== \"Python\"\n\n    ```python title=\"a/long/path/to/a/file.py\" hl_lines=\"2\"\n    x = 1  # (1)!\n    y = \"a string\" # (2)!\n    ```\n\n" +
	"    1. What x is.\n    2. What y is, with a [link](other.md).\n\n=== \"Rust\"\n\n    ```rust\n    fn main() { println!(\"{}\", 1); } // " + wide + "\n    ```\n\n" +
	"```diff\n-old line\n+new line\n same\n```\n\n" +
	"## Words\n\nA footnote[^1], one that stands here^[It has *words* and a [link](other.md).], ==marked words==, ~~struck~~, <kbd>Esc</kbd>, ++ctrl+shift+arrow-up++,\n" +
	"`code with a very long name that goes on and on and_on_without_a_space_that_a_line_could_end_at`, [away](https://example.com/x), [broken](gone.md).\n\n" +
	"[^1]: What it says, and `code`.\n\n- [ ] open\n- [x] done\n\nTerm\n: What it means.\n\nOther term\n: First.\n: Second.\n\n" +
	"> A quote.\n\n<details>\n<summary>More</summary>\n\nWords *in* it.\n\n</details>\n\n" +
	"## Tables and pictures\n\n| a | b | c | d | e | f |\n|:--|--:|:-:|---|---|---|\n| one_long_word_in_a_cell | two_long_words_in_a_cell | three_long_words | four_long_words | five_long_words | six_long_words |\n\n" +
	"![A picture](wide.svg) ![[wide.svg|60]] ![gone](gone.png)\n\n![[other#Part]]\n\n" +
	"## Formulas and diagrams\n\nInline $e^{i\\pi} + 1 = 0$ and $\\frac{a}{b}$.\n\n$$\n\\sum_{n=1}^{\\infty} \\frac{1}{n^2} = \\frac{\\pi^2}{6} + \\int_0^1 x\\,dx + a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t\n$$\n\n" +
	"$$\n\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}\n$$\n\n" +
	"```mermaid\ngraph LR\n  A[Start] --> B{Choice}\n  B -->|yes| C[Done]\n  B -->|no| D[Also a long text in a box]\n```\n\n" +
	"```mermaid\nsequenceDiagram\n  Alice->>Bob: Hello\n```\n"

const wide = "a_comment_that_is_wider_than_any_screen_that_a_phone_or_a_tablet_has_and_scrolls_by_itself"

// left finds what is shown as it is written.
const left = `(() => {
  const text = document.querySelector("article.doc").cloneNode(true);
  text.querySelectorAll("code, pre, details.meta, annotation").forEach((el) => el.remove());
  return ["[!", "!!!", "???", ":::", "{{", "===", "[^", "^[", "++", "==", "$", "~~", "](", "[[", "|", "\\frac"].filter((s) => text.textContent.includes(s));
})()`

// touching finds boxes that the next block touches, or that touch the one before.
const touching = `[...document.querySelectorAll("article.doc > .callout, article.doc > .tabset, article.doc > .embed, article.doc > .code, article.doc > .formula, article.doc > .table, article.doc > .diagram")]
  .filter((el) => el.nextElementSibling && el.nextElementSibling.checkVisibility() && el.nextElementSibling.getBoundingClientRect().top - el.getBoundingClientRect().bottom < 6)
  .map((el) => el.outerHTML.slice(0, 80))`

// Everything that documentation is written in is shown as what it is, fits any screen, can
// be read in both themes, and keeps no reader out.
func TestElements(t *testing.T) {
	axe, err := os.ReadFile(cmpOr(os.Getenv("DOCENT_AXE"), "none"))
	if err != nil {
		t.Log("DOCENT_AXE names no axe.min.js: what keeps readers out is not looked for")
	}
	p, server := open(t, folder(t, map[string]string{
		"elements.md": elements,
		"other.md":    "# Other\n\n## Part\n\n> [!NOTE]\n> A note in an embedded part, $x^2$.\n\n- [x] a task\n",
		"wide.svg":    `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="90"><rect width="1600" height="90" fill="teal"/></svg>`,
	}))
	for _, width := range []int64{390, 768, 1280} {
		for _, name := range []string{"light", "dark"} {
			where := fmt.Sprintf("%d, %s", width, name)
			p.do(t, theme(name), chromedp.EmulateViewport(width, 900), chromedp.Navigate(server+"/read/elements.md"), settled(), arrived(),
				chromedp.Poll(`document.querySelectorAll(".diagram img").length === 2`, nil),
				chromedp.Evaluate(`document.querySelectorAll("article details").forEach((d) => { d.open = true; })`, nil))
			if over := value[int](t, p, "document.documentElement.scrollWidth - innerWidth"); over > 0 {
				t.Errorf("%s: %d pixels too wide", where, over)
			}
			for what, script := range map[string]string{"over another": overlap, "hard to read": contrast, "as written": left, "touching": touching, "without a name": unnamed} {
				if bad := value[[]string](t, p, script); len(bad) > 0 {
					t.Errorf("%s: %s: %q", where, what, bad)
				}
			}
			if axe != nil {
				checkAxe(t, p, axe, where)
			}
		}
	}
	// Tabs switch, by mouse and by keys; the numbers in code lead to what explains them, and are not copied.
	p.do(t, chromedp.Click(`//button[@role="tab"][text()="Rust"]`), chromedp.WaitVisible(`code[data-lang="rust"]`), chromedp.WaitNotVisible(`code[data-lang="python"]`))
	p.do(t, chromedp.Focus(`//button[@role="tab"][text()="Rust"]`), chromedp.KeyEvent(kb.ArrowLeft), chromedp.WaitVisible(`code[data-lang="python"]`))
	code := value[string](t, p, `document.querySelector('code[data-lang="python"]').textContent`)
	if strings.Contains(code, "(") || !strings.Contains(code, `y = "a string"`) {
		t.Errorf("the code that is copied is %q", code)
	}
	p.do(t, chromedp.Click(`code[data-lang="python"] a.line-number[data-number="2"]`), chromedp.Poll(`document.querySelector(":target")?.textContent.startsWith("What y is")`, nil))
	// A footnote leads there and back.
	p.do(t, chromedp.Click(`.note-mark a[href="#docent-note-2"]`), chromedp.Poll(`document.querySelector(":target")?.textContent.startsWith("It has words")`, nil),
		chromedp.Click(`:target .note-back`), chromedp.Poll(`location.hash === "#docent-mark-2"`, nil))
	if n := value[int](t, p, `document.querySelectorAll("math").length`); n != 5 {
		t.Errorf("%d formulas", n)
	}
}
