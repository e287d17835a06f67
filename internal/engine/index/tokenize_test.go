package index

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// tokens writes tokens as they come: parts in parentheses, pairs in brackets,
// joined forms in braces as the word they become.
func tokens(s string) string {
	var tok tokenizer
	var stem stemmer
	var out []string
	tok.each(s, func(k kind, text []byte) {
		t := string(text)
		switch k {
		case partToken:
			t = "(" + t + ")"
		case pairToken:
			t = "[" + t + "]"
		case joinedToken:
			t = "{" + string(stem.word(text)) + "}"
		}
		out = append(out, t)
	})
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"words are lower-cased", "Rotate the KEYS, now!", "rotate the keys now"},
		{"camel humps", "addEventListener", "addeventlistener (add) (event) (listener)"},
		{"acronyms in camel humps", "XMLHttpRequest HTMLElement", "xmlhttprequest (xml) (http) (request) htmlelement (html) (element)"},
		{"acronyms with an ending are one word", "URLs APIs IPv6 K8s", "urls apis ipv6 k8s"},
		{"digits belong to what precedes them", "Base64Encode utf8 2FA v1beta1", "base64encode (base64) (encode) utf8 2fa v1beta1"},
		{"snake case", "max_size __init__ FOO_BAR_", "max_size (max) (size) __init__ (init) foo_bar_ (foo) (bar)"},
		{"parts of one character are left out", "iPhone x_axis", "iphone (phone) x_axis (axis)"},
		{"joined with dashes", "--feature-gates kube-proxy", "feature gates {featureg} kube proxy {kubeproxi}"},
		{"joined with dots", "a.b.c Node.js e.g. end.", "a b c {abc} node js {nodej} e g {eg} end"},
		{"joined with colons", "std::vec::Vec a:b", "std vec vec {stdvecvec} a b"},
		{"versions keep their dots", "v1.2.3 1.25 125", "v1 2 3 {v1.2.3} 1 25 {1.25} 125"},
		{"joined identifiers have parts too", "app.useState", "app usestate (use) (state) {appusest}"},
		{"paths are not joined", "docs/guide/auth.md", "docs guide auth md {authmd}"},
		{"long chains are not names", "a.b.c.d.e.f.g", "a b c d e f g"},
		{"apostrophes divide", "don't what's", "don t what s"},
		{"accents stay", "café naïve", "café naïve"},
		{"Chinese in pairs", "使用服务", "[使用] [用服] [服务]"},
		{"a lone character", "水 a", "[水] a"},
		{"scripts divide", "使用Pod的", "[使用] pod [的]"},
		{"Japanese, Korean and Thai too", "カタ한국ไทย", "[カタ] [タ한] [한국] [국ไ] [ไท] [ทย]"},
		{"Greek and Cyrillic are words", "ΣΊΣΥΦΟΣ Привет", "σίσυφοσ привет"},
		{"the Kelvin sign is a k, the long s an s", "\u212Aey \u017Fet", "key set"},
		{"combining marks belong to the word", "cafe\u0301s", "cafe\u0301s"},
		{"what is not UTF-8 divides", "ab\xffcd\xc3", "ab cd"},
		{"other digits are digits", "٣٤ ②", "٣٤"},
		{"nothing", "… -- \x00", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := tokens(c.text); got != c.want {
				t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
			}
		})
	}
}

func TestLongTokensAreIndexed(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	s := searcherOf(t, "short "+long+" words", long+"y", "nothing")
	for _, text := range []string{long, long[:1000]} {
		set, ok, err := s.MayContain(Literal{Text: text})
		if err != nil || !ok || set.Len() != 2 {
			t.Fatalf("%d bytes: %v %v", len(text), ok, err)
		}
	}
	res, err := s.Top(Parse(long), 3, Options{})
	if err != nil || len(res.Matches) != 0 {
		t.Fatalf("a query is cut, so it finds %d texts (%v)", len(res.Matches), err)
	}
}

func TestWords(t *testing.T) {
	var s stemmer
	for _, c := range []struct{ term, want string }{
		{"controllers", "control"},
		{"controlling", "control"},
		{"pods", "pod"},
		{"urls", "url"},
		{"café", "cafe"},
		{"cafe\u0301s", "cafe"},
		{"straße", "strass"},
		{"æther", "aether"},
		{"phở", "pho"},
		{"ＡＢＣ", "abc"},
		{"naïve", "naiv"},
		{"naive", "naiv"},
		{"kube-proxy", "kubeproxi"},
		{"kube_proxy", "kubeproxi"},
		{"kubeproxy", "kubeproxi"},
		{"v1.2.3", "v1.2.3"},
		{"1.25", "1.25"},
		{"1-25", "1.25"},
		{"utf-8", "utf8"},
		{"utf8", "utf8"},
		{"is", "is"},
		{"привет", "привет"},
		{"使用", "使用"},
		{"___", "___"},
		{strings.Repeat("ies", 30), strings.Repeat("ies", 30)},
	} {
		if got := string(s.word([]byte(c.term))); got != c.want {
			t.Errorf("%q is %q, want %q", c.term, got, c.want)
		}
	}
}

// Whatever regexp takes for equal without regard to case is one term.
func TestFoldEqualsSimpleFold(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		f := fold(r)
		for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
			if fold(o) != f {
				t.Fatalf("%q and %q are equal but fold to %q and %q", r, o, f, fold(o))
			}
		}
		if utf8.ValidRune(r) && classOf(f) != classOf(r) {
			t.Fatalf("%q is a word character, its fold %q is not, or the reverse", r, f)
		}
	}
}
