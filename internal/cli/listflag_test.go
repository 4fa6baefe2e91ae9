package cli

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func TestNames(t *testing.T) {
	for given, want := range map[string][]string{
		`Dwayne "The Rock" Johnson`:     {`Dwayne "The Rock" Johnson`},
		`Dwayne "The Rock" Johnson,Bob`: {`Dwayne "The Rock" Johnson`, "Bob"},
		`"The Rock" Johnson`:            {`"The Rock" Johnson`},
		`"Johnson, Dwayne",Bob`:         {"Johnson, Dwayne", "Bob"},
		`"He said ""no"""`:              {`He said "no"`},
		`a,b,c`:                         {"a", "b", "c"},
		`"`:                             {`"`},
		`"open`:                         {`"open`},
		`"` + `"`:                       {""},
		``:                              nil,
		`a,`:                            {"a"},
	} {
		var got []string
		f := pflag.NewFlagSet("test", pflag.ContinueOnError)
		listVar(f, &got, "about", "names")
		if err := f.Parse([]string{"--about", given}); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", given, got, err, want)
		}
	}
}

// Every flag that takes names of things takes any name.
func TestEveryAboutTakesQuotationMarks(t *testing.T) {
	root := (&app{env: Env{Getenv: func(string) string { return "" }}}).root(nil)
	seen := 0
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		for _, name := range []string{"about", "tag", "emotion", "focus"} {
			if f := c.Flags().Lookup(name); f != nil {
				seen++
				if err := f.Value.Set(`Dwayne "The Rock" Johnson`); err != nil {
					t.Errorf("%s --%s: %v", c.CommandPath(), name, err)
				}
			}
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	if seen < 30 {
		t.Errorf("%d flags", seen)
	}
}
