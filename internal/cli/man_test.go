package cli

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var update = flag.Bool("update", false, "write what is made of the commands again")

// macro is what a page has beside words.
var macro = regexp.MustCompile(`(?m)^\.[A-Z]+ ?|\\f[BIP]|\\&`)

// The manual pages say what the commands say of themselves.
func TestManPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man", "man1")
	a := &app{env: Env{Getenv: func(string) string { return "" }, Stdout: io.Discard, Stderr: io.Discard}}
	write := func() error {
		man, args, err := a.wholeTree().Find([]string{"man", dir})
		if err != nil {
			return err
		}
		return man.RunE(man, args)
	}
	if err := write(); err != nil {
		t.Fatal(err)
	}
	pages := 0
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		page, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"))
		if err != nil {
			t.Error(err)
			return
		}
		pages++
		says := strings.NewReplacer(`\-`, "-", `\e`, `\`).Replace(macro.ReplaceAllString(string(page), ""))
		want := append(strings.Split(strings.TrimSpace(c.Long), "\n"), c.Short, c.UseLine())
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				_, usage := pflag.UnquoteUsage(f)
				want = append(want, "--"+f.Name, usage)
			}
		})
		for _, line := range want {
			if !strings.Contains(says, line) {
				t.Errorf("%s: the page does not say %q", c.CommandPath(), line)
			}
		}
		for _, below := range c.Commands() {
			if below.IsAvailableCommand() {
				look(below)
			}
		}
	}
	look(a.wholeTree())
	if pages < 200 {
		t.Errorf("%d pages", pages)
	}
	if err := write(); err == nil {
		t.Error("pages that are there are written over")
	}
}

func TestRoff(t *testing.T) {
	for text, want := range map[string]string{
		"a-b":        `a\-b`,
		`C:\x`:       `C:\ex`,
		".stemma":    `\&.stemma`,
		"'quoted'":   `\&'quoted'`,
		"a\n.b 'c'":  "a\n\\&.b 'c'",
		"nothing to": "nothing to",
	} {
		if got := roff(text); got != want {
			t.Errorf("roff(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestManText(t *testing.T) {
	const text = "Examples:\n  stemma list\n  stemma list --json\n\nIt lists.\nAll of it.\n\n  indented\n"
	const want = "Examples:\n.EX\n  stemma list\n  stemma list \\-\\-json\n.EE\n.PP\nIt lists.\nAll of it.\n" +
		".PP\n.EX\n  indented\n.EE\n"
	if got := manText(text); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
