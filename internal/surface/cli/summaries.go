package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/model/assist"
	"github.com/docent-md/docent/internal/source/settings"
)

// summarise has a language model summarize the targets of links.
func summarise(ctx context.Context, c *console, open func(docent.Options) (*docent.Library, error), yes bool) (*answer.SummaryReport, error) {
	if _, err := settings.DataDir(); err != nil {
		return nil, fmt.Errorf("summaries cannot be stored: %w", err)
	}
	a, err := needAssistant(c, "index")
	if err != nil {
		return nil, err
	}
	defer a.Close()
	lib, err := open(docent.Options{Assistant: a, Summaries: summariesFile(), Note: c.noteText})
	if err != nil {
		return nil, err
	}
	defer lib.Close()
	return summariseWith(c, yes, func(agree func(answer.SummaryPlan) bool, progress func(int, int)) (*answer.SummaryReport, error) {
		return lib.Summarise(ctx, agree, progress)
	})
}

// summariser returns what has a language model summarize the targets of links in documents
// that are on their way into a database, and what closes it.
func summariser(c *console, yes bool) (summarise func(context.Context, *snapshot.View) error, done func() error, err error) {
	if _, err := settings.DataDir(); err != nil {
		return nil, nil, fmt.Errorf("summaries cannot be stored: %w", err)
	}
	o, err := c.assistantOptions("index")
	if err == nil && o.Key == "" {
		err = errNoKey
	}
	if err != nil {
		return nil, nil, err
	}
	a, err := assist.NewAssistant(assist.AssistantOptions(o))
	if err != nil {
		return nil, nil, err
	}
	return func(ctx context.Context, v *snapshot.View) error {
		report, err := summariseWith(c, yes, func(agree func(answer.SummaryPlan) bool, progress func(int, int)) (*answer.SummaryReport, error) {
			return a.Summarise(ctx, v, summariesFile(), agree, progress)
		})
		if err == nil {
			c.note("summaries: %d written, %d known before, %d failed", report.Written, report.Known, report.Failed)
		}
		return err
	}, a.Close, nil
}

// summariseWith asks whether to pay, and shows progress.
func summariseWith(c *console, yes bool, do func(agree func(answer.SummaryPlan) bool, progress func(int, int)) (*answer.SummaryReport, error)) (*answer.SummaryReport, error) {
	refused := false
	report, err := do(func(p answer.SummaryPlan) bool {
		what := fmt.Sprintf("%s to summarize with %s, %d tokens", count(p.Sections-p.Known, "section"), clean(p.Model), p.Tokens)
		refused = !agree(c, what, p.USD, p.Priced, yes)
		return !refused
	}, tally(c, "summaries: %d of %d"))
	c.clearBar()
	if err == nil && refused {
		return nil, withHint(fmt.Errorf("no summaries were written"), "--yes goes ahead without asking")
	}
	return report, err
}

// price formats a cost.
func price(usd float64, priced bool) string {
	switch {
	case !priced:
		return "an unknown price"
	case usd < 0.01:
		return "less than 0.01 USD"
	}
	return fmt.Sprintf("about %.2f USD", usd)
}

// agree prints what an operation will cost, and asks whether to do it.
func agree(c *console, what string, usd float64, priced, yes bool) bool {
	c.note("%s, for %s", what, price(usd, priced))
	return yes || c.agrees()
}

// agrees asks whether to go ahead; without a terminal nobody does.
func (c *console) agrees() bool {
	f, ok := c.in.(*os.File)
	if !ok || !isTerminal(f) || !c.errIsTTY {
		return false
	}
	fmt.Fprint(c.err, "go ahead? [y/N] ")
	line, _ := bufio.NewReader(f).ReadString('\n')
	line = strings.ToLower(strings.TrimSpace(line))
	return line == "y" || line == "yes"
}
