package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// writeManPages writes the page of a command and of each below it. A file that is there
// already is an error.
func writeManPages(dir string, c *cobra.Command) error {
	f, err := os.OpenFile(filepath.Join(dir, manName(c)+".1"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(manPage(c))
	if closed := f.Close(); err == nil {
		err = closed
	}
	for _, below := range c.Commands() {
		if err == nil && documented(below) {
			err = writeManPages(dir, below)
		}
	}
	return err
}

func documented(c *cobra.Command) bool {
	return c.IsAvailableCommand() && !c.IsAdditionalHelpTopicCommand()
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage returns the page of a command, in the macros of man(7).
func manPage(c *cobra.Command) string {
	c.InitDefaultHelpFlag()
	var b strings.Builder
	fmt.Fprintf(&b, ".nh\n.TH %q \"1\" \"\" \"stemma\" \"stemma\"\n", strings.ToUpper(manName(c)))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(manName(c)), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n\\fB%s\\fP\n", roff(c.UseLine()))
	description := c.Long
	if description == "" {
		description = c.Short
	}
	b.WriteString(".SH DESCRIPTION\n" + manText(description))
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n" + manText(c.Example))
	}
	b.WriteString(manFlags("OPTIONS", c.NonInheritedFlags()))
	b.WriteString(manFlags("OPTIONS INHERITED FROM PARENT COMMANDS", c.InheritedFlags()))
	var also []string
	if c.HasParent() {
		also = append(also, manName(c.Parent()))
	}
	for _, below := range c.Commands() {
		if documented(below) {
			also = append(also, manName(below))
		}
	}
	for i, name := range also {
		also[i] = `\fB` + roff(name) + `\fP(1)`
	}
	if len(also) > 0 {
		b.WriteString(".SH SEE ALSO\n" + strings.Join(also, ", ") + "\n")
	}
	return b.String()
}

// manText is text with blank lines between its paragraphs. Lines that are indented stay as
// they are.
func manText(text string) string {
	var b strings.Builder
	as := ""
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		switch indented := strings.HasPrefix(line, " "); {
		case indented && as != "example":
			b.WriteString(".EX\n")
			as = "example"
		case !indented && as == "example":
			b.WriteString(".EE\n")
			as = ""
		}
		switch {
		case line == "" && i > 0:
			b.WriteString(".PP\n")
		default:
			b.WriteString(roff(line) + "\n")
		}
	}
	if as == "example" {
		b.WriteString(".EE\n")
	}
	return b.String()
}

// manFlags is a section of flags; none is no section.
func manFlags(title string, flags *pflag.FlagSet) string {
	if !flags.HasAvailableFlags() {
		return ""
	}
	var b strings.Builder
	b.WriteString(".SH " + title + "\n")
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Deprecated != "" || f.Hidden {
			return
		}
		name := `\fB` + roff("--"+f.Name) + `\fP`
		if f.Shorthand != "" {
			name = `\fB` + roff("-"+f.Shorthand) + `\fP, ` + name
		}
		kind, usage := pflag.UnquoteUsage(f)
		if kind != "" {
			name += ` \fI` + roff(kind) + `\fP`
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]" {
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(&b, ".TP\n%s\n%s\n", name, roff(usage))
	})
	return b.String()
}

// roff writes text so that troff prints what it says.
func roff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
