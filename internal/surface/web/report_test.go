package web

import (
	"context"
	"strings"
	"testing"

	"github.com/docent-md/docent/answer"
)

var noLinks = &answer.Links{}

// A report is one file that asks for nothing, and allows nothing but its own
// style and script.
func TestReport(t *testing.T) {
	b := &strings.Builder{}
	if err := Report(context.Background(), "harbour", library(t, docs), b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{"gone.md leads nowhere", "Tokens in a chunk", `class="spot`, "default-src &#39;none&#39;; style-src &#39;sha256-"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the report", want)
		}
	}
	for _, m := range tagPattern.FindAllStringSubmatch(page, -1) {
		for _, a := range attrPattern.FindAllStringSubmatch(m[2], -1) {
			if a[1] == "src" || a[1] == "href" && !strings.HasPrefix(a[2], "#") || strings.HasPrefix(a[1], "on") || a[1] == "style" {
				t.Errorf("the report has %s", m[0])
			}
		}
	}
	script := page[strings.Index(page, "<script>")+8 : strings.Index(page, "</script>")]
	style := page[strings.Index(page, "<style>")+7 : strings.Index(page, "</style>")]
	p := loadPages()
	if script != p.scripts || style != p.styles {
		t.Error("what stands in the report is not what its policy names")
	}
}
