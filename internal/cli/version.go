package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// showsVersion adds the flag --version to the root. Cobra's own prints by a template,
// and a program with text/template keeps every exported method of every type: 3 MB.
func (a *app) showsVersion(root *cobra.Command) {
	version := root.Flags().BoolP("version", "v", false, "version for stemma")
	root.Args = func(cmd *cobra.Command, args []string) error {
		if *version {
			return nil
		}
		return cobra.NoArgs(cmd, args)
	}
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if !*version {
			return cmd.Help()
		}
		_, err := fmt.Fprintf(a.env.Stdout, "stemma %s\n", a.env.Version)
		return err
	}
}
