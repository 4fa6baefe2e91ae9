package cli

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/settings"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) configCmd() *cobra.Command {
	c := cmd("config list | get | set | unset | confirm", "Show and change settings", `Examples:
  stemma config list
  stemma config set embedder.kind ollama
  stemma config set embedder.model nomic-embed-text
  stemma config set pack.budget 1500 --project
  stemma config unset embedder.kind
  stemma config confirm        review what other programs changed in your file

Only a person can change settings that send memory elsewhere or weaken
protection. If another program edits your file, such a change takes effect
only after you confirm it`)
	list := &cobra.Command{Use: "list", Short: "Show every setting, its value and its origin", Args: cobra.NoArgs}
	list.RunE = func(*cobra.Command, []string) error {
		set, err := a.settings()
		if err != nil {
			return ran{err}
		}
		if a.flags.json {
			return a.printJSON(map[string]any{"settings": jsonSettings(set.All())})
		}
		var rows [][]string
		for _, e := range set.All() {
			rows = append(rows, []string{e.Key, line(or(e.Value, "-"), 60), line(e.Source, 60), e.Doc})
		}
		a.table(a.env.Stdout, []column{{title: "Key"}, {title: "Value"}, {title: "From"},
			{title: "Description", wide: true}}, rows)
		return nil
	}
	get := &cobra.Command{Use: "get KEY", Short: "Show one value", Args: cobra.ExactArgs(1)}
	get.RunE = func(_ *cobra.Command, args []string) error {
		set, err := a.settings()
		if err != nil {
			return ran{err}
		}
		for _, e := range set.All() {
			if e.Key == args[0] {
				fmt.Fprintln(a.env.Stdout, clean(e.Value))
				return nil
			}
		}
		return ran{api.Invalid("unknown setting %q; for all settings: stemma config list", args[0])}
	}
	write := func(use, short string, n int, do func(path string, args []string) error) *cobra.Command {
		w := &cobra.Command{Use: use, Short: short, Args: cobra.ExactArgs(n)}
		w.RunE = func(_ *cobra.Command, args []string) error {
			path, err := a.configPath(args[0])
			if err == nil && n == 2 {
				err = settings.Check(args[0], args[1])
			}
			if _, is := errors.AsType[notYours](err); is {
				return ran{err}
			}
			if err != nil {
				return ran{api.Invalid("%v", err)}
			}
			if err := a.maySet(args); err != nil {
				return ran{err}
			}
			if err := do(path, args); err != nil {
				return ran{api.Invalid("%v", err)}
			}
			if err := a.mark(args); err != nil {
				return ran{err}
			}
			a.hint("written to %s", path)
			return nil
		}
		return w
	}
	c.AddCommand(list, get,
		write("set KEY VALUE", "Set a value in your file, or with --project in the project's", 2,
			func(path string, args []string) error { return settings.Set(path, args[0], args[1]) }),
		write("unset KEY", "Remove a value", 1,
			func(path string, args []string) error { return settings.Unset(path, args[0]) }),
		a.configConfirm())
	return c
}

// jsonSettings returns settings with lower-case names.
func jsonSettings(all []settings.Entry) []map[string]string {
	out := make([]map[string]string, len(all))
	for i, e := range all {
		out[i] = map[string]string{"key": e.Key, "value": e.Value, "source": e.Source, "doc": e.Doc}
	}
	return out
}

// configPath is the file that config set writes: the user's own, or with
// --project the project's, where a key may stand there.
func (a *app) configPath(key string) (string, error) {
	project, user := a.configFiles()
	if !a.flags.project {
		if user == "" {
			return "", fmt.Errorf("no directory for settings; set HOME or XDG_CONFIG_HOME")
		}
		return user, nil
	}
	if project == "" {
		return "", a.noProject()
	}
	for _, k := range settings.Keys() {
		if k.Key == key && !k.ProjectMay {
			return "", fmt.Errorf("%s cannot be set for a project, because it decides where memory goes; leave out --project",
				key)
		}
	}
	return project, nil
}

// maySet returns an error if an agent tries to set what only a person may set.
func (a *app) maySet(args []string) error {
	if a.origin() == memory.OriginOwner {
		return nil
	}
	set, err := a.settings()
	if err != nil {
		return err
	}
	text := ""
	if len(args) > 1 {
		text = args[1]
	}
	if settings.Person(args[0], text, set.Get(args[0]), len(args) == 1) {
		return onlyPerson{"config: permission denied; only a person can set " + args[0]}
	}
	return nil
}

// mark keeps that a person set a value, or took it out.
func (a *app) mark(args []string) error {
	if a.origin() != memory.OriginOwner {
		return nil
	}
	project, user := a.configFiles()
	c, err := a.confirmed(user, true)
	if data, dataErr := a.dataDir(); a.flags.project && c != nil && dataErr == nil {
		c, err = settings.OpenProject(data, project)
	}
	if err != nil || c == nil {
		return err
	}
	if len(args) > 1 {
		return c.Confirm(args[0], args[1], true)
	}
	return c.Confirm(args[0], "", false)
}

func (a *app) configConfirm() *cobra.Command {
	c := &cobra.Command{Use: "confirm [KEY]", Short: "Accept what another program changed in your file",
		Args:    cobra.MaximumNArgs(1),
		Example: "  stemma config confirm\n  stemma config confirm embedder.url"}
	yes := c.Flags().Bool("yes", false, "do not ask for confirmation")
	c.RunE = func(_ *cobra.Command, args []string) error {
		if a.origin() != memory.OriginOwner {
			return ran{onlyPerson{"config: permission denied; only a person can confirm settings"}}
		}
		project, user := a.configFiles()
		own, err := a.confirmed(user, true)
		if own == nil {
			return ran{errors.Join(err, errors.New("config: you have no settings file"))}
		}
		guard := settings.Guard{User: own}
		if data, err := a.dataDir(); project != "" && err == nil {
			if guard.Project, err = settings.OpenProject(data, project); err != nil {
				return ran{err}
			}
		}
		set, err := settings.LoadGuarded(project, user, func(string) string { return "" }, guard)
		if err != nil {
			return ran{api.Invalid("settings: %v", err)}
		}
		done := 0
		in := bufio.NewReader(a.env.Stdin)
		for _, change := range set.Changes {
			if len(args) == 1 && args[0] != change.Key {
				continue
			}
			kept := own
			if change.Project {
				kept = guard.Project
			}
			took, err := a.confirmOne(kept, in, change, *yes)
			if errors.Is(err, errQuit) {
				break
			}
			if err != nil {
				return ran{err}
			}
			if took {
				done++
			}
		}
		if len(set.Changes) == 0 {
			a.hint("nothing to confirm: all settings in your file are active")
			return nil
		}
		a.hint("%s confirmed", count(done, "setting", "settings"))
		return nil
	}
	return c
}

// confirmOne shows a change and marks it, if the person says so.
func (a *app) confirmOne(kept *settings.Confirmed, in *bufio.Reader, change settings.Change, yes bool) (bool, error) {
	says := "nothing"
	if change.Set {
		says = quoted(change.Value, 200)
	}
	file := "your file"
	if change.Project {
		file = "the project's file"
	}
	fmt.Fprintf(a.env.Stdout, "%s: active value %s, %s has %s\n", change.Key, quoted(change.Before, 200), file, says)
	if !yes {
		answer, err := a.ask(in, "accept it? [y/N] ")
		if err != nil {
			return false, err
		}
		if !strings.EqualFold(answer, "y") && !strings.EqualFold(answer, "yes") {
			return false, nil
		}
	}
	return true, kept.Confirm(change.Key, change.Value, change.Set)
}
