// Package lab measures stemma: what a search finds, what an agent gets, and how fast it is. It is
// the command line of the program stemma-lab.
package lab

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/cli"
)

// lab is one run of the command line.
type lab struct {
	*cli.Program
	program string // the stemma that is measured, as the flag named it
}

// Run carries out args and returns the exit code.
func Run(ctx context.Context, args []string, env cli.Env) int {
	root := &cobra.Command{Use: "stemma-lab", Short: "Measure what stemma finds, and how fast"}
	return cli.RunProgram(ctx, args, env, root, func(p *cli.Program) []*cobra.Command {
		l := &lab{Program: p}
		return []*cobra.Command{l.evalCmd(), l.benchCmd()}
	})
}

// runs adds the flag that names the program to measure.
func (l *lab) runs(c *cobra.Command) {
	c.Flags().StringVar(&l.program, "program", "",
		"the stemma to measure (default: the one beside this program, or on PATH)")
}

// stemma finds the program to measure.
func (l *lab) stemma() (string, error) {
	if l.program != "" {
		path, err := filepath.Abs(l.program)
		if err == nil {
			_, err = os.Stat(path)
		}
		if err != nil {
			return "", api.Invalid("--program: %v", err)
		}
		return path, nil
	}
	if own, err := os.Executable(); err == nil {
		beside, err := exec.LookPath(filepath.Join(filepath.Dir(own), "stemma"))
		if err == nil {
			return beside, nil
		}
	}
	path, err := exec.LookPath("stemma")
	if err != nil {
		return "", api.Invalid("--program: must name the stemma to measure; there is none on PATH")
	}
	return filepath.Abs(path)
}

// cmd makes a verb whose help shows an example first.
func cmd(use, short, help string) *cobra.Command {
	examples, more, _ := strings.Cut(help, "\n\n")
	return &cobra.Command{Use: use, Short: short, Long: examples + "\n\n" + short + ".\n\n" + more}
}

func count(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}
