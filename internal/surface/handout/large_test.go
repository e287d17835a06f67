package handout

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-md/docent/answer"
)

// A map of a large corpus used a fifth of its budget: one folder too many to be listed
// kept all others from being opened.
func TestTheMapOfALargeCorpusUsesItsRoom(t *testing.T) {
	files := map[string]string{"index.md": "# Web\n"}
	for i := range 400 {
		files[fmt.Sprintf("api/interface%03d/index.md", i)] = fmt.Sprintf("# Interface %d\n", i)
		files[fmt.Sprintf("api/interface%03d/method/index.md", i)] = "# Method\n"
	}
	for i := range 12 {
		files[fmt.Sprintf("css/guides/guide%02d.md", i)] = fmt.Sprintf("# Guide %d\n\nText.\n", i)
		files[fmt.Sprintf("css/cards/card%02d/index.md", i)] = fmt.Sprintf("# Card %d\n\nText.\n", i)
	}
	block, err := guide(t, files).AgentsMD(4000)
	if err != nil {
		t.Fatal(err)
	}
	if len(block) > 4000 || len(block) < 3600 {
		t.Errorf("%d bytes of 4000", len(block))
	}
	for _, want := range []string{"css/guides/", "guide07", "  card00/index.md, card01/index.md", "api/ (800 files) interface000/, interface001/"} {
		if !strings.Contains(block, want) {
			t.Errorf("no %q in\n%s", want, block)
		}
	}
}

// Versions of a changelog crowded out the headings of guides, and stubs took a line each.
func TestTheMapLeavesOutWhatSaysNothing(t *testing.T) {
	changelog := &strings.Builder{}
	changelog.WriteString("# History\n")
	for i := range 20 {
		fmt.Fprintf(changelog, "\n## v2.%d.0 (2025-01-%02d)\n\nFixes of all kinds.\n", i, i+1)
	}
	files := map[string]string{
		"HISTORY.md": changelog.String(),
		"guide.md":   "# Guide\n\nText.\n\n## First steps\n\nText.\n\n## :simple-slack: Talk to us\n\nText.\n",
	}
	for _, name := range []string{"aliases", "config", "errors", "types"} {
		files["api/"+name+".md"] = "::: pkg." + name + "\n"
	}
	block, err := guide(t, files).AgentsMD(4000)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"  HISTORY.md\n", "guide.md: First steps; Talk to us\n", "  aliases.md, config.md, errors.md, types.md\n"} {
		if !strings.Contains(block, want) {
			t.Errorf("no %q in\n%s", want, block)
		}
	}
}

// All pages stood under one heading where all but two are in docs.
func TestLLMsTxtDividesLargeFolders(t *testing.T) {
	files := map[string]string{"README.md": "# Things\n\nAll about things.\n", "docs/index.md": "# Welcome\n\nText.\n"}
	for _, folder := range []string{"concepts", "errors"} {
		for i := range 20 {
			files[fmt.Sprintf("docs/%s/p%02d.md", folder, i)] = fmt.Sprintf("# Page %d\n\nA sentence about it.\n", i)
		}
	}
	g := guide(t, files)
	whole := g.LLMsTxt("", 0)
	for _, want := range []string{"\n## Docs\n", "\n## Welcome\n", "\n## concepts\n", "\n## errors\n", "p07.md): A sentence about it."} {
		if !strings.Contains(whole, want) {
			t.Errorf("no %q in\n%s", want, whole)
		}
	}
	for _, budget := range []int{len(whole), 3000, 1000, MinLLMsTxt} {
		text := g.LLMsTxt("", budget)
		if len(text) > budget {
			t.Errorf("%d bytes of %d", len(text), budget)
		}
		if budget == 1000 && (!strings.Contains(text, "more pages in docs/concepts/") || !strings.Contains(text, "## errors")) {
			t.Errorf("within %d:\n%s", budget, text)
		}
	}
}

// Within 20 KB, llms.txt of a large corpus was headings of folders up to the letter H: every
// top folder is there, with pages that lie at its top, before any folder in it.
func TestLLMsTxtWithinABudgetIsAnOverview(t *testing.T) {
	g := &Guide{Manifest: &answer.Manifest{Name: "docs"}}
	add := func(file string) {
		g.Files = append(g.Files, answer.ManifestFile{File: file, Title: "Page " + file, Summary: "What it is about."})
	}
	for _, top := range []string{"api", "css", "svg"} {
		for i := range 100 {
			add(fmt.Sprintf("%s/part%03d/deep/a.md", top, i))
			add(fmt.Sprintf("%s/part%03d/index.md", top, i))
		}
		add(top + "/zero.md")
	}
	for _, budget := range []int{1000, 4000, 30_000} {
		text := g.LLMsTxt("", budget)
		for _, top := range []string{"api", "css", "svg"} {
			if !strings.Contains(text, "]("+top+"/zero.md)\n") {
				t.Errorf("%d bytes: no page of %s:\n%s", budget, top, text)
			}
		}
		if len(text) > budget || strings.Contains(text, "\n\n\n") {
			t.Errorf("%d of %d bytes:\n%s", len(text), budget, text)
		}
	}
}
