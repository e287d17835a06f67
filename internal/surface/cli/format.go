package cli

import (
	"errors"
	"fmt"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/tool"
	"github.com/spf13/pflag"
)

// formatFlags choose how an answer is printed.
type formatFlags struct {
	json, jsonl, raw bool
	whole            bool
	leads            *pflag.Flag
}

func (o *formatFlags) add(f *pflag.FlagSet, t tool.Tool) {
	f.BoolVar(&o.json, "json", false, "one JSON document")
	if t.Name == "search" {
		f.BoolVar(&o.whole, "json-answer", false, "one JSON document with all that the text says: hits, unknown words, why nothing was found")
		f.BoolVar(&o.jsonl, "jsonl", false, "JSON Lines: the chunks found, with their scores")
		f.BoolVar(&o.raw, "raw", false, "the text of the results and nothing else")
		o.leads = f.Lookup("leads")
	}
}

func (o *formatFlags) write(c *console, found tool.Answer) error {
	chosen := 0
	for _, on := range []bool{o.json, o.whole, o.jsonl, o.raw, o.leads != nil && o.leads.Changed} {
		if on {
			chosen++
		}
	}
	if chosen > 1 {
		return errors.New("choose one of --json, --json-answer, --jsonl, --raw and --leads")
	}
	noteAside(c, found, o.json)
	if m, ok := found.(interface{ Missed() []string }); ok && len(m.Missed()) > 0 {
		for _, line := range m.Missed() {
			c.note("%s", line)
		}
		if !o.json {
			return errNothing // as of grep, standard output has matches only
		}
	}
	if a, ok := found.(*answer.Answer); ok {
		return o.search(c, a)
	}
	var err error
	if list, ok := found.(tool.Lister); ok && o.json {
		err = c.json(list.JSONList())
	} else {
		err = c.print(found, o.json)
	}
	if n, ok := found.(interface{ Empty() bool }); ok && err == nil && n.Empty() {
		return errNothing
	}
	if b, ok := found.(interface{ Broken() bool }); ok && err == nil && b.Broken() {
		return errNothing
	}
	return err
}

// search prints the answer to a question. Programs that asked for JSON get the
// hits; what else there is to say goes to standard error.
func (o *formatFlags) search(c *console, a *answer.Answer) error {
	var err error
	switch {
	case o.json:
		noteSearched(c, a)
		err = c.json(a.Hits)
	case o.whole:
		err = c.json(a)
	case o.jsonl:
		noteSearched(c, a)
		line := c.jsonl()
		for _, r := range a.Records() {
			if err = line(r); err != nil {
				break
			}
		}
	case o.raw:
		noteSearched(c, a)
		err = a.WriteRaw(c.out)
	case o.leads.Changed:
		err = a.WriteLeads(c.out)
	default:
		err = c.highlight(a.WriteText)
	}
	if err == nil && len(a.Hits) == 0 && a.Unlisted == 0 && len(a.LeftOut) == 0 {
		return errNothing
	}
	return err
}

// noteAside says on standard error what an answer cannot say by itself.
func noteAside(c *console, found tool.Answer, asJSON bool) {
	switch a := found.(type) {
	case *answer.Matches:
		if more := a.Total - len(a.Matches); more > 0 && asJSON {
			c.note("%d more matches: narrow the pattern or the files (--glob), or raise --limit", more)
		}
	case *answer.Reading:
		if a.Text == "" {
			c.note("nothing there: %s has %d lines", clean(a.File), a.Total)
		}
	}
}

// noteSearched says on standard error what the hits of an answer cannot say.
func noteSearched(c *console, a *answer.Answer) {
	if a.Note != "" {
		c.note("%s", clean(a.Note))
	}
	for _, s := range a.Searched {
		c.note("searched %s as %s", fmt.Sprintf("%q", s.From), fmt.Sprintf("%q", s.To))
	}
	for _, s := range a.Also {
		c.note("%s", clean(fmt.Sprintf("%q also means %q (glossary)", s.From, s.To)))
	}
	if n := len(a.LeftOut) + a.Unlisted; n > 0 {
		c.note("left out for want of room: %d more (without --json, --jsonl or --raw docent names them)", n)
	}
	if a.Beyond > 0 && a.Limited {
		c.note("left out by the limit: %d more that came near (-n raises it)", a.Beyond)
	}
	if a.Miss != nil {
		c.note("nothing found: --json-answer says why")
	}
	if a.IsWeak() {
		c.note("weak match: these documents most likely do not hold the answer")
	}
	for _, u := range a.Unknown {
		c.note("unknown here: %s", clean(u.Word))
	}
}
