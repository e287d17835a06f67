package embed

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const someLines = `{"query": "rotate keys", "positive": "Run the command.", "negatives": ["Logs.", "Ports."]}

{"query": "no negatives", "positive": "are needed", "chunk": 7}
not JSON
{"query": " ", "positive": "p"}
{"query": "q"}
["query"]
{"query": "q", "positive": "p", "negatives": [""]}
{"query": "q", "positive": "p", "negatives": "none"}
{"query": "last", "positive": "without a line ending"}`

func TestReadTriplets(t *testing.T) {
	got, bad, err := ReadTriplets(strings.NewReader(someLines), false)
	if err != nil {
		t.Fatal(err)
	}
	want := []Triplet{
		{Query: "rotate keys", Positive: "Run the command.", Negatives: []string{"Logs.", "Ports."}},
		{Query: "no negatives", Positive: "are needed"},
		{Query: "last", Positive: "without a line ending"},
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Triplet{})); d != "" {
		t.Error(d)
	}
	var said []string
	for _, b := range bad {
		said = append(said, b.Error())
	}
	wantSaid := []string{
		`line 4: invalid character 'o' in literal null (expecting 'u')`,
		`line 5: no "query"`,
		`line 6: no "positive"`,
		`line 7: not an object but an array`,
		`line 8: negative 1 is empty`,
		`line 9: "negatives" is a string`,
	}
	if d := cmp.Diff(wantSaid, said); d != "" {
		t.Error(d)
	}
}

func TestReadTripletsStrictly(t *testing.T) {
	_, _, err := ReadTriplets(strings.NewReader(someLines), true)
	var line *LineError
	if !errors.As(err, &line) || line.Line != 4 {
		t.Error(err)
	}
	if _, _, err := ReadTriplets(strings.NewReader("\n"+strings.SplitN(someLines, "\n", 2)[0]), true); err != nil {
		t.Error(err)
	}
}

// A line too long to hold is reported and passed over, not held.
func TestReadTripletsLongLine(t *testing.T) {
	in := `{"query": "` + strings.Repeat("x", maxLine) + `"}` + "\n" + `{"query": "q", "positive": "p"}`
	got, bad, err := ReadTriplets(strings.NewReader(in), false)
	if err != nil || len(got) != 1 || len(bad) != 1 || bad[0].Line != 1 || !strings.Contains(bad[0].Error(), "longer than") {
		t.Errorf("%d triplets, %v, %v", len(got), bad, err)
	}
}

func TestReadTripletsReportsReading(t *testing.T) {
	broken := errors.New("the disk is gone")
	in := iotest.TimeoutReader(strings.NewReader(someLines))
	if _, _, err := ReadTriplets(iotest.ErrReader(broken), false); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, _, err := ReadTriplets(iotest.OneByteReader(in), false); !errors.Is(err, iotest.ErrTimeout) {
		t.Error(err)
	}
}

func TestWriteTripletsComesBack(t *testing.T) {
	p := keysPage()
	want := Mine(&p, 2)
	want[0].Query = "<a href=\"x\">\n\u2028 & 'b'"
	var b bytes.Buffer
	if err := WriteTriplets(&b, want); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), `\u003c`) {
		t.Error("written for web pages")
	}
	got, bad, err := ReadTriplets(&b, true)
	if err != nil || len(bad) > 0 {
		t.Fatal(bad, err)
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Triplet{})); d != "" {
		t.Error(d)
	}
}

func FuzzReadTriplets(f *testing.F) {
	f.Add([]byte(someLines))
	f.Fuzz(func(t *testing.T, in []byte) {
		got, bad, err := ReadTriplets(bytes.NewReader(in), false)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(in, []byte("\n")) + 1; len(got)+len(bad) > n {
			t.Fatalf("%d triplets and %d errors from %d lines", len(got), len(bad), n)
		}
	})
}
