//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"

	"github.com/blevesearch/bleve/v2"
)

// servePeer serves a peer over HTTP until the process is killed, and prints its address:
// "bleve=FOLDER" or "fts=FILE". A program of its own, so that what it costs is not the
// cost of those who ask it.
func servePeer(ctx context.Context, peer string) error {
	kind, path, _ := strings.Cut(peer, "=")
	var ask func(r *http.Request, question string) (int, error)
	switch kind {
	case "bleve":
		index, err := bleve.Open(path)
		if err != nil {
			return err
		}
		ask = func(_ *http.Request, question string) (int, error) {
			return searchBleve(index, inFields(question), best)
		}
	case "fts":
		db, err := openFTS(ctx, path)
		if err != nil {
			return err
		}
		db.SetMaxOpenConns(runtime.NumCPU())
		ask = func(r *http.Request, question string) (int, error) { return db.search(r.Context(), question, best) }
	default:
		return fmt.Errorf("-peer %s: neither bleve=FOLDER nor fts=FILE", peer)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "serving at http://%s/\n", listener.Addr())
	return http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var question string
		err := json.NewDecoder(r.Body).Decode(&question)
		n := 0
		if err == nil {
			n, err = ask(r, question)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintf(w, "{\"hits\": %d}\n", n)
	}))
}
