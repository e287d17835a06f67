package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/agents/harness"
	"github.com/docent-md/docent/internal/agents/reader"
	"github.com/docent-md/docent/internal/surface/cli"
)

// TestMain makes the test binary docent itself where it is started as such.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "serve" || os.Args[1] == "index") {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func example(t *testing.T) order {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return order{docent: self, examples: "../../examples", shared: t.TempDir(), parallel: 2}
}

// env is an environment for modelOf.
func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

// The stand-in answers over both APIs, and the same.
func TestStandIn(t *testing.T) {
	srv := httptest.NewServer(reader.Handler())
	defer srv.Close()
	var tallies [2][]harness.Tally
	for i, api := range []string{"messages", "chat"} {
		m, err := modelOf(env("DOCENT_AGENTS_API", api, "DOCENT_AGENTS_URL", srv.URL, "DOCENT_AGENTS_MODEL", "m"), false)
		if err != nil {
			t.Fatal(err)
		}
		o := example(t)
		o.questions = 10
		tasks, err := load(o)
		if err != nil {
			t.Fatal(err)
		}
		o.log = filepath.Join(t.TempDir(), "log")
		if tallies[i], err = measure(t.Context(), m.chat, o, tasks); err != nil {
			t.Fatal(err)
		}
		log, err := os.ReadFile(o.log)
		if n := strings.Count(string(log), "\n"); err != nil || n != 2*len(tasks[0].questions) {
			t.Errorf("%d lines in the log, %v", n, err)
		}
		for k := range tallies[i] {
			tallies[i][k].Input, tallies[i][k].Output = 0, 0 // the two forms differ in length
		}
	}
	// How many candidates the model in the program reads depends on how busy the machine is,
	// and so does what docent answers, a little.
	if tallies[0][1] != tallies[1][1] {
		t.Errorf("the two APIs differ:\n%+v\n%+v", tallies[0][1], tallies[1][1])
	}
	for _, both := range tallies {
		docent, files := both[0], both[1]
		if docent.Right <= files.Right || docent.Refused < docent.Unanswerable-1 || docent.Failed+files.Failed+docent.Nowhere+files.Nowhere > 0 {
			t.Errorf("%+v\n%+v", docent, files)
		}
		if docent.Questions != 10 || docent.Unanswerable != 8 || docent.Read*2 > files.Read {
			t.Errorf("%+v\n%+v", docent, files)
		}
	}
}

// An endpoint of no use ends the run, and what was counted is kept.
func TestEndpointOfNoUse(t *testing.T) {
	for status, want := range map[int]string{
		http.StatusUnauthorized: "stopped after 1 failures in a row",
		http.StatusBadRequest:   "stopped after 8 failures in a row",
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		m, err := modelOf(env("DOCENT_AGENTS_API", "chat", "DOCENT_AGENTS_URL", srv.URL), false)
		if err != nil {
			t.Fatal(err)
		}
		o := example(t)
		o.parallel = 1
		tasks, err := load(o)
		if err != nil {
			t.Fatal(err)
		}
		tallies, err := measure(t.Context(), m.chat, o, tasks)
		if err == nil || !strings.HasPrefix(err.Error(), want) || len(tallies) != 1 || tallies[0].Failed == 0 {
			t.Errorf("%v, %+v", err, tallies)
		}
		srv.Close()
	}
}

func TestTokensAreBounded(t *testing.T) {
	m, err := modelOf(env(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	o := example(t)
	o.parallel, o.tokens, o.questions = 1, 3000, 3
	tasks, err := load(o)
	if err != nil {
		t.Fatal(err)
	}
	if tallies, err := measure(t.Context(), m.chat, o, tasks); err == nil || !strings.Contains(err.Error(), "-tokens allows more") || tallies[0].Questions == 3 {
		t.Errorf("%v, %+v", err, tallies)
	}
}

func TestEnvironment(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want string // of the error
	}{
		{nil, ""},
		{[]string{"DOCENT_AGENTS_API", "chat", "DOCENT_AGENTS_MODEL", "m"}, ""},
		{[]string{"DOCENT_AGENTS_KEY", "k"}, "DOCENT_AGENTS_API is not set: say messages or chat"},
		{[]string{"DOCENT_AGENTS_API", "grpc"}, `DOCENT_AGENTS_API is "grpc": say messages or chat`},
		{[]string{"DOCENT_AGENTS_API", "chat", "DOCENT_AGENTS_URL", "here"}, "chat: base URL: it must begin with https:// or http://"},
	} {
		m, err := modelOf(env(c.env...), false)
		m.close()
		if (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%v: %v", c.env, err)
		}
	}
}

func TestSample(t *testing.T) {
	tasks, err := load(order{examples: "../../examples", shared: t.TempDir(), questions: 5})
	if err != nil || len(tasks) != 1 || len(tasks[0].questions) != 10 {
		t.Fatalf("%v, %d tasks", err, len(tasks))
	}
	if _, err := load(order{examples: "../../examples", shared: t.TempDir(), sets: []string{"people-vue"}}); err == nil ||
		err.Error() != `no set is called "people-vue": there are harbour` {
		t.Error(err)
	}
}
