package index

// MaxForms is how many forms a group of texts may have. A file of 10 MiB can hold two
// million words that no other has, and took 280 MiB for them; the most of a file in three
// corpora is 5,333, in 330 kB.
const MaxForms = 200_000

// unlisted is the form that stands for all those beyond the limit. It is no word, so that
// no question asks for it; grep takes each text that has it for one that may match.
const unlisted = "\x01"

// Begin begins a group: the texts of one document, say. Whatever is beyond MaxForms in it is
// found by grep, not by its words. Texts that are in no group have no limit.
func (w *Writer) Begin() {
	if w.isFull() {
		clear(w.recent) // of what is listed in other groups
	}
	w.group, w.room = w.group+1, MaxForms
}

// Overflows reports whether the group has more than MaxForms: the form for those beyond
// is one more.
func (w *Writer) Overflows() bool { return w.group > 0 && w.room < 0 }

// isFull reports whether the group can have no other form.
func (w *Writer) isFull() bool { return w.group > 0 && w.room <= 0 }
