// Command browser takes pictures of docent's pages in a real browser; its tests
// use them as readers do. It is a module of its own, so that the product does not
// depend on a driver for browsers.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// errNoBrowser is why nothing can be done here.
var errNoBrowser = errors.New("no browser: install chromium, or name one in DOCENT_CHROMIUM")

// findBrowser returns the path of a Chromium.
func findBrowser() (string, error) {
	if name := os.Getenv("DOCENT_CHROMIUM"); name != "" {
		return name, nil
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errNoBrowser
}

// startBrowser starts a browser without a window. Its end is that of ctx.
func startBrowser(ctx context.Context) (context.Context, context.CancelFunc, error) {
	path, err := findBrowser()
	if err != nil {
		return nil, nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.WindowSize(1280, 900),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("disable-dev-shm-usage", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // a browser refuses to sandbox itself for root
	}
	allocator, stop := chromedp.NewExecAllocator(ctx, options...)
	browser, cancel := chromedp.NewContext(allocator, chromedp.WithErrorf(quiet))
	done := func() { cancel(); stop() }
	if err := chromedp.Run(browser); err != nil {
		done()
		return nil, nil, fmt.Errorf("start %s: %w", path, err)
	}
	return browser, done, nil
}

// quiet drops what the driver says about events that it does not know.
func quiet(string, ...any) {}

// A tab is one page of a browser, with what went wrong in it.
type tab struct {
	context.Context
	server string // where all requests must go

	mu     sync.Mutex
	faults []string
}

// newTab opens a tab. Before any page's own scripts, it gives pages a function
// hit, which hostile documents try to call, and counts what policies forbid.
func newTab(browser context.Context, server string) (*tab, context.CancelFunc, error) {
	ctx, cancel := chromedp.NewContext(browser)
	t := &tab{Context: ctx, server: server}
	chromedp.ListenTarget(ctx, t.event)
	err := chromedp.Run(ctx, network.Enable(), log.Enable(), runtime.Enable(), beforeEachPage(`
		window.hits = 0; window.hit = () => { window.hits++; };
		window.violations = [];
		addEventListener("securitypolicyviolation", (e) => window.violations.push(e.violatedDirective + " " + e.blockedURI));
	`))
	return t, cancel, err
}

// event notes errors in the console and requests to elsewhere.
func (t *tab) event(e any) {
	switch e := e.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning || e.Type == runtime.APITypeAssert {
			var words []string
			for _, a := range e.Args {
				words = append(words, string(a.Value))
			}
			t.fault("console: %s", strings.Join(words, " "))
		}
	case *runtime.EventExceptionThrown:
		t.fault("exception: %s", e.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning {
			t.fault("log: %s %s", e.Entry.Text, e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; t.server != "" && !strings.HasPrefix(strings.TrimPrefix(u, "blob:"), t.server) && !strings.HasPrefix(u, "about:") {
			t.fault("request to %s", u)
		}
	}
}

func (t *tab) fault(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults = append(t.faults, fmt.Sprintf(format, args...))
}

// takeFaults returns what went wrong since it was last asked.
func (t *tab) takeFaults() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := t.faults
	t.faults = nil
	return out
}

// run does one thing after another in the tab, each within half a minute. A wait
// that a change of pages cuts short begins again.
func (t *tab) run(actions ...chromedp.Action) error {
	for _, a := range actions {
		ctx, cancel := context.WithTimeout(t.Context, 30*time.Second)
		err := chromedp.Run(ctx, a)
		for err != nil && ctx.Err() == nil && (strings.Contains(err.Error(), "ontext") || strings.Contains(err.Error(), "navigated")) && strings.Contains(err.Error(), "(-32000)") {
			time.Sleep(20 * time.Millisecond)
			err = chromedp.Run(ctx, a)
		}
		cancel()
		if err != nil {
			return err
		}
	}
	return nil
}
