package reader

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	countLine = regexp.MustCompile(`(?m)^(.+\.md):(\d+)$`)
	matchLine = regexp.MustCompile(`(?m)^(.+\.md):(\d+):(.*)$`)
	readLine  = regexp.MustCompile(`(?m)^ *(\d+)\t(.*)$`)
)

// around is how many lines are read before and after the middle of the best matches.
const around = 30

// withFiles greps for the longest words, and reads around the best lines. Its steps
// alternate after the first: the matches of a file, then lines of it.
func withFiles(words []string, done []step) (string, *call) {
	if len(words) == 0 {
		return refusal, nil
	}
	longest := slices.Clone(words)
	slices.SortStableFunc(longest, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	if len(done) == 0 {
		return "", grep(longest[:min(3, len(longest))], "")
	}
	files := countLine.FindAllStringSubmatch(done[0].text, -1)
	if last := done[len(done)-1]; len(done)%2 == 0 {
		if file, from := busiest(words, last.text); file != "" {
			return "", &call{"read", map[string]any{"path": file, "from": max(1, from-around), "to": from + around}}
		}
		return refusal, nil
	}
	var read []passage
	for i := 2; i < len(done); i += 2 {
		read = append(read, section(words, files[i/2-1][1], done[i].text))
		if score(words, read[len(read)-1].text) >= plenty {
			return decide(words, read), nil
		}
	}
	if n := len(done) / 2; n < min(maxReads, len(files)) {
		return "", grep(words, files[n][1])
	}
	return decide(words, read), nil
}

func grep(words []string, file string) *call {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = regexp.QuoteMeta(w)
	}
	args := map[string]any{"pattern": strings.Join(quoted, "|"), "ignore_case": true}
	if file != "" {
		args["glob"] = file
	} else {
		args["count"] = true
	}
	return &call{"grep", args}
}

// busiest finds the line whose next twenty lines have most different words.
func busiest(words []string, text string) (file string, line int) {
	type match struct {
		at   int
		text string
	}
	var all []match
	for _, m := range matchLine.FindAllStringSubmatch(text, -1) {
		at, _ := strconv.Atoi(m[2])
		file = m[1]
		all = append(all, match{at, m[3]})
	}
	most := -1.0
	for i, first := range all {
		joined := ""
		for _, m := range all[i:] {
			if m.at < first.at+20 {
				joined += m.text + "\n"
			}
		}
		if s := score(words, joined); s > most {
			most, line = s, first.at
		}
	}
	return file, line
}

// section is the part of the lines that were read, between two headings, that has most of
// the words.
func section(words []string, file, text string) passage {
	best, most := passage{}, -1.0
	var lines []string
	from, to := 0, 0
	end := func() {
		joined := strings.Join(lines, "\n")
		if s := score(words, joined); len(lines) > 0 && s > most {
			best, most = passage{fmt.Sprintf("%s:%d-%d", file, from, to), joined}, s
		}
		lines = nil
	}
	for _, m := range readLine.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1])
		if strings.HasPrefix(m[2], "#") {
			end()
		}
		if len(lines) == 0 {
			from = n
		}
		to = n
		lines = append(lines, m[2])
	}
	end()
	return best
}
