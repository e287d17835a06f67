package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/docent-md/docent/internal/surface/clients"
	"github.com/docent-md/docent/internal/wholefile"
	"github.com/spf13/cobra"
)

// newSetup returns "docent setup".
func newSetup(c *console) *cobra.Command {
	var server clients.Server
	var root string
	var yes, remove, asJSON bool
	cmd := &cobra.Command{
		Use:   "setup",
		Short: "set up the MCP clients of this machine",
		Long: `Find the MCP clients on this machine, and offer to set each up to start "docent serve" on
this folder's documents: what "docent mcp-config --write" does for one of them. Files in
the project are made for the clients that have such; files of yours are changed in one
place, and what they were is kept beside them.

Without --yes it asks first; where nobody can answer, it only says what it would do.`,
		Example: "  docent setup\n  docent setup --root docs --yes\n  docent setup --remove",
		Args:    noArgs,
	}
	f := flagsOf(cmd)
	f.StringVar(&root, "root", "", "folder or pack to serve (default: this folder)")
	f.BoolVar(&yes, "yes", false, "do it without asking")
	f.BoolVar(&remove, "remove", false, "take docent out of the clients' files")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(*cobra.Command, []string) error {
		if err := refuseUnless(f, []flagRule{{"root", !remove, "goes without --remove"}}); err != nil {
			return err
		}
		var err error
		if server.Place, err = placeOf(root); err != nil {
			return err
		}
		server.Program = programFor(os.Getenv(launcherVariable), runtime.GOOS)
		if !remove {
			noteNoDocuments(c, server.Place.Full)
		}
		plan, err := planSetup(server, remove)
		if err != nil {
			return err
		}
		if len(plan) == 0 {
			if remove {
				return c.report(asJSON, plan, "no client has docent in its file\n")
			}
			return c.report(asJSON, plan, "no MCP client was found: docent mcp-config prints what to paste into one\n")
		}
		if !asJSON {
			for _, p := range plan {
				if err := c.printf("%-14s %s\n", p.Client, clean(p.File)); err != nil {
					return err
				}
			}
		}
		if !yes && !c.agrees() {
			for i := range plan {
				plan[i].Changed = false
			}
			return c.report(asJSON, plan, "nothing was written: --yes does it\n")
		}
		var failed error
		for i, p := range plan {
			k, err := clients.Find(p.Client)
			if err == nil {
				plan[i], err = configure(k, server, remove)
			}
			if err != nil {
				plan[i].Error = err.Error()
				failed = errors.Join(failed, fmt.Errorf("%s: %w", p.Client, err))
			} else if !asJSON {
				if err := c.printf("%s\n", plan[i].sentence()); err != nil {
					return err
				}
			}
		}
		noteMissingProgram(c, server)
		if asJSON {
			return errors.Join(c.json(plan), failed)
		}
		return failed
	}
	return cmd
}

// planSetup returns the clients on this machine, and the file of each. To remove, those
// that have docent in their file.
func planSetup(s clients.Server, remove bool) ([]configured, error) {
	here, err := clients.Here()
	if err != nil {
		return nil, err
	}
	plan := []configured{}
	for _, k := range clients.All() {
		file := k.Path(here)
		if file == "" {
			continue
		}
		if !remove && k.IsHere(here) {
			plan = append(plan, configured{Client: k.Name, File: file})
		}
		if remove {
			old, err := os.ReadFile(file)
			if err != nil {
				continue
			}
			if without, err := k.Remove(old); err == nil && len(without) != len(old) {
				plan = append(plan, configured{Client: k.Name, File: file})
			}
		}
	}
	return plan, nil
}

// backupEnd is what the name of a backup ends in.
const backupEnd = ".docent-backup"

// A configured is what was done to a client's file.
type configured struct {
	Client  string `json:"client"`
	File    string `json:"file"`
	Backup  string `json:"backup,omitempty"` // what the file was
	Changed bool   `json:"changed"`
	Deleted bool   `json:"deleted,omitempty"` // docent had made the file
	Error   string `json:"error,omitempty"`
}

func (d configured) sentence() string {
	if !d.Changed {
		return clean(d.File) + " is up to date"
	}
	if d.Deleted {
		return "deleted " + clean(d.File) + ", which had docent only"
	}
	s := "wrote " + clean(d.File)
	if d.Backup != "" {
		s += ", and kept what it was as " + clean(d.Backup)
	}
	return s
}

// configure puts docent into a client's file, or takes it out.
func configure(k clients.Client, s clients.Server, remove bool) (configured, error) {
	here, err := clients.Here()
	if err != nil {
		return configured{}, err
	}
	done := configured{Client: k.Name, File: k.Path(here)}
	if done.File == "" {
		return done, withHint(fmt.Errorf("it is not known where %s lies", k.File()), "print the configuration without --write, and paste it")
	}
	if k.NeedsToken(s) {
		return done, withHint(fmt.Errorf("%s does not read a token from the environment", k.Name), "print the configuration without --write, and paste it with the token")
	}
	if remove {
		old, err := os.ReadFile(done.File)
		if errors.Is(err, fs.ErrNotExist) {
			return done, nil
		}
		if wasMade(k, done.File, old) {
			done.Changed, done.Deleted = true, true
			err := os.Remove(done.File)
			for dir := filepath.Dir(done.File); k.IsShared() && dir != here.Project && os.Remove(dir) == nil; {
				dir = filepath.Dir(dir) // in the project the folders were made for it, if they are empty now
			}
			return done, err
		}
	} else if err := os.MkdirAll(filepath.Dir(done.File), 0o755); err != nil {
		return done, err
	}
	done.Changed, err = rewrite(done.File, func(old []byte) ([]byte, error) {
		change := func(old []byte) ([]byte, error) { return k.Add(old, s) }
		if remove {
			change = k.Remove
		}
		text, err := change(old)
		if before, missing := os.ReadFile(done.File + backupEnd); remove && err == nil && missing == nil && k.WasBefore(text, before) {
			text = before
		}
		if err != nil || len(old) == 0 || string(text) == string(old) {
			return text, err
		}
		done.Backup = done.File + backupEnd
		return text, backUp(done.File, done.Backup, old)
	})
	return done, err
}

// wasMade reports whether docent made a file: nothing else is in it, it is no link, and no
// backup says that it was there before.
func wasMade(k clients.Client, file string, text []byte) bool {
	left, err := k.Remove(text)
	if err != nil || bytes.Equal(left, text) || !k.WasBefore(left, nil) {
		return false
	}
	_, missing := os.Lstat(file + backupEnd)
	info, err := os.Lstat(file)
	return errors.Is(missing, fs.ErrNotExist) && err == nil && info.Mode().IsRegular()
}

// backUp writes what a file was, readable to whom the file is.
func backUp(file, backup string, old []byte) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	return wholefile.Write(backup, info.Mode().Perm(), func(w io.Writer) error {
		_, err := w.Write(old)
		return err
	})
}
