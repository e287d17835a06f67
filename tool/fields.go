package tool

import (
	"context"

	"github.com/docent-md/docent"
)

type fieldsInput struct {
	Name string `json:"name,omitempty" arg:"name" doc:"a field, to list all its values; none lists the fields"`
}

var fieldsOp = operation[fieldsInput]{
	Tool: Tool{
		Name:  "fields",
		Doc:   "list the fields of front matter and the tags, with their values",
		Group: LookCloser,
		Help: `List the fields that documents have in their front matter (YAML or TOML), how many have
each, and the most frequent values; of a field that is named, all values. Tags in the
text (#security) count as values of tags. Names with dots are fields of fields.

Search, files, grep and toc choose by them: --where status=draft, 'date>2025-01',
'status!=draft', tag=security,auth; also among words and paths: tag:security.`,
		Example: "  docent fields\n  docent fields tags\n  docent search rotate keys tag:security",
		Stores:  AnyStore,
	},
	Run: func(ctx context.Context, lib *docent.Library, in fieldsInput) (Answer, error) {
		return lib.Fields(ctx, in.Name)
	},
}
