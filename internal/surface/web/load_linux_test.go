package web

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/docent-md/docent"
)

// Two hundred readers at once, each of whom types, reads and looks around, with a
// second between one request and the next. It prints how long each request took
// the server, waiting for a processor included, and how much of that was work of
// its own: on a machine that does other things too, only the latter says much. It
// runs where DOCENT_LOAD names a folder of documents; DOCENT_THINK is the pause in
// milliseconds.
func TestLoad(t *testing.T) {
	root := os.Getenv("DOCENT_LOAD")
	if root == "" {
		t.Skip("DOCENT_LOAD names no folder of documents")
	}
	think := time.Second
	if ms, err := strconv.Atoi(os.Getenv("DOCENT_THINK")); err == nil {
		think = time.Duration(ms) * time.Millisecond
	}
	lib, err := docent.Open(t.Context(), root, docent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	list, err := lib.Files(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	paths := list.Paths()
	pages := New(Options{Corpora: []Corpus{corpusOf("load", lib)}, Note: func(s string) { t.Error(s) }})
	var mu sync.Mutex
	times, works := map[string][]time.Duration{}, map[string][]time.Duration{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		start, before := time.Now(), threadTime()
		pages.ServeHTTP(w, r)
		took, worked := time.Since(start), threadTime()-before
		mu.Lock()
		defer mu.Unlock()
		for _, kind := range []string{"/" + firstPart(r.URL.Path), "all"} {
			times[kind] = append(times[kind], took)
			works[kind] = append(works[kind], worked)
		}
	}))
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 300}}
	fetch := func(path string) {
		res, err := client.Get(server.URL + path)
		if err != nil {
			t.Error(err)
			return
		}
		_ = res.Body.Close()
	}
	for _, warm := range []string{"/", "/map", "/health", "/index"} {
		for range 30 { // until all that takes long is known
			fetch(warm)
			if got := get(t, pages, warm); got.Header().Get("Refresh") == "" {
				break
			}
			time.Sleep(time.Second)
		}
	}
	clear(times)
	clear(works)
	words := []string{"flexbox", "how to fetch json", "array map", "event listener", "grid", "promise", "typed array", "svg path", "select element", "css variable"}
	end := time.Now().Add(10 * time.Second)
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(i), 1))
			time.Sleep(time.Duration(rnd.Int64N(int64(think) + 1)))
			for time.Now().Before(end) {
				switch n := rnd.IntN(20); {
				case n < 12:
					q := words[rnd.IntN(len(words))]
					fetch("/hits?q=" + url.QueryEscape(q[:1+rnd.IntN(len(q))]))
				case n < 18:
					fetch((&url.URL{Path: "/read/" + paths[int(float64(len(paths))*rnd.Float64()*rnd.Float64())]}).String())
				case n == 18:
					fetch("/index")
				default:
					fetch("/map")
				}
				time.Sleep(think)
			}
		})
	}
	wg.Wait()
	for kind := range times {
		for _, of := range []struct {
			name string
			list []time.Duration
		}{{"took", times[kind]}, {"worked", works[kind]}} {
			slices.Sort(of.list)
			at := func(share float64) time.Duration {
				return of.list[int(share*float64(len(of.list)-1))].Round(10 * time.Microsecond)
			}
			t.Logf("%-8s %6d requests %-6s median %v, p90 %v, p99 %v, most %v", kind, len(of.list), of.name, at(.5), at(.9), at(.99), at(1))
		}
	}
}

// threadTime is how long the calling thread has worked.
func threadTime() time.Duration {
	var u syscall.Rusage
	const thread = 1 // RUSAGE_THREAD
	if syscall.Getrusage(thread, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func firstPart(path string) string {
	for i, c := range path[1:] {
		if c == '/' {
			return path[1 : i+1]
		}
	}
	return path[1:]
}
