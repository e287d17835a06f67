package index

import "testing"

// near is the Proximity of a question whose words are all known and weigh the same.
func near(question string) *Proximity {
	q := Parse(question)
	words := make([]WordInfo, len(q.Words))
	for i, w := range q.Words {
		words[i] = WordInfo{Word: w, Searched: []string{w.Text}, Weight: 1}
		if w.Stop {
			words[i].Weight = .1
		}
	}
	return NewProximity(NewTitles(words), question)
}

func TestWordsNextToEachOther(t *testing.T) {
	p := near("docker compose up fails")
	all := p.Read("", "When docker compose up fails, look at the log.").Adjacent
	if all != 1 {
		t.Errorf("the question word for word: %v", all)
	}
	some := p.Read("docker compose", "Docker fails to compose. Give up.").Adjacent
	if apart := p.Read("", "fails: up, compose and docker").Adjacent; apart != 0 || some <= apart || some >= all {
		t.Errorf("apart %v, one pair %v, all %v", apart, some, all)
	}
	if x := near("docker").Read("", "docker docker").Adjacent; x != 0 {
		t.Errorf("one word has no neighbours: %v", x)
	}
}

// "up" is a stop word, and still says which of compose's commands is meant.
func TestStopWordBesideName(t *testing.T) {
	p := near("how does docker compose up work")
	up, down := p.Read("", "docker compose up").Adjacent, p.Read("", "docker compose down").Adjacent
	if up <= down {
		t.Errorf("with up %v, without %v", up, down)
	}
}

func TestWordsTogether(t *testing.T) {
	p := near("rotate expired keys")
	filler := ""
	for range 30 {
		filler += "and so on "
	}
	close, far := p.Read("", "To rotate keys that are expired, ask.").Together, p.Read("", "rotate "+filler+"expired "+filler+"keys").Together
	if close != 1 || far > .4 {
		t.Errorf("together %v, apart %v", close, far)
	}
}

func TestProse(t *testing.T) {
	for _, question := range []string{"why does my app keep complaining about something", "is it an object that assigns a number to each one?"} {
		if !Parse(question).Prose {
			t.Errorf("%q is a question in a sentence", question)
		}
	}
	for _, title := range []string{"Configure a Pod to Use a Volume for Storage", "docker compose up"} {
		if Parse(title).Prose {
			t.Errorf("%q is none", title)
		}
	}
}

// What a question is asked with weighs less than what it is about, unless there is
// nothing else.
func TestAskingWords(t *testing.T) {
	light := func(text string) (n int) {
		for _, w := range Parse(text).Words {
			if w.Light {
				n++
			}
		}
		return n
	}
	for text, want := range map[string]int{
		"why does my app keep complaining about the port": 2,
		"keep alive":                     0,
		"how do I make it keep going":    0,
		"keep the worker alive for long": 2,
	} {
		if n := light(text); n != want {
			t.Errorf("%q: %d words are light, not %d", text, n, want)
		}
	}
}
