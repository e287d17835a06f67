package docent_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent"
)

// A first index of a large folder was embedded by a paid endpoint with no more than a
// line about the price. Who has not agreed pays nothing; an endpoint on this machine costs
// nothing and is not asked about.
func TestEmbeddingIsAgreedTo(t *testing.T) {
	dir := t.TempDir()
	for i := range 60 {
		writeFile(t, filepath.Join(dir, strings.Repeat("a", i+1)+".md"), "# Page\n\nText number "+strings.Repeat("x", i)+"\n")
	}
	asked := 0
	index := func(url string) error {
		e, err := docent.NewEndpoint(docent.EndpointOptions{URL: url, Model: "words", Agree: func() bool { asked++; return false }})
		if err != nil {
			t.Fatal(err)
		}
		o := docent.Options{Embed: "openai", Endpoint: func() (*docent.Endpoint, error) { return e, nil }}
		lib, err := docent.OpenDir(t.Context(), dir, filepath.Join(t.TempDir(), "index"), o)
		if err == nil {
			_ = lib.Close()
		}
		return err
	}
	if err := index("http://example.invalid"); !errors.Is(err, docent.ErrNotAgreed) || asked != 1 {
		t.Errorf("asked %d times: %v", asked, err)
	}
	if err := index("http://127.0.0.1:1"); err == nil || errors.Is(err, docent.ErrNotAgreed) || asked != 1 {
		t.Errorf("asked %d times: %v", asked, err)
	}
}
