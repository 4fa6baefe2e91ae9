package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the binary prints today into the pages and the recording")

// step is one command of a page, with the output that the page shows for it.
type step struct {
	command string
	want    []string
}

// A ref or an id is bound to the real one when the page shows it first, and means that one from then on.
var (
	refs   = regexp.MustCompile(`\b[0-9a-f]{8,64}\b…?`)
	wholes = regexp.MustCompile(`\b([0-9a-f]{8})[0-9a-f]{56}\b`)
	dids   = regexp.MustCompile(`(did:key:z6Mk|SHA256:)[0-9A-Za-z+/]*…?`)
	seals  = regexp.MustCompile(`(stemma-invitation-)[0-9A-Za-z_-]*…?`)
	// took is how long something took.
	took    = regexp.MustCompile(`\b\d+(\.\d+)?(ms|s)\b`)
	days    = regexp.MustCompile(`20\d\d-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?Z?)?)?`)
	tokens  = regexp.MustCompile(`\b\d+ of (\d+ tokens)`)
	colours = regexp.MustCompile("\x1b\\[[0-9;]*m")
	// progress is what a line showed before it was written over.
	progress = regexp.MustCompile("[^\n]*(\r|\x1b\\[K)")
)

// steps returns the commands in the console blocks of a page. A command begins with "$ " and goes on after a
// backslash at the end of its line; the lines below it are its output, where "…" is any number of lines.
func steps(t *testing.T, page string) []step {
	t.Helper()
	var out []step
	for _, block := range consoles(page) {
		more := false
		for line := range strings.Lines(block) {
			line = strings.TrimRight(line, "\n")
			command, begins := strings.CutPrefix(line, "$ ")
			switch {
			case begins:
				out = append(out, step{command: command})
			case len(out) == 0:
				t.Fatalf("%q comes before any command", line)
			case more:
				out[len(out)-1].command += "\n" + line
			default:
				out[len(out)-1].want = append(out[len(out)-1].want, line)
				continue
			}
			more = strings.HasSuffix(line, `\`)
		}
	}
	return out
}

// consoles returns the bodies of a page's console blocks.
func consoles(page string) []string {
	parts := strings.Split(page, "```console\n")[1:]
	for i, p := range parts {
		parts[i], _, _ = strings.Cut(p, "```")
	}
	return parts
}

// reader is a person who follows a page at a terminal, in an empty home.
type reader struct {
	t     *testing.T
	home  string
	state string            // shell code that leads back to where the last command ended
	bound map[string]string // ids on the page to the real ones
	color bool
	loose bool // a command with no output on the page may print anything
}

func newReader(t *testing.T) *reader {
	t.Helper()
	if _, err := exec.LookPath("script"); err != nil {
		t.Fatal("these tests need script(1) for a terminal: ", err)
	}
	home := filepath.Join(t.TempDir(), "ada")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(filepath.Dir(home), "state")
	if err := os.WriteFile(state, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return &reader{t: t, home: home, state: state, bound: make(map[string]string)}
}

// run runs a command as the page has it and returns what the terminal showed, in the page's terms.
func (r *reader) run(command string) (string, error) {
	r.t.Helper()
	line := fmt.Sprintf(". %[1]s; stty -onlcr -echo cols 120; %s\ncode=$?; "+
		`(export -p; echo "cd \"$PWD\"") >%[1]s; exit $code`, r.state, r.real(command))
	cmd := exec.Command("script", "-qec", line, os.DevNull)
	cmd.Dir = r.home
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + r.home, "SHELL=/bin/bash", "TERM=xterm", "TZ=UTC",
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GORACE=" + os.Getenv("GORACE"),
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org",
	}
	if !r.color {
		cmd.Env = append(cmd.Env, "NO_COLOR=1")
	}
	out, err := cmd.Output()
	text := progress.ReplaceAllString(strings.ReplaceAll(string(out), "\r\n", "\n"), "")
	return strings.ReplaceAll(text, r.home, "/home/ada"), err
}

// real returns a command of the page with the ids that this run has.
func (r *reader) real(command string) string {
	command = strings.ReplaceAll(command, "/home/ada", r.home)
	for id, now := range r.bound {
		command = regexp.MustCompile(`\b`+id+`\b`).ReplaceAllString(command, now)
	}
	return command
}

// follow runs one step and compares. It returns the output that a page could show.
func (r *reader) follow(s step) string {
	r.t.Helper()
	out, err := r.run(s.command)
	plain := colours.ReplaceAllString(out, "")
	matched := len(s.want) == 0 && r.loose || r.match(s.want, strings.Split(strings.TrimRight(plain, "\n"), "\n"))
	switch {
	case err != nil && len(s.want) == 0:
		r.t.Errorf("$ %s\n%v\n%s", s.command, err, plain)
	case !matched && !*update:
		r.t.Errorf("$ %s\nprints\n%s\nthe page has\n%s", s.command, plain, strings.Join(s.want, "\n"))
	}
	if matched {
		return strings.Join(s.want, "\n")
	}
	return r.shown(strings.Join(r.today(s.want, strings.Split(strings.TrimRight(plain, "\n"), "\n")), "\n"))
}

// today returns what a page should show in place of want: the real lines, without those that "…" leaves out.
func (r *reader) today(want, got []string) []string {
	var out []string
	cut := false
	for _, w := range want {
		if w == "…" {
			cut = true
			continue
		}
		at := nearest(w, got)
		if at < 0 {
			continue
		}
		if cut && at > 0 {
			out = append(out, "…")
		} else if !cut {
			out = append(out, got[:at]...)
		}
		now := got[at]
		r.bind(w, now)
		if r.same(w, now) {
			now = w
		}
		out, got, cut = append(out, now), got[at+1:], false
	}
	if cut {
		return append(out, "…")
	}
	return append(out, got...)
}

// nearest returns the line that shares most words with one of the page, or -1.
func nearest(line string, among []string) int {
	best, at := 0, -1
	for i, other := range among {
		shared := 0
		for _, word := range strings.Fields(general(line)) {
			if strings.Contains(general(other), word) {
				shared++
			}
		}
		if shared > best {
			best, at = shared, i
		}
	}
	return at
}

// match compares the page's lines with the real ones, and binds the ids which the page shows first.
func (r *reader) match(want, got []string) bool {
	for i, w := range want {
		if w == "…" {
			for skip := 0; skip <= len(got); skip++ {
				if r.match(want[i+1:], got[skip:]) {
					return true
				}
			}
			return false
		}
		if len(got) == 0 || !r.same(w, got[0]) {
			return false
		}
		got = got[1:]
	}
	return len(got) == 0 || len(got) == 1 && got[0] == ""
}

// same compares one line, of which " …" leaves out the end. Ids must be those that the page's ids are bound to; days
// and tokens may differ.
func (r *reader) same(want, got string) bool {
	start, cut := strings.CutSuffix(want, " …")
	wants, gots := refs.FindAllString(start, -1), refs.FindAllString(got, -1)
	expected, printed := general(start), general(got)
	if cut {
		gots = gots[:min(len(gots), len(wants))]
		printed = printed[:min(len(printed), len(expected))]
	}
	return len(wants) == len(gots) && expected == printed && r.bind(start, got)
}

// bind notes which real ids the ids of a page's line mean. It reports whether they mean these.
func (r *reader) bind(want, got string) bool {
	gots := refs.FindAllString(got, -1)
	for i, w := range refs.FindAllString(want, -1) {
		if i >= len(gots) {
			return false
		}
		short, cut := strings.CutSuffix(w, "…")
		id := strings.TrimSuffix(gots[i], "…")
		bound, ok := r.bound[short]
		switch {
		case !cut && len(w) != len(id):
			return false
		case !ok:
			r.bound[short] = id[:min(len(short), len(id))]
		case bound != id[:min(len(bound), len(id))]:
			return false
		}
	}
	return true
}

// general replaces what differs between two runs.
func general(line string) string {
	line = refs.ReplaceAllString(line, "REF")
	line = dids.ReplaceAllString(line, "${1}KEY")
	line = seals.ReplaceAllString(line, "${1}CODE")
	line = took.ReplaceAllString(line, "TIME")
	line = tokens.ReplaceAllString(line, "N of $1")
	return strings.TrimRight(days.ReplaceAllString(line, "DAY"), " ")
}

// shown returns output as a page shows it, with the page's ids where it has them.
func (r *reader) shown(out string) string {
	out = wholes.ReplaceAllString(out, "$1…")
	for id, now := range r.bound {
		out = strings.ReplaceAll(out, now, id)
	}
	return strings.TrimRight(out, "\n")
}

// followPage follows all of a page. Unless it is loose, a command with no output on the page must print nothing.
// With -update it writes what was printed into the page.
func followPage(t *testing.T, name string, loose bool) int {
	t.Helper()
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	all := steps(t, string(page))
	r := newReader(t)
	r.loose = loose
	text := page
	for _, s := range all {
		was := strings.TrimRight(s.command+"\n"+strings.Join(s.want, "\n"), "\n")
		now := strings.TrimRight(s.command+"\n"+r.follow(s), "\n")
		if *update && (len(s.want) > 0 || !loose) && now != was {
			text = bytes.Replace(text, []byte("$ "+was+"\n"), []byte("$ "+now+"\n"), 1)
		}
	}
	if *update && !bytes.Equal(text, page) {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return len(all)
}
