package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/settings"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// A choice of values is what a flag or an argument takes. The shell completes them, and
// a value with a slip in it is an error that names the one that was meant. What else is
// given is left to the engine: it knows all values, and a server may know more.
type values struct {
	list []string
	many bool // several, with commas between them
}

func oneOf(list ...string) values { return values{list: list} }

// memoryKinds are the kinds of memory, as flags take them.
func memoryKinds(more ...string) []string {
	var list []string
	for _, k := range memory.Memories() {
		list = append(list, string(k))
	}
	return append(list, more...)
}

// flagValues are the values of flags, by "verb --flag". "--flag" alone is that of every verb.
func flagValues() map[string]values {
	levels := oneOf("minimal", "task", "deep")
	packs := oneOf("text", "markdown", "json")
	kinds := oneOf(memoryKinds()...)
	all := map[string]values{
		"--color":         oneOf("auto", "always", "never"),
		"context --level": levels, "load --level": levels, "context --format": packs, "load --format": packs,
		"trace --direction":  oneOf("both", "backward", "forward"),
		"trace --format":     oneOf("svg", "prov", "in-toto"),
		"export --format":    oneOf(formatRecords, formatAnamnesis, formatMarkdown),
		"search --kind":      {list: memoryKinds(), many: true},
		"search --tier":      oneOf("grounded", "observed", "inferred", "hypothesis"),
		"search --type":      oneOf(memory.NoteTypes...),
		"search --min-level": oneOf("unverified", "attested", "anchored", "consensus"),
		"list --type":        oneOf(memory.NoteTypes...),
		"review --kind":      oneOf(memoryKinds("link")...), "suggestions --kind": oneOf(memoryKinds("link")...),
		"decisions --act": oneOf(engine.Acts()...),
		"review --by":     oneOf(groupings...),
		"resolve --keep":  oneOf("old", "new", "both"),
		"promote --to":    kinds, "consolidate --to": kinds, "raw promote --to": kinds, "capture promote --to": kinds,
		"anchor --type":          oneOf(memory.AnchorTypes...),
		"key revoke --reason":    oneOf(memory.RevokeReasons...),
		"key delegate --origins": {list: []string{"agent", "import", "tool"}, many: true},
		"mcp --tools":            oneOf("core", "full"), "serve --tools": oneOf("core", "full"),
	}
	for _, verb := range []string{"remote invite", "hub invite"} {
		all[verb+" --role"] = oneOf("reader", "writer", "keeper", "arbiter")
	}
	for _, verb := range []string{"note", "note add", "note revise"} {
		all[verb+" --type"] = oneOf(memory.NoteTypes...)
	}
	for _, verb := range []string{"relationship", "relationship add", "relationship revise"} {
		all[verb+" --type"] = oneOf(memory.RelationshipTypes...)
	}
	for _, verb := range []string{"episode", "episode add", "episode revise", "promote", "revise"} {
		all[verb+" --outcome-type"] = oneOf(memory.OutcomeTypes...)
	}
	return all
}

// wordValues are the values of arguments, by verb: each the place of the argument, from 0.
var wordValues = map[string]struct {
	at   int
	list func() []string
}{
	"list":              {0, func() []string { return memoryKinds() }},
	"init":              {0, hosts.Names},
	"synthesize":        {0, func() []string { return []string{"beliefs", "identity"} }},
	"config get":        {0, settingNames},
	"config set":        {0, settingNames},
	"config unset":      {0, settingNames},
	"hook install":      {0, func() []string { return []string{"git"} }},
	"hook remove":       {0, func() []string { return []string{"git"} }},
	"goal status":       {1, func() []string { return engine.GoalStatuses }},
	"playbook outcome":  {1, func() []string { return []string{"success", "failure"} }},
	"remote member set": {2, func() []string { return []string{"reader", "writer", "keeper", "arbiter", roleOwner} }},
	"judge":             {1, func() []string { return []string{"none", "update", "extend", "derive", "contradict"} }},
}

func settingNames() []string {
	var names []string
	for _, k := range settings.Keys() {
		names = append(names, k.Key)
	}
	return names
}

// pathOf is a verb with its groups, without the program.
func pathOf(c *cobra.Command) string {
	_, path, _ := strings.Cut(c.CommandPath(), " ")
	return path
}

// completeValues lets the shell complete what has values, of a verb and of those below it.
func completeValues(c *cobra.Command, all map[string]values) {
	path := pathOf(c)
	offer := func(f *pflag.Flag) {
		if v, is := all[strings.TrimSpace(path+" --"+f.Name)]; is {
			_ = c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(v.list, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	c.LocalFlags().VisitAll(offer)
	completeWords(c, path)
	for _, sub := range c.Commands() {
		completeValues(sub, all)
	}
}

// completeWords lets the shell complete the argument that has values.
func completeWords(c *cobra.Command, path string) {
	w, is := wordValues[path]
	if !is {
		return
	}
	if w.at == 0 {
		c.ValidArgs = w.list()
		return
	}
	refs := c.ValidArgsFunction
	c.ValidArgsFunction = func(c *cobra.Command, args []string, typed string) ([]cobra.Completion,
		cobra.ShellCompDirective) {
		switch {
		case len(args) == w.at:
			return w.list(), cobra.ShellCompDirectiveNoFileComp
		case len(args) < w.at && refs != nil:
			return refs(c, args, typed)
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

// checkValues refuses a value with a slip in it.
func checkValues(c *cobra.Command, args []string) error {
	var err error
	all := sync.OnceValue(flagValues)
	c.Flags().Visit(func(f *pflag.Flag) {
		v, is := all()[pathOf(c)+" --"+f.Name]
		if !is {
			v = all()["--"+f.Name]
		}
		given := []string{f.Value.String()}
		if v.many {
			given = strings.Split(strings.Trim(f.Value.String(), "[]"), ",")
		}
		for _, word := range given {
			if like := nearestWord(word, v.list); like != "" && err == nil {
				err = fmt.Errorf("--%s: unknown value %s; did you mean '%s'?", f.Name, quoted(word, 40), like)
			}
		}
	})
	w, is := wordValues[pathOf(c)]
	if err != nil || !is || len(args) <= w.at || args[w.at] == "-" {
		return err
	}
	if like := nearestWord(args[w.at], w.list()); like != "" {
		return fmt.Errorf("%s: unknown value %s; did you mean '%s'?", pathOf(c), quoted(args[w.at], 40), like)
	}
	return nil
}

// nearestWord is the word of a list that another one is a slip of, "" for none.
func nearestWord(word string, list []string) string {
	if word == "" || slices.Contains(list, word) {
		return ""
	}
	best, least := "", 0
	for _, name := range list {
		edits, is := words.Slip(strings.ToLower(word), name)
		if strings.EqualFold(word, name) || strings.EqualFold(word, name+"s") {
			edits, is = 0, true
		}
		if is && (best == "" || edits < least) {
			best, least = name, edits
		}
	}
	if best == "" && len(word) >= leastBeginning { // the beginning of one: claude
		var begin []string
		for _, name := range list {
			if strings.HasPrefix(name, strings.ToLower(word)+"-") {
				begin = append(begin, name)
			}
		}
		if len(begin) == 1 {
			return begin[0]
		}
	}
	return best
}

// leastBeginning is how many letters say which word begins with them.
const leastBeginning = 4

// mistypedFlag explains what is wrong with a flag.
func (a *app) mistypedFlag(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var needs *pflag.ValueRequiredError
	var wrong *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return a.noFlag(c, unknown)
	case errors.As(err, &needs):
		return fmt.Errorf("--%s: needs a value", needs.GetFlag().Name)
	case errors.As(err, &wrong):
		return badValue(wrong)
	}
	return err
}

// noFlag says that a verb has no such flag, and which one may have been meant.
func (a *app) noFlag(c *cobra.Command, err *pflag.NotExistError) error {
	name, given := err.GetSpecifiedName(), "--"+err.GetSpecifiedName()
	if short := err.GetSpecifiedShortnames(); short != "" {
		name, given = short, "-"+short // "-limit" is read as several flags of one letter
	}
	name, _, _ = strings.Cut(name, "=")
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	var own []string
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			own = append(own, f.Name)
		}
	})
	like := nearestWord(name, names)
	if slices.Contains(names, name) {
		like = name
	}
	text := "unknown flag " + given
	others := hasFlag(a.wholeTree(), name, 2)
	switch {
	case asText(c, given) != "":
		return fmt.Errorf("%s%s", text, asText(c, given))
	case len(others) > 0 && !slices.Contains(names, name):
		if len(others) == 1 {
			return fmt.Errorf("%s; %s has it", text, others[0])
		}
		return fmt.Errorf("%s; %s have it", text, strings.Join(others, " and "))
	case like != "":
		return fmt.Errorf("%s; did you mean '--%s'?", text, like)
	case len(own) > 0 && len(own) <= 8:
		return fmt.Errorf("%s; %s has --%s", text, c.Name(), strings.Join(own, ", --"))
	case c.HasParent():
		return fmt.Errorf("%s; '%s --help' lists the flags", text, c.CommandPath())
	}
	return fmt.Errorf("%s; 'stemma help --all' lists the flags", text)
}

// badValue says what kind of value a flag takes.
func badValue(err *pflag.InvalidValueError) error {
	name, got := err.GetFlag().Name, quoted(err.GetValue(), 40)
	switch err.GetFlag().Value.Type() {
	case "int", "int64", "uint64":
		return fmt.Errorf("--%s: must be a whole number, got %s", name, got)
	case "float64":
		return fmt.Errorf("--%s: must be a number, got %s", name, got)
	case "bool":
		return fmt.Errorf("--%s: takes no value, got %s", name, got)
	}
	return fmt.Errorf("--%s: %w", name, err.Unwrap())
}
