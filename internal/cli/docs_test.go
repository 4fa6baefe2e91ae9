package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var (
	quotes   = regexp.MustCompile(`"[^"]*"|'[^']*'`)
	inline   = regexp.MustCompile("`(stemma [a-z][^`]*)`")
	talk     = regexp.MustCompile(`\s{2,}.*$| [|>&] .*$| # .*$`)
	prose    = regexp.MustCompile(`(?m)^\S.*$`)
	unknowns = regexp.MustCompile(`unknown (flag|shorthand flag)`)
)

// Every example of the help names a verb that there is, with flags that it has.
func TestHelpNamesWhatThereIs(t *testing.T) {
	root := (&app{env: Env{Getenv: func(string) string { return "" }}}).root(nil)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	examples := 0
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		indented := prose.ReplaceAllString(c.Long+"\n"+c.Example, "")
		for _, command := range commandsOf("```\n" + indented + "\n```\n") {
			examples++
			nameable(t, root, "help of "+c.Name(), command)
		}
		for _, sub := range c.Commands() {
			if sub.Name() != "completion" { // the library's own words
				check(sub)
			}
		}
	}
	check(root)
	if examples < 200 {
		t.Errorf("%d examples in all help, want at least 200", examples)
	}
}

// nameable checks that a command names a verb there is, and flags it has.
func nameable(t *testing.T, root *cobra.Command, where, command string) {
	t.Helper()
	args := strings.Fields(quotes.ReplaceAllString(command, "words"))[1:]
	c, rest, err := root.Find(args)
	if err != nil || c == root && !strings.HasPrefix(args[0], "-") {
		t.Errorf("%s: %q: there is no such verb: %v", where, command, err)
		return
	}
	if err := c.ParseFlags(rest); err != nil && unknowns.MatchString(err.Error()) {
		t.Errorf("%s: %q: %v", where, command, err)
	}
}

// commandsOf returns the commands in the blocks and between the words of a page.
func commandsOf(page string) []string {
	var out []string
	fenced := false
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		code := strings.TrimPrefix(strings.TrimSpace(line), "$ ")
		code, _, _ = strings.Cut(code, "  #")
		if (fenced || strings.HasPrefix(line, "    ")) && strings.HasPrefix(code, "stemma ") {
			out = append(out, talk.ReplaceAllString(code, ""))
			continue
		}
		if !fenced {
			for _, m := range inline.FindAllStringSubmatch(line, -1) {
				out = append(out, talk.ReplaceAllString(m[1], ""))
			}
		}
	}
	return out
}
