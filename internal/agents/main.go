// Command agents lets a model answer questions about documentation twice, with docent's
// MCP server and with list, grep and read, and prints what came of it: docs/agents.md.
//
//	agents                            the model that the environment names, else the stand-in
//	agents -questions 20 -sets people-vue
//	agents -script -write docs/agents.md
//
// The endpoint is in the environment:
//
//	DOCENT_AGENTS_API     messages or chat
//	DOCENT_AGENTS_URL     its address; the provider's own if empty
//	DOCENT_AGENTS_KEY     its key; none is sent if empty
//	DOCENT_AGENTS_MODEL   the model
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/docent-md/docent/internal/agents/harness"
	"github.com/docent-md/docent/internal/generated"
)

// An order is what is to be measured.
type order struct {
	docent    string // the program
	examples  string // the folder of examples
	shared    string // the folder of test sets
	sets      []string
	questions int // of each set and kind; 0 means all
	parallel  int
	tokens    int // that all conversations together may cost; 0 means any number
	limits    harness.Limits
	log       string // file for conversations
}

func main() {
	var o order
	flag.StringVar(&o.docent, "docent", "./docent", "program to measure")
	flag.StringVar(&o.examples, "examples", "examples", "folder of the example documentation")
	flag.StringVar(&o.shared, "shared", "../shared", "folder of the retrieval test sets; without it only the example is asked")
	sets := flag.String("sets", "", "sets to ask, with commas; all if empty")
	flag.IntVar(&o.questions, "questions", 0, "questions of each set, spread evenly, and as many without an answer; all if 0")
	flag.IntVar(&o.parallel, "parallel", 4, "conversations at once")
	flag.IntVar(&o.tokens, "tokens", 5_000_000, "stop when all conversations together have cost so many tokens; 0 means never")
	flag.IntVar(&o.limits.Calls, "calls", 12, "tool calls of a conversation")
	flag.IntVar(&o.limits.Tokens, "read", 60_000, "tokens that tools return in a conversation")
	flag.DurationVar(&o.limits.Time, "time", 5*time.Minute, "time of a conversation")
	flag.StringVar(&o.log, "log", "", "file for every conversation, a JSON document a line")
	script := flag.Bool("script", false, "ask the scripted stand-in, whatever the environment says")
	asJSON := flag.Bool("json", false, "one JSON document")
	write := flag.String("write", "", "document whose table is replaced")
	flag.Parse()
	if *sets != "" {
		o.sets = strings.Split(*sets, ",")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, *script, *asJSON, *write); err != nil {
		fmt.Fprintln(os.Stderr, "agents:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, o order, script, asJSON bool, write string) error {
	m, err := modelOf(os.Getenv, script)
	if err != nil {
		return err
	}
	defer m.close()
	if m.scripted && !script {
		fmt.Fprintln(os.Stderr, "agents: no model was asked, for DOCENT_AGENTS_API is not set: the scripted stand-in answers (docs/agents.md)")
	}
	if m.scripted {
		o.tokens = 0 // they cost nothing
	}
	tasks, err := load(o)
	if err != nil {
		return err
	}
	tallies, err := measure(ctx, m.chat, o, tasks)
	if len(tallies) == 0 {
		return err
	}
	for _, way := range ways {
		tallies = append(tallies, harness.Sum(way, tallies))
	}
	last := tallies[len(tallies)-2:]
	note := "Model: " + m.name + ".\n" + harness.Ratios(last[0], last[1])
	if asJSON {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		return errors.Join(err, e.Encode(struct {
			Model   string          `json:"model"`
			Tallies []harness.Tally `json:"tallies"`
		}{m.name, tallies}))
	}
	b := &strings.Builder{}
	_ = harness.WriteTable(b, tallies)
	b.WriteString("\n" + note + "\n")
	fmt.Print(b.String())
	if err != nil || write == "" {
		return err
	}
	return generated.Replace(write, "agents", func(string) string { return b.String() })
}
