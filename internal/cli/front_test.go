package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/ops"
)

// said is what a command line answered.
type said struct {
	code     int
	out, err string
}

// saying runs a command line of an agent in a home.
func saying(t *testing.T, home string, args ...string) said {
	t.Helper()
	var out, errOut bytes.Buffer
	code := Run(t.Context(), args, Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errOut, Dir: home,
		Getenv: inHome(home)})
	return said{code, out.String(), errOut.String()}
}

// The help's first screen shows sixteen verbs, in 40 lines of 80 columns.
func TestFrontPageFitsAScreen(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"help"}, {}, {"-h"}} {
		r := saying(t, t.TempDir(), args...)
		lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
		if r.code != 0 || len(lines) > 40 {
			t.Errorf("%q: exit code %d, %d lines, want at most 40", args, r.code, len(lines))
		}
		for _, l := range lines {
			if n := utf8.RuneCountInString(l); n > 80 {
				t.Errorf("%q: %d columns, want at most 80: %s", args, n, l)
			}
		}
		for _, verb := range frontVerbs {
			if !strings.Contains(r.out, "\n  "+verb+" ") {
				t.Errorf("%q: does not show %s", args, verb)
			}
		}
	}
	if len(frontVerbs) != 16 {
		t.Errorf("%d verbs on the first screen, want 16", len(frontVerbs))
	}
}

// Every verb that is not another name is found by its subject, in a line that fits.
func TestHelpListsEveryVerbBySubject(t *testing.T) {
	home := t.TempDir()
	all := saying(t, home, "help", "--all").out
	for _, v := range (&app{}).verbs() {
		page := saying(t, home, "help", v.subject).out
		listed := "\n  " + v.name + " "
		if strings.Contains(page, listed) != (v.same == "") || strings.Contains(all, listed) != (v.same == "") {
			t.Errorf("%s: listed under %s: %v, in --all: %v, the same as %q", v.name, v.subject,
				strings.Contains(page, listed), strings.Contains(all, listed), v.same)
		}
	}
	verbs, _, _ := strings.Cut(all, "Flags of every verb")
	for l := range strings.Lines(verbs) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(l, "\n")); n > 80 {
			t.Errorf("%d columns, want at most 80: %s", n, l)
		}
	}
	if page := saying(t, home, "help", "exit-codes").out; !strings.Contains(page, "64 ") {
		t.Errorf("help exit-codes: %s", page)
	}
}

// A verb that another one does too, and the flag that does it, answer the same to the byte.
func TestOtherNamesAnswerTheSame(t *testing.T) {
	home := t.TempDir()
	ref := func(args ...string) string {
		t.Helper()
		r := saying(t, home, args...)
		if r.code != 0 {
			t.Fatalf("%q: %+v", args, r)
		}
		return strings.TrimSpace(r.out)
	}
	raw := ref("capture", "the cache grows without bound")
	episode := ref("promote", raw, "-m", "Watched the cache")
	belief := ref("consolidate", episode, "-m", "The cache needs a bound")
	other := ref("belief", "The cache needs no bound", "--from", raw)
	ref("process") // the second time there is nothing to process
	for _, tt := range []struct{ old, now string }{
		{"sources " + belief, "trace --sources " + belief}, {"derived " + raw, "trace --direct " + raw},
		{"raw-sources " + belief, "trace --leaves " + belief}, {"from-raw " + raw, "trace --forward " + raw},
		{"provenance " + belief, "trace --record " + belief}, {"evidence " + belief, "why --evidence " + belief},
		{"trust " + belief, "why --trust " + belief}, {"load", "context"},
		{"load --level minimal -v", "context -v --level minimal"},
		{"load --budget 700 --format markdown", "context --budget 700 --format markdown"},
		{"suggestions", "review --suggestions"},
		{"suggestions --kind belief --limit 1", "review --suggestions --kind belief --limit 1"},
		{"conflicts", "review --conflicts"}, {"conflicts --all --limit 3", "review --conflicts --limit 3 --all"},
		{"suggestions show " + other, "review show " + other}, {"suggestions accept " + other, "review accept " + other},
		{"suggestions reject link:00000000", "review reject link:00000000"},
		{"suggestions edit " + other, "review edit " + other},
		{"process", "jobs process"}, {"stats", "status --counts"}, {"raw list", "capture list"},
		{"raw show " + raw, "capture show " + raw}, {"raw", "capture"},
		{"explain " + belief, "why " + belief},
		{"sources nosuch", "trace --sources nosuch"}, {"evidence " + raw, "why --evidence " + raw},
	} {
		for _, more := range []string{"", " --json"} {
			if strings.Contains(more, "json") && strings.Contains(tt.old, "--format") {
				continue
			}
			was := saying(t, home, strings.Fields(tt.old+more)...)
			is := saying(t, home, strings.Fields(tt.now+more)...)
			was.err, _, _ = strings.Cut(was.err, "\nexamples: ") // each names itself
			is.err, _, _ = strings.Cut(is.err, "\nexamples: ")
			if tt.old == "raw" {
				is.err = strings.ReplaceAll(is.err, "capture: ", "raw: ")
			}
			if was != is {
				t.Errorf("stemma %s%s gives\n%+v\nstemma %s%s gives\n%+v", tt.old, more, was, tt.now, more, is)
			}
		}
	}
}

// A view refuses the flags that it would not look at.
func TestViewsRefuseOtherFlags(t *testing.T) {
	home := t.TempDir()
	for _, text := range []string{
		"trace --sources --depth 3 3f9a81c0", "trace --sources --leaves 3f9a81c0", "explain --evidence --trust 3f9a81c0",
		"review --conflicts --kind belief", "review --conflicts --list", "context --uncommitted",
		"context words -v",
	} {
		if r := saying(t, home, strings.Fields(text)...); r.code != ops.ExitUsage {
			t.Errorf("%s: %+v, want exit code 64", text, r)
		}
	}
}

// A flag that has a closed list of values names a flag that there is, of a verb that there is.
func TestValuesAreOfFlagsThatThereAre(t *testing.T) {
	root := (&app{env: Env{Getenv: func(string) string { return "" }}}).root(nil)
	for name, v := range flagValues() {
		path, flag, _ := strings.Cut(name, "--")
		c, rest, err := root.Find(strings.Fields(path))
		if err != nil || len(rest) > 0 || c.Flags().Lookup(flag) == nil && c.PersistentFlags().Lookup(flag) == nil ||
			len(v.list) < 2 {
			t.Errorf("%s: there is no such flag (%v), or it has %d values", name, err, len(v.list))
		}
	}
	for path, w := range wordValues {
		if c, rest, err := root.Find(strings.Fields(path)); err != nil || len(rest) > 0 || len(w.list()) == 0 {
			t.Errorf("%s: there is no such verb: %v, %v", path, c, err)
		}
	}
}

// The shell is offered what flags and arguments take.
func TestCompletion(t *testing.T) {
	home := t.TempDir()
	for _, tt := range []struct {
		line, want string
	}{
		{"context --level ", "deep"}, {"search --kind ", "belief"}, {"list ", "episode"}, {"goal status 3f9a ", "paused"},
		{"config set pack", "pack.budget"}, {"help lin", "lineage"}, {"help tra", "trace"}, {"trace --di", "--direction"},
		{"hub ", "join"}, {"revi", "review"}, {"remote invite --role ", "reader"},
		{"trace --format ", "in-toto"}, {"list --color ", "never"}, {"import --format ", "markdown"},
	} {
		words := strings.Fields(tt.line)
		if strings.HasSuffix(tt.line, " ") {
			words = append(words, "")
		}
		r := saying(t, home, append([]string{"__complete"}, words...)...)
		var offered []string
		for l := range strings.Lines(r.out) {
			word, _, _ := strings.Cut(strings.TrimSpace(l), "\t")
			offered = append(offered, word)
		}
		if !slices.Contains(offered, tt.want) {
			t.Errorf("%q: %q, want %q among them", tt.line, offered, tt.want)
		}
	}
}

// Too few or too many arguments are said in a sentence; any other error is left as it is.
func TestArgumentsAreSaid(t *testing.T) {
	for in, want := range map[string]string{
		"accepts 1 arg(s), received 3":                        "needs 1 argument, got 3",
		"accepts at most 2 arg(s), received 3":                "takes at most 2 arguments, got 3",
		"requires at least 1 arg(s), only received 0":         "needs at least 1 argument, got 0",
		"unknown command \"x\" for \"stemma\"":                "",
		"accepts between 1 and 2 arg(s), received 3 of them?": "",
	} {
		if got := arguments(in); got != want {
			t.Errorf("arguments(%q) = %q, want %q", in, got, want)
		}
	}
}
