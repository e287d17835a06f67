package mcp

import (
	"context"
	"fmt"

	"github.com/docent-md/docent/internal/text/visible"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addPrompts offers what people ask for most as ready-made questions. Called is the name
// of a tool as clients know it.
func addPrompts(server *mcp.Server, docs *aboutDocs, called func(tool string) string) {
	server.AddPrompt(&mcp.Prompt{
		Name: "ask-docs", Title: "Ask the docs", Description: "Answer a question from the documentation, with citations",
		Arguments: []*mcp.PromptArgument{{Name: "question", Description: "what you want to know", Required: true}},
	}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return prompt(fmt.Sprintf("Answer this question from the documentation of %q, using docent's %s tool first "+
			"and following Refs where a result is not enough. Cite the Ref of every section you rely on. "+
			"If the documentation does not say, say so.\n\nQuestion: %s", docs.about().name, called("search"), visible.Text(req.Params.Arguments["question"]))), nil
	})
	server.AddPrompt(&mcp.Prompt{
		Name: "explore-docs", Title: "Explore the docs", Description: "Get an overview of the documentation or a part of it",
		Arguments: []*mcp.PromptArgument{{Name: "path", Description: "a file or folder; all of it when empty"}},
	}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		part := ""
		if p := visible.Text(req.Params.Arguments["path"]); p != "" {
			part = fmt.Sprintf(", the part at %q", p)
		}
		return prompt(fmt.Sprintf("Give me an overview of the documentation of %q%s. Use docent's %s tool for its structure, "+
			"read only what you need to describe each part in a line, and end with the Refs worth reading first.", docs.about().name, part, called("toc"))), nil
	})
}

func prompt(text string) *mcp.GetPromptResult {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}
}
