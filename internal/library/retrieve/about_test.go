package retrieve

import "testing"

func TestAsksWhat(t *testing.T) {
	for question, want := range map[string]string{
		"what is a Pod?":                         "pod",
		"What's the event loop":                  "event loop",
		"what does kube-proxy do":                "kube proxy",
		"what does NaN mean?":                    "nan",
		"getting started with vue":               "vue",
		"vue overview":                           "vue",
		"what is the difference between a and b": "",
		"what is":                                "",
		"pods":                                   "",
		"what does it do when a pod is evicted":  "",
	} {
		if got := asksWhat(question); got != want {
			t.Errorf("%q asks for %q, not %q", question, got, want)
		}
	}
}

func TestIsLog(t *testing.T) {
	for file, want := range map[string]bool{
		"CHANGELOG.md": true, "docs/changelog.md": true, "HISTORY.md": true, "docs/release-notes/v1.md": true,
		"web/api/history/index.md": false, "docs/whats-new.md": true, "mozilla/firefox/releases/12/index.md": true,
		"guide/logging.md": false, "docs/changes-to-state.md": false, "concepts/change-detection.md": false,
		"docs/CHANGELOG-1.29.md": true, "news/today.md": false, "renew.md": false,
	} {
		if got := isLog(file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
}

func TestHasFlag(t *testing.T) {
	for text, want := range map[string]bool{
		"use `-race` here": true, "-race": true, "a trace-race": false, "--race": false, "-racer": false,
		"x-race and -race=all": true,
	} {
		if got := hasFlag(text, "-race"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
