package docent_test

import (
	"context"
	"fmt"
	"log"
	"testing/fstest"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

func Example() {
	lib, err := docent.Open(context.Background(), "examples/harbour", docent.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer lib.Close()
	found, err := lib.Search(context.Background(), docent.Query{Text: "how do I rotate a key", Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range found.Hits {
		fmt.Println(hit.Ref, hit.Headings)
	}
	// Output:
	// guide/keys.md#rotate-a-key:60-100 [API keys Rotate a key]
}

func ExampleLibrary_Grep() {
	lib, err := docent.Open(context.Background(), "examples/harbour", docent.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer lib.Close()
	found, err := lib.Grep(context.Background(), "grace period", answer.GrepOptions{Glob: "guide/**", PerFile: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range found.Matches {
		fmt.Printf("%s:%d in %s\n", m.Path, m.Line, m.Section)
	}
	// Output:
	// guide/keys.md:63 in guide/keys.md#rotate-a-key
}

func ExampleLibrary_Read() {
	lib, err := docent.Open(context.Background(), "examples/harbour", docent.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer lib.Close()
	read, err := lib.Read(context.Background(), "guide/keys.md#rotate-a-key", answer.ReadOptions{Limit: 3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(read.Numbered())
	// Output:
	//  60  ## Rotate a key
	//  61
	//  62  Rotating gives a key a new secret and keeps its id, name, scopes and expiry. The old secret
}

func ExampleFromFS() {
	lib, err := docent.FromFS(context.Background(), fstest.MapFS{
		"keys.md": {Data: []byte("# Keys\n\n## Rotate keys\n\nTurn them.\n")},
	})
	if err != nil {
		log.Fatal(err)
	}
	list, err := lib.Files(context.Background(), "")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(list.Paths())
	// Output:
	// [keys.md]
}
