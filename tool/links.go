package tool

import (
	"context"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// Operations on the graph of documents: links, related sections, nodes.

type linksInput struct {
	Ref   string `json:"ref" arg:"ref" doc:"a file or section: guide/auth.md#jwt"`
	Depth int    `json:"depth,omitempty" flag:"depth" doc:"follow links this many steps, 1 to 5 (default 1)"`
}

var linksOp = operation[linksInput]{
	Tool: Tool{
		Name:     "links",
		Doc:      "list what a section links to, what links to it, and what leads nowhere",
		Group:    Ask,
		Everyday: true,
		Help: `List the links of a section or file: where they lead, what links to it, which are broken
and which leave the documents; those are listed and never followed. --depth follows the
links and lists the sections it comes to, nearest first.`,
		Example: "  docent links guide/auth.md\n  docent links guide/auth.md#jwt-tokens --depth 2 --json",
		Stores:  FolderOnly,
		RefArg:  true,
	},
	Run: func(ctx context.Context, lib *docent.Library, in linksInput) (Answer, error) {
		return lib.Links(ctx, in.Ref, in.Depth)
	},
}

type relatedInput struct {
	Ref   string `json:"ref" arg:"ref" doc:"a file or section: guide/auth.md#jwt"`
	Limit int    `json:"limit,omitempty" flag:"limit,n" doc:"most sections (default 10)"`
}

var relatedOp = operation[relatedInput]{
	Tool: Tool{
		Name:  "related",
		Doc:   "find sections related to a section: by links, code and words",
		Group: Ask,
		Help: `Find sections related to a section: by links in either direction, by rare names that the
code of both has, and by words. Each is shown with the reasons.`,
		Example: "  docent related guide/auth.md#jwt-tokens\n  docent related guide/auth.md -n 20 --json",
		Stores:  FolderOnly,
		RefArg:  true,
	},
	Run: func(ctx context.Context, lib *docent.Library, in relatedInput) (Answer, error) {
		return lib.Related(ctx, in.Ref, in.Limit)
	},
}

type nodeInput struct {
	ID string `json:"id" arg:"id" alias:"nodeId,node_id" doc:"a node id or Ref: guide/auth.md::JWT Tokens::code-1"`
}

var nodeOp = operation[nodeInput]{
	Tool: Tool{
		Name:  "node",
		Doc:   "get a file, section or code block as a node of the docs graph",
		Group: LookCloser,
		Help: `Show a file, section or code block as a node of the graph of documents: its id, text,
level, links, parent, children and the next node. Headings below level 4, or below the
"chunkDepth" of .docent.json, are part of the node above them.`,
		Example: "  docent node guide/auth.md --json\n  docent node 'guide/auth.md::JWT Tokens::code-1' --json",
		Stores:  FolderOnly,
		RefArg:  true,
		Aliases: []string{"get_node"},
	},
	Run: func(ctx context.Context, lib *docent.Library, in nodeInput) (Answer, error) {
		return lib.Node(ctx, in.ID)
	},
}

type graphInput struct {
	Paths []string `json:"paths,omitempty" arg:"path..." doc:"only these files and folders"`
	Bare  bool     `json:"no_embeddings,omitempty" flag:"no-embeddings" doc:"leave the embeddings out"`
}

var graphOp = operation[graphInput]{
	Tool: Tool{
		Name:  "graph",
		Doc:   "export the documents as a graph: nodes with embeddings, and edges",
		Group: LookCloser,
		Help: `Print the documents as a graph. Nodes are files, sections and code blocks, as "docent
node" shows them; edges lead to the next node of a file and to files that are linked to.
With --json each node has its embedding, that of the chunk it begins in, and each file
its fileEmbedding; "model" identifies what made them.`,
		Example: "  docent graph --json > docs.json\n  docent graph guide --json --no-embeddings",
		Stores:  FolderOnly,
		Vectors: true,
	},
	Run: func(ctx context.Context, lib *docent.Library, in graphInput) (Answer, error) {
		return lib.Graph(ctx, answer.GraphOptions{Paths: in.Paths, Embeddings: !in.Bare})
	},
}
