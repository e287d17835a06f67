package index

import "strings"

// Words that people ask with.
//
// "Why does my app keep complaining about something" names one thing, the app. The
// documents seldom say "keep" or "complain", so that their idf is high, and the few
// texts that happen to have them would come first. In 6,900 questions written about
// documentation, the section that answers had such a word of the question in a tenth to
// a third of the cases, and any other word in four fifths. So they weigh less where a
// question has enough others.

// askingWords are the words that were found so, and others like them.
var askingWords = wordSet(`actually again all already also although always another anyone
	anything appear appears around ask asking away bad because become becomes best better
	big bring but came cannot certain choose choosing come comes complain complaining
	complains decide decided decides depend depending depends didn difference different
	differently doesn don done down each either else enough even ever every everything
	exactly explain far find finding fine finish finished get gets getting give given
	gives giving go goes going good got guess happen happened happening happens hard help
	here idea instead isn itself just keep keeping keeps kind know knowing known later
	leave let lets like little long look looking looks lot lots made make makes making
	many maybe mean means might more most much must myself need needed needs never nice no
	normal normally nothing now often ok old once one ones only other others otherwise own
	people pick picked picks piece pieces please possible problem problems properly
	purpose put puts quite rather ready real really right same say says see seem seems
	several show showing shows simple simply since small someone something somehow
	sometimes special still stuff such suddenly supposed sure take takes taking tell tells
	thing things think though through together told too tried tries try trying twice
	understand until ve versus via vs want wanted wants way ways well while whole without
	won wrong yet`)

// wordSet is the words of a list.
func wordSet(list string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		words[w] = true
	}
	return words
}

// A question has at least minAsked words, and minNamed that name something.
const (
	minAsked = 5
	minNamed = 2
)

// weighAsking marks the words that a question is asked with.
func (p *parser) weighAsking(words int) {
	named := 0
	for _, w := range p.q.Words {
		if !w.Extra && !w.Stop && !askingWords[w.Text] {
			named++
		}
	}
	if words < minAsked || named < minNamed {
		return
	}
	for i := range p.q.Words {
		w := &p.q.Words[i]
		w.Light = !w.Stop && !w.Must && !w.quoted && askingWords[w.Text]
	}
}
