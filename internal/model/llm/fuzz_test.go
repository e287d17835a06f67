package llm

import (
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// Whatever a model says, a ranking is some of the candidates, none twice, or an
// error.
func FuzzParseRanking(f *testing.F) {
	f.Add(`{"ids":[1,2,2,9]}`)
	f.Add(`{"ids":null}`)
	f.Add(`{"ids":[1e400]}`)
	f.Fuzz(func(t *testing.T, text string) {
		cands := []Candidate{{ID: "a"}, {ID: "b"}, {ID: "c"}}
		ids, err := parseRanking(text, cands)
		if (err == nil) != (ids != nil) {
			t.Fatalf("%q, %v", ids, err)
		}
		seen := map[string]bool{}
		for _, id := range ids {
			if !strings.Contains("abc", id) || seen[id] {
				t.Fatalf("%q", ids)
			}
			seen[id] = true
		}
	})
}

// oneLine never gives a second line, nor what does not print, nor more than
// was asked for.
func FuzzOneLine(f *testing.F) {
	f.Add("a\nb", 10)
	f.Add("\u202e\x00\xff  x\u2028y", 3)
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = max(0, min(most, 1000))
		got := oneLine(text, most)
		if n := utf8.RuneCountInString(got); n > most+1 {
			t.Fatalf("%d runes of %d", n, most)
		}
		for _, r := range got {
			if r != ' ' && !unicode.IsPrint(r) {
				t.Fatalf("%U in %q", r, got)
			}
		}
		if got != strings.TrimSpace(got) || strings.Contains(got, "  ") {
			t.Fatalf("%q", got)
		}
		if !strings.HasSuffix(got, "…") && oneLine(got, most) != got {
			t.Fatalf("%q is not settled", got)
		}
	})
}

func FuzzRetryAfter(f *testing.F) {
	f.Add("3", "")
	f.Add("Sun, 15 Nov 2026 12:00:20 GMT", "-1")
	f.Add("1e309", "Inf")
	f.Fuzz(func(t *testing.T, after, ms string) {
		h := http.Header{"Retry-After": {after}, "Retry-After-Ms": {ms}}
		now := time.Unix(1_800_000_000, 0)
		if d := retryAfter(h, now); d < -1 {
			t.Fatalf("%v", d)
		}
	})
}

// What a code stands for is rounded to the same code again, so that vectors
// from the cache and those just made are one.
func FuzzCode(f *testing.F) {
	f.Add([]byte{1, 2, 3, 255, 0x80})
	f.Fuzz(func(t *testing.T, raw []byte) {
		v := make([]float32, len(raw))
		for i, b := range raw {
			v[i] = float32(int8(b)) * 1.37
		}
		if !useful(v) {
			return
		}
		code := encodeCode(v)
		w, ok := decodeCode(code)
		if !ok || string(encodeCode(w)) != string(code) {
			t.Fatalf("%v becomes %v", code, encodeCode(w))
		}
	})
}
