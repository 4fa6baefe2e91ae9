package cli

import (
	"embed"
	_ "embed"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
)

// manPages are the manual pages, made from the commands' own help: made at
// every start they would cost each run of stemma a millisecond.
//
//go:embed man/*.1
var manPages embed.FS

// manCmd writes the manual pages, for packagers.
func (a *app) manCmd() *cobra.Command {
	c := cmd("man DIR", "Write the manual pages to a directory", "Examples:\n  stemma man /usr/local/share/man/man1")
	c.Args = cobra.ExactArgs(1)
	c.RunE = func(_ *cobra.Command, args []string) error {
		pages, err := fs.Sub(manPages, "man")
		if err == nil {
			err = os.CopyFS(args[0], pages)
		}
		if err != nil {
			return ran{fmt.Errorf("man: %w", err)}
		}
		return nil
	}
	return c
}
