package grep

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/needs"
)

// Words that text and patterns are made of. Among them are the characters that
// part those who know Unicode from those who guess: letters that are longer in
// another case, letters of three cases, digits and marks that are no ASCII,
// words without spaces, and what is a word character to one engine only.
var words = []string{
	"price", "cost", "billing", "Foo", "foo", "FOO", "bar", "foobar", "foo_bar", "foo-bar", "AbortController",
	"addEventListener(\"click\")", "kube-proxy", "K8s", "\u212aelvin", "kelvin", "\u017fale", "sale", "MASSE", "ma\u00dfe", "MA\u1e9eE",
	"\u03c3\u03ac\u03c2", "\u03a3\u0391\u03a3", "caf\u00e9", "CAF\u00c9", "cafe\u0301", "na\u00efve", "\u01c5", "\u01c4", "\u01c6",
	"\u0130stanbul", "istanbul", "\u0131", "\u4f7f\u7528Pod", "\u6771\u4eac", "\uac00\ub098", "\u0e01\u0e32\u0e23",
	"2024-01-31", "\u0661\u0662\u0663", "\u09e6", "x\u00b2", "\u00bd", "\u2160", "\u24b6", "a\u200db", "a\u200cb", "a\u00ad",
	"\u00b5m", "\u03bcm", "\u2126", "\u03c9", "\u03d1", "\u0398", "\u1fbe", "\u0345", "$HOME", "a.b.c", "v1.2.3", "::", "--", "#", "##",
	"`code`", "[link](u)", "{x}", "(y)", "\\", "|", "*", "\u2028", "\u00a0", "\u3000", "\u0085", "\ufeff", "\ufffd", "\x00", "\U0001f600",
	"\U00010400", "\U00010428", "aaaa", "abab", "the", "property", "request", "_", "__init__", "1", "0x1F", "\t", "'", "\"q\"",
}

var joiners = []string{" ", " ", " ", "", "-", ".", ", ", "\t", "  ", "/", "_", "\u00a0"}

// madeText returns lines of words.
func madeText(rng *rand.Rand, lines int) string {
	var b strings.Builder
	for range lines {
		for range rng.IntN(8) {
			b.WriteString(words[rng.IntN(len(words))])
			b.WriteString(joiners[rng.IntN(len(joiners))])
		}
		if rng.IntN(12) == 0 {
			b.WriteByte('\r')
		}
		b.WriteByte('\n')
	}
	b.WriteString("the last line has no end: foo")
	return b.String()
}

// madePattern returns an expression. Groups in it are at most that deep. The ends
// of the line are asked for at its ends only: ripgrep 13 gets (?:^$){2} wrong.
func madePattern(rng *rand.Rand, depth int) string {
	pattern := madePart(rng, depth)
	if rng.IntN(6) == 0 {
		pattern = "^" + pattern
	}
	if rng.IntN(6) == 0 {
		pattern += "$"
	}
	return pattern
}

func madePart(rng *rand.Rand, depth int) string {
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	sub := func() string { return madePart(rng, depth-1) }
	if depth <= 0 {
		switch rng.IntN(8) {
		case 0, 1, 2:
			return escapeAll(words[rng.IntN(len(words))])
		case 3:
			return pick(`\w`, `\d`, `\s`, `\W`, `\D`, `\S`, `.`, `\w+`, `\d+`, `\s+`, `\pL`, `\p{Lu}`, `\p{Greek}`, `\PL`, `\p{Nd}`)
		case 4:
			return pick(`[a-z]`, `[^a-z]`, `[A-F0-9]`, `[^\w\s]`, `[[:alpha:]]`, `[[:^upper:]]`, `[a-z&&[^aeiou]]`,
				`[\w--[a-m]]`, `[k-s]`, `[^k]`, `[ſ]`, `[-a]`, `[]a]`, `[^]a]`, `[a-z~~aeiou]`, `[σ-ω]`, `[\d_]`, `[.]`)
		case 5:
			return pick(`\b`, `\Bo`, `a\B`)
		default:
			return pick("a", "b", "k", "s", "K", "o", "f", "-", "_", "x", "1", "é", "ς", " ")
		}
	}
	switch rng.IntN(9) {
	case 0, 1, 2, 3:
		return sub() + sub()
	case 4:
		return "(?:" + sub() + "|" + sub() + ")"
	case 5:
		return "(" + sub() + ")" + pick("*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?", "+?", "??")
	case 6:
		return sub() + pick(`.*`, `\s*`, `\w*`, `[^ ]*`) + sub()
	case 7:
		return pick(`(?i:`, `(?-i:`, `(?s:`, `(?U:`) + sub() + ")"
	}
	return pick(`\b`, ``) + sub() + pick(`\b`, ``)
}

// escapeAll makes a text an expression for itself.
func escapeAll(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`\.+*?()|[]{}^$#&-~`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// k8sFiles returns the documentation of Kubernetes, from the shared folder beside
// the checkout.
func k8sFiles(t testing.TB) map[string]string {
	t.Helper()
	f, err := os.Open(needs.Shared(t, "eval", "k8s", "files.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var file struct {
			ID   string `json:"_id"`
			Text string `json:"text"`
		}
		if err := json.Unmarshal(lines.Bytes(), &file); err != nil {
			t.Fatal(err)
		}
		files[file.ID] = file.Text
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return files
}

// patternName is how a test names a pattern and its options.
func patternName(pattern string, o Options) string {
	return fmt.Sprintf("%q %+v", pattern, o)
}
