package answer

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Reading is some lines of a document.
type Reading struct {
	Ref    string `json:"ref"`
	File   string `json:"file"`
	Lines  [2]int `json:"lines"` // those that are returned; zero when there are none
	Total  int    `json:"total"` // lines of the file
	Tokens int    `json:"tokens"`
	Text   string `json:"text"` // without line numbers
	More   int    `json:"more"` // lines of the place that were not returned

	Plain bool `json:"-"` // WriteText leaves line numbers out
}

// Numbered is the text with line numbers, which are as wide as the last of them.
func (r *Reading) Numbered() string {
	if r.Text == "" {
		return ""
	}
	width := max(3, len(strconv.Itoa(r.Lines[1])))
	b := &strings.Builder{}
	b.Grow(len(r.Text) + (width+2)*(r.Lines[1]-r.Lines[0]+1))
	n := r.Lines[0]
	for line := range strings.Lines(r.Text) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			fmt.Fprintf(b, "%*d\n", width, n)
		} else {
			fmt.Fprintf(b, "%*d  %s\n", width, n, line)
		}
		n++
	}
	return b.String()
}

// WriteText writes the lines, and how to go on where there are more.
func (r *Reading) WriteText(w io.Writer) error {
	text := r.Numbered()
	if r.Plain {
		text = r.Text
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
	}
	if r.More > 0 {
		text += fmt.Sprintf("[%s more: docent read %s --offset %d]\n", human.Plural(r.More, "line"), shellQuote(r.Ref), r.Lines[1]+1)
	}
	_, err := io.WriteString(w, visible.Text(text))
	return err
}
