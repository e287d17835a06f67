package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/source/settings"
)

// summarise has a language model sum up what links lead to.
func (c *console) summarise(ctx context.Context, root string, yes bool) (*docent.SummaryReport, error) {
	if _, err := settings.DataDir(); err != nil {
		return nil, fmt.Errorf("summaries cannot be kept: %w", err)
	}
	a, err := c.assistant("index")
	if err != nil {
		return nil, err
	}
	if a == nil {
		return nil, errNoKey
	}
	defer a.Close()
	lib, err := docent.OpenWith(ctx, root, docent.Options{Assistant: a, Summaries: summariesFile(), Note: func(s string) { c.note("%s", s) }})
	if err != nil {
		return nil, err
	}
	k := docent.NewKeeper(lib, docent.Options{})
	defer k.Close()
	var report *docent.SummaryReport
	refused := false
	last := time.Now()
	err = k.With(ctx, func(l *docent.Library) error {
		var err error
		report, err = l.Summarise(ctx, func(p docent.SummaryPlan) bool {
			what := fmt.Sprintf("%s to sum up with %s, %d tokens", count(p.Sections-p.Known, "section"), clean(p.Model), p.Tokens)
			refused = !c.agree(what, p.USD, p.Priced, yes)
			return !refused
		}, func(done, total int) {
			if c.errIsTTY && (time.Since(last) > 100*time.Millisecond || done == total) {
				last = time.Now()
				c.meter("summaries: %d of %d", done, total)
			}
		})
		return err
	})
	if c.errIsTTY {
		c.clearBar()
	}
	if err == nil && refused {
		return nil, withHint(fmt.Errorf("no summaries were made"), "--yes goes ahead without asking")
	}
	return report, err
}

// price says what something will cost.
func price(usd float64, priced bool) string {
	switch {
	case !priced:
		return "a price that is not known"
	case usd < 0.01:
		return "less than 0.01 USD"
	}
	return fmt.Sprintf("about %.2f USD", usd)
}

// agree asks whether what it will cost is fine.
func (c *console) agree(what string, usd float64, priced, yes bool) bool {
	c.note("%s, for %s", what, price(usd, priced))
	if yes {
		return true
	}
	f, ok := c.in.(*os.File)
	if !ok || !isTerminal(f) || !c.errIsTTY {
		return false
	}
	fmt.Fprint(c.err, "go ahead? [y/N] ")
	line, _ := bufio.NewReader(f).ReadString('\n')
	line = strings.ToLower(strings.TrimSpace(line))
	return line == "y" || line == "yes"
}
