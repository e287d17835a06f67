// Command freshness says when eval/scoreboard.txt is older than the code that it
// measures. "make scoreboard" runs it with -write, which keeps a digest of that code
// in eval/scoreboard.sum; "make check" runs it without, and prints a line such as
//
//	eval/scoreboard.txt is older than the code in internal/engine/rank: run make scoreboard
//
// That is no failure: the test sets are not part of the project, and a change need
// not move an answer.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ranking lists the folders whose code decides what is found, and in which order.
// One that does not exist is passed over.
var ranking = []string{
	"internal/engine/embed",
	"internal/engine/index",
	"internal/engine/rank",
	"internal/engine/reranker",
	"internal/engine/vector",
	"internal/library/build",
	"internal/library/retrieve",
	"internal/library/search",
	"internal/library/snapshot",
	"internal/text/chunk",
	"internal/text/markdown",
	"internal/text/token",
}

const sumFile = "eval/scoreboard.sum"

func main() {
	write := flag.Bool("write", false, "write "+sumFile)
	root := flag.String("C", ".", "folder of the checkout")
	flag.Parse()
	if err := run(*root, *write); err != nil {
		fmt.Fprintln(os.Stderr, "freshness:", err)
		os.Exit(2)
	}
}

func run(root string, write bool) error {
	now, err := digests(os.DirFS(root), ranking)
	if err != nil {
		return err
	}
	name := filepath.Join(root, filepath.FromSlash(sumFile))
	if write {
		return os.WriteFile(name, []byte(format(now)), 0o644)
	}
	then, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if changed := differ(parse(string(then)), now); len(changed) > 0 {
		fmt.Printf("eval/scoreboard.txt is older than the code in %s: run make scoreboard\n", strings.Join(changed, ", "))
	}
	return nil
}
