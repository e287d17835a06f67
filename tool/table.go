package tool

import (
	"context"
	"fmt"
	"strings"

	"github.com/docent-md/docent"
)

// table lists the operations, those an agent needs first before the others.
func table() []row {
	return []row{
		&searchOp,
		&sectionOp,
		&readOp,
		&grepOp,
		&tocOp,
		&examplesOp,
		&linksOp,
		&nodeOp,
		&relatedOp,
		&filesOp,
		&snippetsOp,
		&explainOp,
		&checkOp,
		&changesOp,
		&listOp,
		&infoOp,
		&lsOp,
		&statsOp,
		&statusOp,
		&citeOp,
		&verifyOp,
		&indexDocsOp,
		&markdownSearchOp,
	}
}

// All returns the operations in the order of the table, but for those on demand.
func All() []Tool {
	var out []Tool
	for _, r := range table() {
		if !r.about().OnDemand {
			out = append(out, r.tool())
		}
	}
	return out
}

// Find returns the operation of that name or alias.
func Find(name string) (Tool, error) {
	rows := table()
	for _, r := range rows {
		if r.about().Name == name {
			return r.tool(), nil
		}
	}
	var names []string
	for _, r := range rows {
		t := r.about()
		if t.hasAlias(name) {
			return r.tool(), nil
		}
		if !t.OnDemand {
			names = append(names, t.Name)
		}
	}
	return Tool{}, fmt.Errorf("%w: %s (there are %s)", ErrUnknown, name, strings.Join(names, ", "))
}

// Call runs the operation of that name with its parameters as a JSON object.
func Call(ctx context.Context, lib *docent.Library, name string, params []byte) (Answer, error) {
	t, err := Find(name)
	if err != nil {
		return nil, err
	}
	return t.Call(ctx, lib, params)
}
