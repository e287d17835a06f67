package mathml

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFrom(t *testing.T) {
	for _, tt := range []struct{ name, tex, want string }{
		{"letters and numbers", "a + 12.5", "<mrow><mi>a</mi><mo>+</mo><mn>12.5</mn></mrow>"},
		{"scripts", "x_1^2", "<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>"},
		{"a prime", "f'(x)", `<mrow><msup><mi>f</mi><mrow><mo>′</mo></mrow></msup><mo stretchy="false">(</mo><mi>x</mi><mo stretchy="false">)</mo></mrow>`},
		{"a fraction in a root", `\sqrt[3]{\frac{1}{2}}`, "<mroot><mfrac><mn>1</mn><mn>2</mn></mfrac><mn>3</mn></mroot>"},
		{"a short fraction", `\frac12`, "<mfrac><mn>1</mn><mn>2</mn></mfrac>"},
		{"words", `\text{if } x < 3`, "<mrow><mtext>if </mtext><mi>x</mi><mo>&lt;</mo><mn>3</mn></mrow>"},
		{"an alphabet", `\mathbb{R}\mathbf{xy}`, "<mrow><mi>ℝ</mi><mi>𝐱𝐲</mi></mrow>"},
		{"delimiters", `\left\{ a \right.`, `<mrow><mo fence="true" stretchy="true">{</mo><mi>a</mi></mrow>`},
		{"a matrix", `\begin{bmatrix} a & b \\ c & d \end{bmatrix}`, `<mrow><mo fence="true" stretchy="true">[</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable><mo fence="true" stretchy="true">]</mo></mrow>`},
		{"an accent", `\hat{x}`, "<mover><mi>x</mi><mo>^</mo></mover>"},
		{"a limit", `\lim_{x\to 0}`, "<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder>"},
		{"markup is text", `\text{<script>} <`, "<mrow><mtext>&lt;script&gt;</mtext><mo>&lt;</mo></mrow>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := From(tt.tex, false)
			if want := "<math>" + tt.want + "</math>"; !ok || got != want {
				t.Errorf("%s gives %v\n%s, want\n%s", tt.tex, ok, got, want)
			}
		})
	}
}

// What is not understood is refused as a whole.
func TestRefused(t *testing.T) {
	for _, tex := range []string{"", " ", `\unknown{x}`, "a^", "{a", "a}", "x^1^2", `\left( a`, `\begin{matrix} a`, `\begin{x}\end{x}`, `\frac{a}`, "\xff", strings.Repeat("{", 100), strings.Repeat("x", 5000)} {
		if got, ok := From(tex, true); ok {
			t.Errorf("%q gives %s", tex, got)
		}
	}
}

var written = regexp.MustCompile(`</?(math|mrow|mi|mn|mo|mtext|mspace|msub|msup|msubsup|munder|mover|munderover|mfrac|msqrt|mroot|mtable|mtr|mtd)` +
	`( display="block"| stretchy="false"| fence="true" stretchy="true"| mathvariant="normal"| linethickness="0"| width="[\d.]+(em)?")?>`)

// A formula gives nothing but the tags of this package and escaped text, whatever it is.
func TestOnlyOwnTags(t *testing.T) {
	parts := []string{
		`\frac`, `\sqrt`, "{", "}", "[", "]", "^", "_", "&", `\\`, `\text`, `\mathrm`, `\operatorname`, `\tag`, `\left`, `\right`, "(", ".", `\begin{cases}`, `\end{cases}`,
		"x", "1", "<script>", `"`, "'", "</math>", "&lt;", `\sum`, `\hat`, `\mathbb`, `\not`, "=", `\color`, "%", "\n", "<", ">", "onclick=hit()",
	}
	rapid.Check(t, func(t *rapid.T) {
		tex := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 1, 12).Draw(t, "parts"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		got, ok := From(tex, false)
		if rest := written.ReplaceAllString(got, ""); ok && strings.ContainsAny(rest, `<>"'`) {
			t.Fatalf("%q gives %s", tex, got)
		}
		if ok && strings.Count(got, "<mrow>") != strings.Count(got, "</mrow>") {
			t.Fatalf("%q is not balanced: %s", tex, got)
		}
	})
}
