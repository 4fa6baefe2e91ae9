package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A view is another answer about the same thing, asked for by a flag of its verb.
type view struct {
	flag, doc string
	with      []string // flags of the verb that it reads too
	run       func(*cobra.Command, []string) error
}

// addViews adds its views to a verb. A view refuses the flags that it would not look at.
func addViews(c *cobra.Command, views ...view) {
	own := c.RunE
	for _, v := range views {
		c.Flags().Bool(v.flag, false, v.doc)
	}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		for _, v := range views {
			if on, err := cmd.Flags().GetBool(v.flag); err != nil || !on {
				continue
			}
			if err := v.alone(cmd); err != nil {
				return err
			}
			return v.run(cmd, args)
		}
		return own(cmd, args)
	}
}

// alone refuses a flag that this view does not read.
func (v view) alone(cmd *cobra.Command) error {
	var err error
	inherited := cmd.InheritedFlags()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		mine := inherited.Lookup(f.Name) == nil && f.Name != v.flag && !slices.Contains(v.with, f.Name)
		if mine && err == nil {
			err = fmt.Errorf("--%s and --%s do not go together", v.flag, f.Name)
		}
	})
	return err
}
