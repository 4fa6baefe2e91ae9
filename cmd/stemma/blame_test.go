package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var blameHosts = []string{
	"claude-code", "claude-code", "codex", "gemini", "qwen", "opencode", "cursor", "vscode", "claude-code", "codex",
}

// pick returns a file that there is.
func (r *codeRepo) pick() string {
	var all []string
	for _, f := range slices.Sorted(mapsKeys(r.files)) {
		if len(r.files[f]) > 0 {
			all = append(all, f)
		}
	}
	return all[r.rnd.IntN(len(all))]
}

// turn has somebody, a session or a person, write in a file.
func (r *codeRepo) turn(who, file string) {
	r.Helper()
	do := func(from, to int, lines []codeLine) {
		if who == "" {
			r.put(file, from, to, lines)
		} else {
			r.edit(who, file, from, to, lines)
		}
	}
	lines := r.files[file]
	if lines == nil {
		head := []codeLine{{"package " + strings.TrimSuffix(filepath.Base(file), ".go"), who}, {"", who}}
		do(0, 0, slices.Concat(head, r.function(who), r.function(who)))
		return
	}
	// where a function may stand: behind a blank line
	var ends []int
	for i, l := range lines {
		if l.text == "" {
			ends = append(ends, i+1)
		}
	}
	at := len(lines)
	if len(ends) > 0 {
		at = ends[r.rnd.IntN(len(ends))]
	}
	switch r.rnd.IntN(4) {
	case 0: // a line within somebody's function
		for i := at; i < len(lines); i++ {
			if strings.HasPrefix(lines[i].text, "\treturn") {
				r.n++
				do(i, i, []codeLine{{fmt.Sprintf("\taudit(ctx, %d, id)", r.n), who}})
				return
			}
		}
		do(at, at, r.function(who))
	case 1: // a line becomes another
		for i := at; i < len(lines); i++ {
			if strings.Contains(lines[i].text, "+= i") || strings.Contains(lines[i].text, "log.Printf") {
				r.n++
				do(i, i+1, []codeLine{{fmt.Sprintf("\t\tmetrics.Add(%q, %d)", "k", r.n), who}})
				return
			}
		}
		do(at, at, r.function(who))
	default:
		do(at, at, r.function(who))
	}
}

// format does what a formatter does: other indentation, and long calls over several lines.
func (r *codeRepo) format(file string) {
	var out []codeLine
	for _, l := range r.files[file] {
		text := strings.ReplaceAll(l.text, "\t", "    ")
		if head, rest, ok := strings.Cut(text, "(ctx, id, "); ok && strings.HasSuffix(rest, ")") {
			out = append(out, codeLine{head + "(", l.by}, codeLine{"        ctx,", l.by}, codeLine{"        id,", l.by},
				codeLine{"        " + strings.TrimSuffix(rest, ")") + ",", l.by}, codeLine{"    )", l.by})
			continue
		}
		out = append(out, codeLine{text, l.by})
	}
	r.files[file] = out
	r.save(file)
}

// work makes so many commits of so many sessions and a person.
func (r *codeRepo) work(commits, sessions, files int) {
	r.Helper()
	var all []string
	for i := range sessions {
		s := fmt.Sprintf("%s/session-%02d", blameHosts[i%len(blameHosts)], i)
		all = append(all, s)
		r.prompt(s, fmt.Sprintf("please work on part %d", i))
	}
	who := func() string { return all[r.rnd.IntN(len(all))] }
	file := func() string {
		if len(r.files) < files && (len(r.files) < 5 || r.rnd.IntN(2) == 0) {
			return fmt.Sprintf("pkg%d/file%d.go", len(r.files)%7, len(r.files))
		}
		return r.pick()
	}
	for c := 0; r.commits() < commits; c++ {
		words := fmt.Sprintf("change %d", c)
		switch kind := r.rnd.IntN(20); {
		case c < 5 || kind < 8: // one session
			r.turn(who(), file())
			r.commit(words)
		case kind < 11: // a person
			r.turn("", file())
			r.commit(words)
		case kind < 14: // both in one file and one commit
			f := file()
			r.turn(who(), f)
			r.turn("", f)
			if r.rnd.IntN(2) == 0 {
				r.turn(who(), f)
			}
			r.commit(words)
		case kind < 15: // amend
			f := file()
			r.turn(who(), f)
			r.commit(words)
			r.turn([]string{"", who()}[r.rnd.IntN(2)], f)
			r.git("add", "-A")
			r.git("commit", "-q", "--amend", "-m", words+", better")
		case kind < 16: // squash
			r.git("checkout", "-q", "-b", "side")
			for k := range 3 {
				r.turn([]string{"", who(), who()}[k], file())
				r.commit(fmt.Sprintf("%s, step %d", words, k))
			}
			r.git("checkout", "-q", "main")
			r.git("merge", "-q", "--squash", "side")
			r.commit(words + ", squashed")
			r.git("branch", "-q", "-D", "side")
		case kind < 17: // rebase
			r.rebase(who, words)
		case kind < 18: // rename
			old := r.pick()
			now := filepath.ToSlash(filepath.Join("moved", fmt.Sprintf("r%d_%s", c, filepath.Base(old))))
			if err := os.MkdirAll(filepath.Join(r.dir, "moved"), 0o700); err != nil {
				r.Fatal(err)
			}
			r.git("mv", old, now)
			r.files[now] = r.files[old]
			delete(r.files, old)
			if r.rnd.IntN(2) == 0 {
				r.turn(who(), now)
			}
			r.commit(words + ", renamed")
		case kind < 19: // a formatter
			r.format(r.pick())
			r.commit(words + ", formatted")
		default: // a merge
			r.git("checkout", "-q", "-b", "side")
			r.turn(who(), file())
			r.commit(words + ", on a branch")
			r.git("checkout", "-q", "main")
			r.git("merge", "-q", "--no-ff", "-m", words+", merged", "side")
			r.git("branch", "-q", "-D", "side")
		}
	}
}

func (r *codeRepo) commits() int {
	out, err := r.command("", "git", "rev-list", "--count", "HEAD")
	if err != nil {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSpace(out))
	if err != nil {
		r.Fatal(err)
	}
	return n
}

// rebase has a branch written while main goes on in other files.
func (r *codeRepo) rebase(who func() string, words string) {
	f, g := r.pick(), r.pick()
	for range 10 {
		if g == f {
			g = r.pick()
		}
	}
	if f == g {
		return
	}
	base := r.files[f]
	r.git("checkout", "-q", "-b", "side")
	r.turn(who(), f)
	r.commit(words + ", one")
	r.turn(who(), f)
	r.commit(words + ", two")
	mine := r.files[f]
	r.git("checkout", "-q", "main")
	r.files[f] = base
	r.turn([]string{"", who()}[r.rnd.IntN(2)], g)
	r.commit(words + ", meanwhile")
	r.git("checkout", "-q", "side")
	r.git("rebase", "-q", "main")
	r.git("checkout", "-q", "main")
	r.git("merge", "-q", "--ff-only", "side")
	r.git("branch", "-q", "-D", "side")
	r.files[f] = mine
}

// Blame names the session that wrote a line, whatever became of the commit since, and no session for what a person
// wrote: with the git hook and without it. With STEMMA_LONG it is 200 commits of 30 sessions in 60 files.
func TestBlameNamesTheSession(t *testing.T) {
	commits, sessions, files := 25, 8, 12
	if os.Getenv("STEMMA_LONG") != "" {
		commits, sessions, files = 200, 30, 60
	}
	for _, hooked := range []bool{true, false} {
		t.Run(fmt.Sprintf("hook=%v", hooked), func(t *testing.T) {
			r := newCodeRepo(t, 7)
			if hooked {
				r.stemma("", "hook", "install", "git")
			}
			r.work(commits, sessions, files)
			got := r.judge()
			t.Logf("%d commits: %s", r.commits(), got)
			if got.falsely > 0 || float64(got.right) < .95*float64(got.agent) || got.agent < 100 || got.person < 30 {
				t.Errorf("want 0.95 of the agents' lines right, and all of the person's not seen: %s", got)
			}
			f := r.pick()
			best := time.Hour
			for range 5 {
				start := time.Now()
				r.stemma("", "blame", fmt.Sprintf("%s:%d", f, 1+rand.IntN(len(r.files[f]))))
				best = min(best, time.Since(start))
			}
			t.Logf("blame FILE:LINE takes %v", best)
		})
	}
}
