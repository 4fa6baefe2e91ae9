package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

// manCmd writes the manual pages, for packagers. They are made from the commands
// when they are asked for.
func (a *app) manCmd() *cobra.Command {
	c := cmd("man DIR", "Write the manual pages to a directory", "Examples:\n  stemma man /usr/local/share/man/man1")
	c.Args = cobra.ExactArgs(1)
	c.RunE = func(c *cobra.Command, args []string) error {
		root := c.Root()
		root.InitDefaultCompletionCmd()
		err := os.MkdirAll(args[0], 0o777)
		if err == nil {
			err = writeManPages(args[0], root)
		}
		if err != nil {
			return ran{fmt.Errorf("man: %w", err)}
		}
		return nil
	}
	return c
}
