package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stemma-memory/stemma/internal/httpapi"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/settings"
)

// referenceDir has the pages of which a part is made from the code.
const referenceDir = "../../docs/reference"

// TestReferenceIsTrue holds the generated part of each page, which is between two
// comments that name it, to what the program says today. -update rewrites the part.
func TestReferenceIsTrue(t *testing.T) {
	for _, tt := range []struct {
		page, part string
		make       func(*testing.T) string
	}{
		{"verbs.md", "global flags", globalFlagsPart},
		{"verbs.md", "verbs", verbsPart},
		{"settings.md", "settings", settingsPart},
		{"exit-codes.md", "exit codes", exitCodesPart},
		{"mcp.md", "tools", toolsPart},
		{"http.md", "operations", operationsPart},
		{"http.md", "routes", routesPart},
		{"background.md", "shares", sharesPart},
		{"library.md", "example open", examplePart("library_test.go", "ExampleOpen", "e, err :=")},
		{"library.md", "example search", examplePart("library_test.go", "ExampleEngine_Search", "found, err :=")},
		{"library.md", "example load", examplePart("library_test.go", "ExampleEngine_Context", "pack, err :=")},
		{"library.md", "example revise", examplePart("library_test.go", "ExampleEngine_Revise", "_, err = e.Revise")},
		{"library.md", "example caller", examplePart("library_test.go", "ExampleEngine_As", "agent, err :=")},
		{"library.md", "example errors", examplePart("library_test.go", "ExampleEngine_Show_errors", "_, err = e.Show")},
		{"library.md", "example audit", examplePart("audit/example_test.go", "Example", "f, err :=")},
	} {
		t.Run(tt.page+" "+tt.part, func(t *testing.T) {
			file := filepath.Join(referenceDir, tt.page)
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			begin, end := "<!-- generated: "+tt.part+" -->\n", "<!-- end of "+tt.part+" -->\n"
			before, rest, begun := strings.Cut(string(text), begin)
			have, after, ended := strings.Cut(rest, end)
			if !begun || !ended {
				t.Fatalf("%s has no part between %q and %q", tt.page, begin, end)
			}
			want := "\n" + strings.TrimSpace(tt.make(t)) + "\n\n"
			if *update {
				if err := os.WriteFile(file, []byte(before+begin+want+end+after), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if have != want {
				t.Errorf("%s is not what the program says; run go test ./internal/cli -run TestReferenceIsTrue -update\n%s",
					tt.page, firstDifference(have, want))
			}
		})
	}
}

// firstDifference shows the first line in which two texts differ.
func firstDifference(have, want string) string {
	is, should := strings.Split(have, "\n"), strings.Split(want, "\n")
	for i := range max(len(is), len(should)) {
		a, b := "(the end)", "(the end)"
		if i < len(is) {
			a = is[i]
		}
		if i < len(should) {
			b = should[i]
		}
		if a != b {
			return fmt.Sprintf("page: %s\nwant: %s", a, b)
		}
	}
	return ""
}

// wholeTree returns the whole command line.
func wholeTree() *cobra.Command {
	root := (&app{env: Env{Getenv: func(string) string { return "" }}}).root(nil)
	root.InitDefaultCompletionCmd()
	return root
}

// shownVerbs returns the verbs below c that its help shows, by name.
func shownVerbs(c *cobra.Command) []*cobra.Command {
	shown := slices.DeleteFunc(slices.Clone(c.Commands()), func(c *cobra.Command) bool { return !c.IsAvailableCommand() })
	slices.SortFunc(shown, func(a, b *cobra.Command) int { return cmp.Compare(a.Name(), b.Name()) })
	return shown
}

// sharesPart is the share of each section of both packs.
func sharesPart(*testing.T) string {
	var b strings.Builder
	for i, layout := range []pack.Layout{pack.Context, pack.Load} {
		verb := []string{"stemma context WORDS", "stemma load"}[i]
		fmt.Fprintf(&b, "| section of `%s` | share |\n|---|---|\n", verb)
		for _, s := range layout.Sections {
			fmt.Fprintf(&b, "| %s | %d %% |\n", s.Title, s.Share)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// examplePart makes a block of Go of an example that is run by the tests of another package:
// from a line that begins so to what it prints.
func examplePart(file, name, from string) func(*testing.T) string {
	return func(t *testing.T) string {
		source, err := os.ReadFile(filepath.Join(repository, file))
		if err != nil {
			t.Fatal(err)
		}
		_, body, found := strings.Cut(string(source), "\nfunc "+name+"() {\n")
		body, _, ended := strings.Cut(body, "\n\t// Output:")
		setup, code, begun := strings.Cut(body, "\t"+from)
		if !found || !ended || !begun || strings.Contains(setup, "// Output:") {
			t.Fatalf("%s has no example %s with a line %q", file, name, from)
		}
		code = strings.ReplaceAll("\n\t"+from+code, "\n\t", "\n")
		if dir := filepath.Dir(file); dir != "." {
			name = dir + "." + name
		}
		return "<!-- example: " + name + " -->\n```go" + code + "\n```"
	}
}

func globalFlagsPart(*testing.T) string {
	return tableOfFlags(wholeTree().PersistentFlags())
}

func verbsPart(*testing.T) string {
	var list, sections strings.Builder
	list.WriteString("| verb | what it does |\n|---|---|\n")
	for _, c := range shownVerbs(wholeTree()) {
		fmt.Fprintf(&list, "| [`%s`](#%s) | %s |\n", c.Name(), c.Name(), asCell(c.Short))
		writeVerb(&sections, c, 2)
	}
	return list.String() + "\n" + sections.String()
}

// writeVerb writes a section for c, and for the verbs below it one level deeper.
func writeVerb(b *strings.Builder, c *cobra.Command, level int) {
	name := strings.TrimPrefix(c.CommandPath(), "stemma ")
	fmt.Fprintf(b, "%s %s\n\n%s.\n\n", strings.Repeat("#", level), name, asMarkdown(strings.TrimSuffix(c.Short, ".")))
	if c.Runnable() {
		fmt.Fprintf(b, "```\n%s\n```\n\n", c.UseLine())
	}
	if len(c.Aliases) > 0 {
		fmt.Fprintf(b, "Aliases: `%s`\n\n", strings.Join(c.Aliases, "`, `"))
	}
	if c.Name() == "completion" { // the texts below it are the library's
		return
	}
	examples, rest := helpTexts(c)
	if examples != "" {
		fmt.Fprintf(b, "Examples:\n\n```\n%s\n```\n\n", examples)
	}
	b.WriteString(rest)
	b.WriteString(tableOfFlags(c.NonInheritedFlags()))
	for _, sub := range shownVerbs(c) {
		writeVerb(b, sub, min(level+1, 4))
	}
}

// helpTexts separates the examples at the beginning of a help text from what it says
// besides, as Markdown and without the line that every help repeats.
func helpTexts(c *cobra.Command) (examples, rest string) {
	text := strings.TrimSpace(c.Long)
	if after, ok := strings.CutPrefix(text, "Examples:\n"); ok {
		examples, text, _ = strings.Cut(after, "\n\n")
	}
	if c.Example != "" {
		examples = strings.TrimSpace(strings.TrimSpace(examples) + "\n" + c.Example)
	}
	var b strings.Builder
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		switch said := strings.TrimSpace(paragraph); {
		case said == "" || strings.TrimSuffix(said, ".") == strings.TrimSuffix(c.Short, "."):
		case strings.Contains("\n"+paragraph, "\n  "): // a table or a list, laid out in columns
			fmt.Fprintf(&b, "```\n%s\n```\n\n", paragraph)
		default:
			fmt.Fprintf(&b, "%s\n\n", asMarkdown(said))
		}
	}
	return unindentedLines(examples), b.String()
}

// unindentedLines takes the two spaces from the beginning of lines.
func unindentedLines(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, strings.TrimPrefix(line, "  "))
	}
	return strings.Join(lines, "\n")
}

// tableOfFlags returns a table of flags with their defaults, and "" where there are none.
func tableOfFlags(flags *pflag.FlagSet) string {
	var b strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == "version" {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		of, usage := pflag.UnquoteUsage(f)
		if of != "" {
			name += " " + of
		}
		if b.Len() == 0 {
			b.WriteString("| flag | default | meaning |\n|---|---|---|\n")
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, defaultOf(f), asCell(usage))
	})
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

// defaultOf returns a flag's default as a cell; one that says nothing is empty.
func defaultOf(f *pflag.Flag) string {
	if slices.Contains([]string{"", "false", "[]", "0", "0s"}, f.DefValue) {
		return ""
	}
	return "`" + f.DefValue + "`"
}

func settingsPart(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| setting | type | default | variable | who sets it | in a project | meaning |\n" +
		"|---|---|---|---|---|---|---|\n")
	for _, k := range settings.Keys() {
		who, project, value := "anybody", "no", ""
		if k.PersonOnly {
			who = "a person"
		}
		if k.ProjectMay {
			project = "yes"
		}
		kind, secret := settingType(t, k)
		if secret {
			who = "the environment"
		}
		if k.Default != "" {
			value = "`" + k.Default + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | `%s` | %s | %s | %s |\n",
			k.Key, kind, value, k.Env, who, project, asCell(k.Doc))
	}
	return b.String()
}

// settingType returns what a setting takes, in the words in which a wrong value is
// refused, and whether it is one that no file may have.
func settingType(t *testing.T, k settings.Known) (kind string, secret bool) {
	err := settings.Check(k.Key, "\x01")
	if err == nil {
		t.Fatalf("%s takes anything", k.Key)
	}
	switch _, want, ok := strings.Cut(err.Error(), ", want "); {
	case strings.Contains(err.Error(), k.Env+" instead"):
		return "text", true
	case ok:
		return asCell(strings.TrimPrefix(want, "a ")), false
	case settings.Check(k.Key, "plain words") != nil:
		return "address", false
	}
	return "text", false
}

func exitCodesPart(*testing.T) string {
	type row struct {
		exit            int
		kind, http, doc string
	}
	rows := []row{
		{ops.ExitOK, "", "200", "done"},
		{ops.ExitFailed, "internal", "500", "a check found a problem, or something unexpected happened"},
		{ops.ExitUsage, "", "", "the command line is wrong: a mistyped verb or flag, a missing or empty argument"},
		{130, "", "", "interrupted by Ctrl-C"},
		{143, "", "", "interrupted by SIGTERM"},
	}
	for _, s := range ops.Statuses {
		rows = append(rows, row{s.Exit, s.Name, fmt.Sprint(s.HTTP), s.Doc})
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.exit, b.exit) })
	var b strings.Builder
	b.WriteString("| exit code | kind | HTTP status | meaning |\n|---|---|---|---|\n")
	for _, r := range rows {
		kind := r.kind
		if kind != "" {
			kind = "`" + kind + "`"
		}
		fmt.Fprintf(&b, "| %d | %s | %s | %s |\n", r.exit, kind, r.http, asCell(r.doc))
	}
	return b.String()
}

// A shownTool is a tool as an agent's host is told of it.
type shownTool struct {
	Name        string
	Description string
	Annotations struct{ ReadOnlyHint bool }
	InputSchema struct {
		Properties map[string]struct {
			Type        any
			Description string
		}
		Required []string
	}
}

func toolsOf(t *testing.T, size string) []shownTool {
	file := "../mcpserver/definitions/full.json"
	if size == "core" {
		file = "../toolset/core.json"
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var tools []shownTool
	if err := json.Unmarshal(text, &tools); err != nil {
		t.Fatal(err)
	}
	return tools
}

func toolsPart(t *testing.T) string {
	core := toolsOf(t, "core")
	var b strings.Builder
	b.WriteString("| tool | listed | writes | arguments | use |\n|---|---|---|---|---|\n")
	for _, tool := range toolsOf(t, "full") {
		listed, writes := "`--tools full`", "yes"
		if slices.ContainsFunc(core, func(c shownTool) bool { return c.Name == tool.Name }) {
			listed = "always"
		}
		if tool.Annotations.ReadOnlyHint {
			writes = "no"
		}
		var arguments []string
		for name := range tool.InputSchema.Properties {
			if slices.Contains(tool.InputSchema.Required, name) {
				name = "**" + name + "**"
			}
			arguments = append(arguments, name)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n",
			tool.Name, listed, writes, memberNames(arguments), asCell(tool.Description))
	}
	return b.String()
}

// memberNames returns names as a cell, those that must be given first.
func memberNames(names []string) string {
	slices.Sort(names) // an asterisk comes before letters
	for i, name := range names {
		bare := strings.Trim(name, "*")
		names[i] = strings.Replace(name, bare, "`"+bare+"`", 1)
	}
	return strings.Join(names, ", ")
}

func operationsPart(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| operation | also | writes | request | meaning |\n|---|---|---|---|---|\n")
	for _, op := range ops.All {
		in, err := op.Request()
		if err != nil {
			t.Fatal(err)
		}
		writes := "no"
		if op.Writes {
			writes = "yes"
		}
		var names []string
		for name := range in.Properties {
			if slices.Contains(in.Required, name) {
				name = "**" + name + "**"
			}
			names = append(names, name)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n",
			op.Name, memberNames(slices.Clone(op.Aliases)), writes, memberNames(names), asCell(op.Doc))
	}
	return b.String()
}

func routesPart(t *testing.T) string {
	text, err := httpapi.Describe(httpapi.Info{})
	if err != nil {
		t.Fatal(err)
	}
	var described struct {
		Paths map[string]map[string]struct {
			Summary string
			Tags    []string
		}
	}
	if err := json.Unmarshal(text, &described); err != nil {
		t.Fatal(err)
	}
	var rows []string
	for path, methods := range described.Paths {
		for method, route := range methods {
			if slices.Contains(route.Tags, "streams") || slices.Contains(route.Tags, "server") {
				rows = append(rows, fmt.Sprintf("| `%s %s` | %s |\n", strings.ToUpper(method), path, asCell(route.Summary)))
			}
		}
	}
	slices.Sort(rows)
	return "| route | meaning |\n|---|---|\n" + strings.Join(rows, "")
}

// asMarkdown returns plain text as Markdown that reads the same.
func asMarkdown(text string) string {
	return strings.NewReplacer(`\`, `\\`, "<", `\<`, "*", `\*`, "_", `\_`, "[", `\[`, "#", `\#`, "`", "\\`").Replace(text)
}

// asCell is asMarkdown in a table.
func asCell(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(asMarkdown(text), "|", `\|`), "\n", " ")
}
