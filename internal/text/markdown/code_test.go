package markdown

import (
	"testing"

	"github.com/docent-md/docent/doc"
)

func TestCode(t *testing.T) {
	for name, tt := range map[string]struct{ source, want string }{
		"plain":             {"```go\nfunc f() {\n\tx()\n}\n```\n", "func f() {\n\tx()\n}\n"},
		"indented":          {"  ```\n  a\n    b\n c\n  ```\n", "a\n  b\nc\n"},
		"in an item":        {"1. step\n\n   ```py\n   def f():\n       pass\n   ```\n", "def f():\n    pass\n"},
		"in a quote":        {"> ```go\n> func f() {\n> \tx()\n> }\n> ```\n", "func f() {\n\tx()\n}\n"},
		"quoted in an item": {"1. > ```js\n   > f(\n   >   x)\n   > ```\n", "f(\n  x)\n"},
		"an alert":          {"> [!NOTE]\n>\n> ```sh\n> a > b\n> ```\n", "a > b\n"},
		"empty":             {"> ```\n> ```\n", ""},
		"not closed":        {"- ```\n  a", "a"},
		"more than quoted":  {"> ```\n> > a\n> ```\n", "> a\n"},
	} {
		d := Parse("a.md", []byte(tt.source))
		for i := range d.Blocks {
			if b := &d.Blocks[i]; b.Kind == doc.Fence {
				if got := string(Code(&d, b)); got != tt.want {
					t.Errorf("%s: got %q, want %q", name, got, tt.want)
				}
			}
		}
	}
}
