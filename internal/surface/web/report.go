package web

import (
	"bytes"
	"context"
	"html/template"
	"io"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/surface/web/linkmap"
	"github.com/docent-md/docent/internal/text/visible"
)

// A reportPage is a report: health, index and map in one file.
type reportPage struct {
	*frame
	Policy string
	Style  template.CSS
	Script template.JS
	Made   time.Time
	Health healthPage
	Index  indexPage
	Chart  template.HTML
}

// Report writes one self-contained HTML file about a library: its health, what is
// indexed, and the map of its links. The policy in the file allows its own style and
// script, by their hashes, and nothing else.
func Report(ctx context.Context, name string, lib *docent.Library, w io.Writer) error {
	p := loadPages()
	f := &frame{Title: "Report", Here: "report", Name: name, Names: []string{name}, Report: true}
	out := reportPage{frame: f, Style: template.CSS(p.styles), Script: template.JS(p.scripts), Made: time.Now()}
	out.Policy = "default-src 'none'; style-src " + inlineHash(p.styles) + "; script-src " + inlineHash(p.scripts) +
		"; base-uri 'none'; form-action 'none'"
	health, err := lib.Check(ctx, answer.CheckOptions{})
	if err != nil {
		return err
	}
	out.Health.frame = f
	out.Health.Health = health
	out.Health.countKinds(f)
	groups := groupProblems(f, health.Problems)
	out.Health.Groups = groups[:min(len(groups), maxReport)]
	out.Health.More = len(groups) - len(out.Health.Groups)
	changes, err := lib.Changes(ctx, "")
	if ctx.Err() != nil {
		return ctx.Err()
	}
	out.Health.changes(f, changes, err)
	out.Index.frame = f
	if out.Index.indexView, err = newIndexView(ctx, lib); err != nil {
		return err
	}
	if out.Index.Table, err = p.fragment("files", out.Index.list(f)); err != nil {
		return err
	}
	g, err := linkmap.NewGraph(ctx, lib)
	if err != nil {
		return err
	}
	if out.Chart, err = p.fragment("chart", linkmap.New(g, linkmap.Part{}, f.mapAddresses())); err != nil {
		return err
	}
	b := &bytes.Buffer{}
	if err := p.execute(b, "report", out); err != nil {
		return err
	}
	_, err = w.Write(visible.Bytes(b.Bytes()))
	return err
}
