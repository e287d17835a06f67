package embed

import (
	"math"
	"testing"
)

// All ties together are the cosine, up to what vectors lose by rounding.
func TestTiesAddUp(t *testing.T) {
	m := baseModel(t)
	const query, text = "how do I rotate credentials", "Renew the secret keys of an account; rotate them, rotate often."
	q, d := m.termsOf(query), m.termsOf(text)
	sum := 0.
	for i := range q {
		for k := range d {
			sum += float64(dot(&q[i].row, &d[k].row)) / (lengthOf(q) * lengthOf(d))
		}
	}
	a, b := m.Embed(query), m.Embed(text)
	if cos := float64(Cosine(&a, &b)); math.Abs(sum-cos) > 0.01 {
		t.Errorf("ties %.4f, cosine %.4f", sum, cos)
	}
}

func TestExplain(t *testing.T) {
	m := baseModel(t)
	ties := m.Explain("rotate credentials", "Logs are elsewhere. We rotate the passwords.", 2)
	if len(ties) != 2 || ties[0].Query != "rotate" || ties[0].Text != "rotate" || ties[0].Share < ties[1].Share {
		t.Errorf("%+v", ties)
	}
	for _, tt := range [][2]string{{"", "text"}, {"text", ""}, {"...", "..."}} {
		if ties := m.Explain(tt[0], tt[1], 5); ties != nil {
			t.Errorf("%q and %q: %+v", tt[0], tt[1], ties)
		}
	}
}
