package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/spf13/cobra"
)

// The linker sets these in a release: -X, see internal/release.
var releaseVersion, releaseCommit string

// A buildInfo says which docent this is.
type buildInfo struct {
	Version     string `json:"version"`          // v0.1.0, or what Go recorded of the module
	Commit      string `json:"commit,omitempty"` // of the source, if the build recorded one
	Modified    bool   `json:"modified"`         // files differed from that commit
	Go          string `json:"go"`
	OS          string `json:"os"`
	Arch        string `json:"arch"`
	IndexFormat int    `json:"index_format"` // indexes of another format are rebuilt
}

func thisBuild() buildInfo {
	b := buildInfo{
		Version: version(), Commit: releaseCommit, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		IndexFormat: corpus.Format,
	}
	if info, ok := debug.ReadBuildInfo(); ok && b.Commit == "" {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Commit = s.Value
			case "vcs.modified":
				b.Modified = s.Value == "true"
			}
		}
	}
	return b
}

// version returns the release's version, else the module's, if the build recorded one.
func version() string {
	if releaseVersion != "" {
		return releaseVersion
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// newVersion returns "docent version".
func newVersion(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "print the version, and what it was built from",
		Long: `Print the version, the commit it was built from if that is known, and the system it was
built for. "docent --version" prints the first line alone. docent does not update itself:
whatever installed it does.`,
		Example: "  docent version\n  docent version --json",
		Args:    noArgs,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(*cobra.Command, []string) error {
		b := thisBuild()
		if asJSON {
			return c.json(b)
		}
		if err := c.printf("docent %s\n%s %s/%s, index format %d\n", b.Version, b.Go, b.OS, b.Arch, b.IndexFormat); err != nil {
			return err
		}
		switch {
		case b.Commit == "":
			return nil
		case b.Modified:
			return c.printf("commit %s, with changes\n", b.Commit)
		default:
			return c.printf("commit %s\n", b.Commit)
		}
	}
	return cmd
}
