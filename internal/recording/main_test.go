package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The recording shows what the program answers now: the citation of its first hit, and
// that the documents do not hold the last question's answer.
func TestRecordingIsTrue(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "docs", "images", "session.svg"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", "") // play sets it
	scenes, err := play(filepath.Join("..", "..", "examples", "harbour"), script)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scenes {
		for _, line := range []string{s.command, s.lines[0]} {
			if !strings.Contains(string(raw), escaped(folded([]string{line})[0])) {
				t.Errorf("the recording does not show %q: make recording draws it again", line)
			}
		}
	}
}

func TestDrawIsXMLWhateverTheText(t *testing.T) {
	text := draw([]scene{{`docent search "<b> & ]]>"`, []string{"<script>alert(1)</script>", strings.Repeat("ü", 250), "\x00\x1b[31m"}}})
	if strings.Contains(text, "<script>") {
		t.Error("text became markup")
	}
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if lines := folded([]string{strings.Repeat("ü", 250)}); len(lines) != 3 {
		t.Errorf("%d lines, want 3", len(lines))
	}
}
