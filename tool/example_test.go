package tool_test

import (
	"context"
	"fmt"
	"log"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/tool"
)

// The loop between a model's tool call and its result, for any model's API.
func Example() {
	lib, err := docent.Open(context.Background(), "../examples/harbour", docent.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer lib.Close()

	// 1. Tell the model what there is.
	definitions := tool.ToolDefinitions()

	// 2. The model answers with a call, for instance:
	name, input := "read", `{"ref": "guide/keys.md#revoke-a-key", "limit": 3}`

	// 3. Run it, and hand the text back.
	result, err := tool.CallString(context.Background(), lib, name, []byte(input))
	if err != nil {
		result = err.Error() // models repair themselves with what the error says
	}
	fmt.Println(len(definitions) > 5)
	fmt.Print(result)
	// Output:
	// true
	// 116  ## Revoke a key
	// 117
	// 118  Revoking ends a key for good. There is no way back; create a new one instead.
	// [9 lines more: docent read 'guide/keys.md#revoke-a-key' --offset 119]
}
