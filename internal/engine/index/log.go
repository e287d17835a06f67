package index

// A log keeps the postings of a Writer as they come, text by text, until all of
// them are there. To file each under its form at once would touch memory all
// over, for every word of every text; to put them in order at the end does so
// once for each posting, and for nothing else.
type log struct {
	pages [][]uint32
	texts []uint32 // how many postings each has
	count int      // postings
}

// A posting is form<<1 | 1 where it occurs once, in the body, and otherwise
// form<<1 and then its counts. It does not go over the end of a page.
const logPage = 1 << 14

// maxLog is the most postings of a Writer.
const maxLog = 1 << 31

func (l *log) add(form uint32, c counts) {
	last := len(l.pages) - 1
	if last < 0 || len(l.pages[last])+2 > logPage {
		l.pages = append(l.pages, make([]uint32, 0, logPage))
		last++
	}
	if c == 1 {
		l.pages[last] = append(l.pages[last], form<<1|1)
	} else {
		l.pages[last] = append(l.pages[last], form<<1, uint32(c))
	}
}

func (l *log) endText(n int) {
	l.texts = append(l.texts, uint32(n))
	l.count += n
}

// byForm returns the postings by form: those of form i are
// postings[ends[i-1]:ends[i]], with the numbers that texts are given.
func (l *log) byForm(forms int, numbers []uint32) (postings []posting, ends []uint32) {
	at := make([]uint32, forms+1) // of each form, where its next posting goes
	for _, page := range l.pages {
		for i := 0; i < len(page); i++ {
			at[page[i]>>1+1]++
			i += int(^page[i] & 1)
		}
	}
	for i := range forms {
		at[i+1] += at[i]
	}
	postings = make([]posting, l.count)
	text, left := -1, uint32(0)
	for n, page := range l.pages {
		for i := 0; i < len(page); i++ {
			for left == 0 {
				text++
				left = l.texts[text]
			}
			left--
			v, c := page[i], counts(1)
			if v&1 == 0 {
				i++
				c = counts(page[i])
			}
			to := &at[v>>1]
			postings[*to] = posting{numbers[text], c}
			*to++
		}
		l.pages[n] = nil
	}
	return postings, at[:forms]
}
