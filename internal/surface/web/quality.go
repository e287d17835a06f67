package web

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

type qualityPage struct {
	*frame
	Board *scoreboard
}

// A scoreboard is what "docent eval" prints: a head, and a line for each set of
// questions.
type scoreboard struct {
	Measures []string
	Sets     []scoreSet
	Others   []string // further tables, as they are written
}

type scoreSet struct {
	Name, Kind string
	N          int
	Scores     []score
}

type score struct {
	Measure string
	Text    string
	Value   float64 // of 100
	Better  string  // "less" where it is
}

func (s *site) qualityPage(w http.ResponseWriter, r *http.Request, f *frame) error {
	text := s.opts.Scoreboard
	if text == "" {
		now, err := f.release(r.Context())
		if err != nil {
			return err
		}
		if text, err = now.scoreboard(); err != nil {
			return errNoPage
		}
	}
	f.Title, f.Here = "Quality", "quality"
	return s.write(w, r, http.StatusOK, "quality", qualityPage{f, parseScoreboard(text)})
}

// Documents that have questions of their own have what "docent eval" printed about these
// in eval/scoreboard.txt.
const (
	scoreboardFile = "eval/scoreboard.txt"
	maxScoreboard  = 1 << 20
)

func (r *release) scoreboardPath() string {
	if !filepath.IsAbs(r.status.Root) {
		return ""
	}
	return filepath.Join(r.status.Root, filepath.FromSlash(scoreboardFile))
}

func (r *release) hasScoreboard() bool {
	info, err := os.Stat(r.scoreboardPath())
	return err == nil && info.Mode().IsRegular() && info.Size() <= maxScoreboard
}

func (r *release) scoreboard() (string, error) {
	if !r.hasScoreboard() {
		return "", errNoPage
	}
	text, err := os.ReadFile(r.scoreboardPath())
	return string(text), err
}

// parseScoreboard reads eval/scoreboard.txt: the table that begins with "set kind n"
// becomes a chart; others, after blank lines, are shown as they are.
func parseScoreboard(text string) *scoreboard {
	b := &scoreboard{}
	for part := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		part = strings.Trim(part, "\n")
		head, rest, _ := strings.Cut(part, "\n")
		fields := strings.Fields(head)
		switch {
		case len(fields) > 3 && fields[0] == "set" && fields[1] == "kind" && b.Measures == nil:
			b.Measures = fields[3:]
			for line := range strings.Lines(rest) {
				b.add(strings.Fields(line))
			}
		case part != "":
			b.Others = append(b.Others, part)
		}
	}
	return b
}

// add adds a line of the table, and ignores a malformed one.
func (b *scoreboard) add(fields []string) {
	if len(fields) != len(b.Measures)+3 {
		return
	}
	n, err := strconv.Atoi(fields[2])
	if err != nil {
		return
	}
	set := scoreSet{Name: fields[0], Kind: strings.Trim(fields[1], "-"), N: n}
	for i, f := range fields[3:] {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return
		}
		s := score{Measure: b.Measures[i], Text: strconv.FormatFloat(v, 'f', 3, 64), Value: tenth(100 * min(max(v, 0), 1))}
		if s.Measure == "empty" {
			s.Better = "less"
		}
		set.Scores = append(set.Scores, s)
	}
	b.Sets = append(b.Sets, set)
}
