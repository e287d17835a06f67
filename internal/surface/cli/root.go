package cli

import (
	"strings"

	"github.com/docent-md/docent/tool"
	"github.com/spf13/cobra"
)

const about = `docent answers questions from a folder of Markdown: the right section, within a
token budget, with a citation that can be checked. No set-up, no network.`

// everyday marks the commands that "docent help" lists.
const everyday = true

// commands are those that are no operations; the operations are in the tool table. A
// name is that of the command it makes.
var commands = []struct {
	name     string
	group    tool.Group
	everyday bool
	make     func(*console) *cobra.Command
}{
	{"add", tool.LookAfter, everyday, newAdd},
	{"agents-md", tool.ForAgents, false, newAgentsMD},
	{"bench", measure, false, newBench},
	{"cache", keepIndexes, false, newCache},
	{"call", tool.ForAgents, false, newCall},
	{"chunks", keepIndexes, false, newChunks},
	{"cluster", keepIndexes, false, newCluster},
	{"cost", measure, false, newCost},
	{"eval", measure, false, newEval},
	{"export", keepIndexes, false, newExport},
	{"index", keepIndexes, everyday, newIndex},
	{"indexes", keepIndexes, false, newIndexes},
	{"init", tool.LookAfter, false, newInit},
	{"llms-txt", tool.ForAgents, false, newLLMsTxt},
	{"manifest", tool.ForAgents, false, newManifest},
	{"mcp-config", tool.ForAgents, false, newMCPConfig},
	{"open", tool.Ask, everyday, newOpen},
	{"pack", keepIndexes, false, newPack},
	{"remove", tool.LookAfter, false, newRemove},
	{"report", tool.LookAfter, false, newReport},
	{"serve", tool.ForAgents, everyday, newServe},
	{"setup", tool.ForAgents, everyday, newSetup},
	{"skill", tool.ForAgents, false, newSkill},
	{"sources", tool.LookAfter, false, newSources},
	{"tools", tool.ForAgents, false, newTools},
	{"train", keepIndexes, false, newTrain},
	{"update", tool.LookAfter, false, newUpdate},
	{"version", "", false, newVersion},
	{"watch", keepIndexes, false, newWatch},
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
	setHelp(root, args)
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
	if t, err := tool.Find(name); err == nil && !t.OnDemand && t.Name == name {
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
		root.AddCommand(newTool(c, t))
	}
	complete(root)
	group(root)
}
