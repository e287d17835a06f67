package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// The circles of a large map become links when their details are there, and the map goes to
// one of them as to any other.
func TestLargeMap(t *testing.T) {
	files := map[string]string{}
	for i := range 450 {
		files[fmt.Sprintf("n%d.md", i)] = fmt.Sprintf("# Number %d\n\n[next](n%d.md)\n", i, (i+1)%450)
	}
	p, server := open(t, folder(t, files))
	p.do(t, chromedp.Navigate(server+"/map?at=n7.md"), settled(), chromedp.WaitReady(`.spots a[href="/read/n7.md"] .spot.on[data-path="n7.md"]`),
		chromedp.Poll(`document.querySelector(".map-tip").textContent.includes("Number 7")`, nil),
		chromedp.Poll(`document.querySelectorAll(".near path").length === 2`, nil))
	if n := value[int](t, p, `document.querySelectorAll(".spots > a > .spot").length`); n != 450 {
		t.Errorf("%d circles are links", n)
	}
	p.do(t, chromedp.Evaluate(`document.querySelector('.spots a[href="/read/n8.md"]').dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))`, nil),
		chromedp.Poll(`location.pathname === "/read/n8.md"`, nil), settled())
}
