package cli

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/memory"
)

// allow says what a host is to let its agent call without asking the person: what a flag says, or
// what was allowed before, or what the person at the terminal answers.
func (a *app) allow(place hosts.Place, host string, f hostFlags) (hosts.Allow, error) {
	wants := hosts.Allow("")
	switch {
	case f.allowReads && f.allowAll:
		return "", api.Invalid("--allow-reads and --allow-all do not go together")
	case f.allowReads:
		wants = hosts.AllowReads
	case f.allowAll:
		wants = hosts.AllowAll
	}
	can := hosts.Allows(host)
	switch {
	case wants != "" && f.remove:
		return "", api.Invalid("--remove and --allow-%s do not go together", wants)
	case wants != "" && !slices.Contains(can, wants):
		return "", api.Invalid("init %s: %s has no file in which stemma could set --allow-%s; "+
			"allow it in %[2]s itself", host, hosts.Title(host), wants)
	case wants != "" && a.origin() != memory.OriginOwner:
		return "", onlyPerson{fmt.Sprintf("--allow-%s: permission denied; only a person can use it", wants)}
	case wants != "":
		return wants, nil
	}
	before, err := place.Allowed(host)
	if err != nil || before != "" || len(can) == 0 || f.remove || f.dryRun || !a.interactive() {
		return before, err
	}
	return a.askAllow(host, can)
}

// askAllow asks the person. No answer, and any that is not among the choices, is no.
func (a *app) askAllow(host string, can []hosts.Allow) (hosts.Allow, error) {
	choices := "all tools (a)"
	if slices.Contains(can, hosts.AllowReads) {
		choices = "the tools that change nothing (r), all tools (a)"
	}
	answer, err := a.ask(bufio.NewReader(a.env.Stdin), fmt.Sprintf(
		"May %s call stemma without asking you: %s or none (n)? [n] ", hosts.Title(host), choices))
	if err != nil {
		return "", unlessQuit(err) // nothing is allowed
	}
	for _, c := range can {
		if strings.EqualFold(answer, string(c)) || strings.EqualFold(answer, string(c)[:1]) {
			return c, nil
		}
	}
	return "", nil
}

// hostNotes are what a person has to know that follows from what is there already.
func (a *app) hostNotes(place hosts.Place, host string) []string {
	var notes []string
	if can := hosts.Allows(host); place.Allow == "" && len(can) > 0 {
		notes = append(notes, fmt.Sprintf("%s asks you before it calls a tool of stemma; to change that: "+
			"stemma init %s --allow-%s", hosts.Title(host), host, can[0]))
	}
	other, where := place, "for all your projects"
	if place.Root == "" {
		other.Root, where = a.mainRoot(), "in this project"
	} else {
		other.Root = ""
	}
	if other.Root != place.Home && other.Hooked(host) {
		flag := ""
		if other.Root != "" {
			flag = " --project"
		}
		notes = append(notes, fmt.Sprintf("%s also has hooks of stemma %s, and runs both: prompts are kept twice; "+
			"to remove those: stemma init %s%s --remove", hosts.Title(host), where, host, flag))
	}
	return notes
}

// showConnected ends 'init HOST': what was added, what is captured, where it is kept, how to pause
// and how to remove it.
func (a *app) showConnected(r hostReply) {
	var what []string
	for _, f := range r.Files {
		what = append(what, f.What)
	}
	scope, flag := "for all your projects", ""
	if r.Scope == "project" {
		scope, flag = "for this project only", " --project"
	}
	pause := "stemma hook pause 2h --user"
	if flag != "" {
		pause = "stemma hook pause 2h"
	}
	fmt.Fprintf(a.env.Stdout, `added     %s, %s; restart %s to load them
captured  prompts, tool calls and their results, answers; not what looks like a secret
projects  each git repository is remembered apart; what is about you is known in all
kept in   %s
to pause  %s
to remove stemma init %s%s --remove
`, strings.Join(what, ", "), scope, hosts.Title(r.Host), clean(r.Store), pause, r.Host, flag)
}
