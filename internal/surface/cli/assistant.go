package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/model/assist"
	"github.com/docent-md/docent/internal/model/llm"
	"github.com/docent-md/docent/internal/source/settings"
	"github.com/spf13/cobra"
)

// errNoKey is returned if an operation needs a language model and there is no key.
var errNoKey = withHint(errors.New("no key for a language model"), "set ANTHROPIC_API_KEY; everything else works without one")

// assistant returns the user's language model, or nil if they have no key for one.
// Nothing is sent before its first use.
func (c *console) assistant(command string) (*docent.Assistant, error) {
	o, err := c.assistantOptions(command)
	if err != nil || o.Key == "" {
		return nil, err
	}
	return docent.NewAssistant(o)
}

// assistantOptions are the user's; without a key there is no assistant.
func (c *console) assistantOptions(command string) (docent.AssistantOptions, error) {
	s, err := settings.Load()
	if err != nil || s.Claude.Key == "" {
		return docent.AssistantOptions{}, err
	}
	dir, err := c.dataDir()
	return docent.AssistantOptions{
		Key: s.Claude.Key, URL: s.Claude.URL, Model: s.Claude.Model, Dir: dir, Command: command,
		Note: c.noteText,
	}, err
}

// needAssistant is assistant for an operation that cannot do without one.
func needAssistant(c *console, command string) (*docent.Assistant, error) {
	a, err := c.assistant(command)
	if err == nil && a == nil {
		err = errNoKey
	}
	return a, err
}

// dataDir returns the folder for paid results, and creates it. Without one, "" and a
// warning that nothing is stored.
func (c *console) dataDir() (string, error) {
	dir, err := settings.DataDir()
	if errors.Is(err, settings.ErrNoDataDir) {
		c.note("paid results and their cost are not stored: %v", err)
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return dir, os.MkdirAll(dir, 0o700)
}

// summariesFile returns the file of the summaries that models wrote.
func summariesFile() string {
	dir, err := settings.DataDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "summaries")
}

// newCost returns "docent cost".
func newCost(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "cost",
		Short: "show what language models have cost, by day and command",
		Long: `Show what was spent on language models, by day, command and model, as docent recorded it
on this machine. Costs are estimates from list prices; the provider's bill is what counts.`,
		Example: "  docent cost\n  docent cost --json",
		Args:    noArgs,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(*cobra.Command, []string) error {
		dir, err := settings.DataDir()
		if err != nil {
			return err
		}
		sums, unread, err := llm.NewLedger(filepath.Join(dir, assist.LedgerFile), nil).Sums()
		if err != nil {
			return err
		}
		if unread > 0 {
			c.note("%d lines of %s cannot be read", unread, filepath.Join(dir, assist.LedgerFile))
		}
		if asJSON {
			if sums == nil {
				sums = []llm.Sum{}
			}
			return c.json(sums)
		}
		if len(sums) == 0 {
			return c.printf("nothing was spent\n")
		}
		w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "day\tcommand\tmodel\trequests\ttokens in\tout\tUSD\t")
		total := 0.
		for _, s := range sums {
			total += s.USD
			price := fmt.Sprintf("%.4f", s.USD)
			if s.Unpriced > 0 {
				price = strings.TrimPrefix(price+"?", "0.0000")
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t%s\t\n", s.Day, clean(s.Command), clean(s.Model), s.Requests,
				s.Input+s.CacheWrite+s.CacheRead, s.Output, price)
		}
		fmt.Fprintf(w, "\t\t\t\t\t\t%.4f\t\n", total)
		return w.Flush()
	}
	return cmd
}
