package cli

import (
	"strings"

	"github.com/docent-md/docent/tool"
	"github.com/spf13/cobra"
)

const about = `docent answers questions from a folder of Markdown: the right section, within a
token budget, with a citation that can be checked. No set-up, no network.`

// commands are those that build or print rather than ask; the others are the
// operations in the tool table. A name is that of the command it makes.
var commands = []struct {
	name string
	make func(*console) *cobra.Command
}{
	{"add", newAdd},
	{"agents-md", newAgentsMD},
	{"bench", newBench},
	{"call", newCall},
	{"chunks", newChunks},
	{"cluster", newCluster},
	{"cost", newCost},
	{"eval", newEval},
	{"export", newExport},
	{"index", newIndex},
	{"indexes", newIndexes},
	{"init", newInit},
	{"llms-txt", newLLMsTxt},
	{"manifest", newManifest},
	{"mcp-config", newMCPConfig},
	{"open", newOpen},
	{"pack", newPack},
	{"remove", newRemove},
	{"report", newReport},
	{"serve", newServe},
	{"skill", newSkill},
	{"sources", newSources},
	{"toc", newTOC}, // which also reads files that no library holds
	{"tools", newTools},
	{"train", newTrain},
	{"update", newUpdate},
	{"watch", newWatch},
}

// newRoot makes the command line for args. When they begin with the name of a
// command, that one is all there is: the others, with their flags and manuals,
// would take longer to make than many an answer. Help, completion and the search
// for a name that was mistyped get them all.
func newRoot(c *console, args []string) (*cobra.Command, error) {
	root := bareRoot(c)
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		if cmd := newCommand(c, args[0]); cmd != nil {
			root.CompletionOptions.DisableDefaultCmd = true
			root.AddCommand(cmd)
			return root, nil
		}
	}
	addVersion(root)
	if len(args) == 1 && args[0] == "--version" {
		return root, nil
	}
	addAll(c, root)
	return root, unknownCommand(root, args)
}

func bareRoot(c *console) *cobra.Command {
	root := &cobra.Command{
		Use:           "docent",
		Short:         "answers from a folder of Markdown",
		Long:          about,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	root.SetIn(c.in)
	root.SetOut(c.out)
	root.SetErr(c.err)
	root.SetFlagErrorFunc(flagError)
	root.CompletionOptions.HiddenDefaultCmd = false
	root.PersistentFlags().SortFlags = false
	return root
}

// addVersion adds --version.
func addVersion(root *cobra.Command) {
	root.Version = version()
	root.SetVersionTemplate("docent {{.Version}}\n")
}

// newCommand makes the command of that name; nil when there is none.
func newCommand(c *console, name string) *cobra.Command {
	for _, cmd := range commands {
		if cmd.name == name {
			return cmd.make(c)
		}
	}
	if t, err := tool.Find(name); err == nil && !t.Off && t.Name == name {
		return newTool(c, t)
	}
	return nil
}

// addAll adds every command there is.
func addAll(c *console, root *cobra.Command) {
	for _, cmd := range commands {
		root.AddCommand(cmd.make(c))
	}
	for _, t := range tool.All() {
		if t.Name != "toc" {
			root.AddCommand(newTool(c, t))
		}
	}
	complete(root)
	group(root)
}
