// Docent answers questions from a folder of Markdown. Run "docent help".
package main

import (
	"os"

	"github.com/docent-md/docent/internal/surface/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
