package main

import (
	"context"
	"net/url"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// beforeEachPage runs a script in every page before its own.
func beforeEachPage(script string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(script).Do(ctx)
		return err
	})
}

// settled waits until a page is complete, and does not say that a computation is
// still under way.
func settled() chromedp.Action {
	return chromedp.Poll(`document.readyState === "complete" && !document.querySelector("[data-busy]")`, nil)
}

// queryEscape makes text fit for an address.
func queryEscape(s string) string { return url.QueryEscape(s) }

// awaitPromise waits for what a script promises.
func awaitPromise(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
