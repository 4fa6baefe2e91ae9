package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stemma-memory/stemma/memory"
)

// refFlags are the flags that take refs.
var refFlags = []string{"from", "ref", "because", "merge"}

// emptyRef refuses a ref that is given and empty. A script whose variable is unset
// means some record: not the last one, and not all.
func emptyRef(c *cobra.Command, args []string) error {
	for _, name := range refFlags {
		f := c.Flags().Lookup(name)
		if f == nil || !f.Changed {
			continue
		}
		given := []string{f.Value.String()}
		if list, is := f.Value.(pflag.SliceValue); is {
			if given = list.GetSlice(); len(given) == 0 {
				given = []string{""}
			}
		}
		if anyBlank(given) {
			return isEmpty(c, "--"+name)
		}
	}
	name := placeholder(c)
	switch {
	case len(args) == 0 || name == "" || strings.HasPrefix(name, "WORDS") || name == "TEXT":
		return nil
	case isBlank(args[0]), c.ValidArgsFunction != nil && len(args) > 1 && isBlank(args[1]) && memory.Kind(args[0]).Known():
		return isEmpty(c, name)
	}
	for _, many := range []string{"REF", "RAW"} {
		if strings.Contains(c.Use, many+"…") && anyBlank(args) {
			return isEmpty(c, many)
		}
	}
	return nil
}

func isEmpty(c *cobra.Command, what string) error {
	_, path, _ := strings.Cut(c.CommandPath(), " ")
	return fmt.Errorf("%s: %s is empty; give a value or leave it out", path, what)
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

func anyBlank(list []string) bool {
	for _, s := range list {
		if isBlank(s) {
			return true
		}
	}
	return false
}

// placeholder is what the first argument of a verb is called in its help, "" if it
// takes none.
func placeholder(c *cobra.Command) string {
	for _, word := range strings.Fields(c.Use)[1:] {
		word = strings.Trim(word, "[]…")
		if word != "" && word == strings.ToUpper(word) && word != "|" && word[0] >= 'A' {
			return word
		}
	}
	return ""
}
