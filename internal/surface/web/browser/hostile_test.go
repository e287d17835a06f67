package main

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// A drawing runs nothing, in a page or by itself; nor does what a diagram is made of, once
// it is drawn.
func TestPicturesRunNothing(t *testing.T) {
	const attack = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90" onload="hit()"><script>hit(); parent.hit(); fetch("http://127.0.0.1:1/leak")</script>` +
		`<image href="http://127.0.0.1:1/leak" width="9" height="9"/><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="x"/></foreignObject><rect width="90" height="90"/></svg>`
	p, server := open(t, folder(t, map[string]string{
		"a.md": "# A\n\n![x](x.svg)\n\n```mermaid\ngraph TD\n  A[\"<img src=x onerror=hit()>\"] --> B\n  click B call hit()\n```\n\n" +
			"```mermaid\n%%{init: {\"securityLevel\": \"loose\", \"htmlLabels\": true}}%%\ngraph TD\n  A[\"<b onmouseover=hit()>x</b><script>parent.hit()</script>\"] --> B\n```\n",
		"x.svg": attack,
	}))
	p.do(t, chromedp.Navigate(server+"/read/a.md"), settled(),
		chromedp.Poll(`[...document.querySelectorAll(".doc img")].filter((i) => i.complete && i.naturalWidth > 50).length === 3`, nil))
	if hits := value[int](t, p, "window.hits || 0"); hits != 0 {
		t.Errorf("%d hits in the page", hits)
	}
	if err := p.run(chromedp.Navigate(server+"/picture/x.svg"), chromedp.Poll("document.readyState === 'complete'", nil)); err != nil {
		t.Fatal(err)
	}
	_ = p.takeFaults() // that the policy forbids it is the point
	var hits int
	if err := p.run(chromedp.Evaluate("window.hits || 0", &hits)); err != nil || hits != 0 {
		t.Errorf("%d hits by itself: %v", hits, err)
	}
}
