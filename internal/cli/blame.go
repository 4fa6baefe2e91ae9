package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) blameCmd() *cobra.Command {
	c := cmd("blame FILE[:LINE[-LINE]]", "Show which session wrote a line of code, and on what it rests", `Examples:
  stemma blame internal/store/open.go:42
  stemma blame internal/store/open.go:40-60
  stemma blame main.go                       each line of a file
  stemma blame --commit HEAD~2               what a commit brought in
  stemma blame --commit v1.2 main.go:7       a file as it was

Shows the commit, the session and the agent, its prompts, the memories that it had been given
and that bear on the lines, and who decided those. Needs hooks of the agent's host: stemma init.
Lines that no hook saw are "not seen by stemma": a person's, or another program's. Lines are
found by their content after amend, rebase, squash and rename`)
	var in api.BlameRequest
	c.Flags().StringVar(&in.Commit, "commit", "", "what this commit brought in; with FILE, the file as it was there")
	c.Args = cobra.MaximumNArgs(1)
	c.RunE = verb(a, (*engine.Engine).Blame, func(args []string) (api.BlameRequest, error) {
		if len(args) == 0 && in.Commit == "" {
			return in, fmt.Errorf("blame: needs FILE, FILE:LINE or --commit REV")
		}
		if len(args) > 0 {
			in.File = args[0]
		}
		return in, nil
	}, func(r api.BlameReply) error {
		a.showBlame(r)
		return nil
	})
	return c
}

func (a *app) showBlame(r api.BlameReply) {
	w := a.env.Stdout
	for _, p := range r.Parts {
		where := fmt.Sprintf("%s:%d", p.File, p.From)
		if p.To > p.From {
			where += fmt.Sprintf("-%d", p.To)
		}
		fmt.Fprintf(w, "%s  %s  %s\n", a.paint(bold, whole(where)), commitWords(p), whoWrote(p))
		if r.Lines <= mostCode {
			for _, line := range p.Text {
				fmt.Fprintf(w, "  %s %s\n", a.paint(dim, "|"), clean(strings.ReplaceAll(line, "\t", "    ")))
			}
		}
	}
	for _, s := range r.Sessions {
		if len(r.Parts) > 1 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s %s\n", a.paint(bold, sessionName(s.Host, s.Session)+":"), count(s.Lines, "line", "lines"))
		for _, p := range s.Prompts {
			fmt.Fprintf(w, "  asked %s %s %s\n", minute(p.At), a.paint(dim, shortRef(p.Ref)), cited(p.Text))
		}
		if s.MorePrompts > 0 {
			fmt.Fprintf(w, "  … %s before\n", count(s.MorePrompts, "prompt", "prompts"))
		}
		for _, g := range s.Given {
			fmt.Fprintf(w, "  given %s %s%s %s\n", a.decidedRef(g.Ref), cited(or(g.Text, g.Headline)), asideAll(g.Marks),
				a.paint(dim, "("+whole(g.Bears)+")"))
			for _, d := range g.Decisions {
				fmt.Fprintf(w, "    %s %s\n", day(d.At), a.decidedLine(d))
			}
		}
		if rest := s.GivenInAll - len(s.Given); rest > 0 {
			fmt.Fprintf(w, "  … %s that do not bear on it as much\n", count(rest, "memory given", "memories given"))
		}
	}
	for _, n := range r.Notes {
		a.hint("%s", whole(n))
	}
}

// mostCode is how many lines of code are shown.
const mostCode = 400

func commitWords(p api.BlamePart) string {
	if p.Commit == "" {
		return "not committed"
	}
	out := shortCommit(p.Commit)
	if p.At != "" {
		out += " " + day(p.At)
	}
	if p.Author != "" {
		out += " " + whole(p.Author)
	}
	if p.Summary != "" {
		out += " " + cited(p.Summary)
	}
	return out
}

func whoWrote(p api.BlamePart) string {
	switch p.Seen {
	case "no":
		return "not seen by stemma"
	case "unknown":
		return "unknown: the history of this clone ends here"
	}
	out := "written by " + sessionName(p.Host, p.Session)
	if p.Agent != "" {
		out += " (sub-agent " + whole(p.Agent) + ")"
	}
	if p.NotedBy != "" {
		out += ", as " + whole(p.NotedBy) + " signed"
	}
	return out
}

func sessionName(host, session string) string {
	return strings.TrimSpace(whole(host) + " session " + whole(session))
}

// showFollowed lists commits that followed a memory.
func (a *app) showFollowed(list []api.Followed) {
	for _, f := range list {
		fmt.Fprintf(a.env.Stdout, "  %s %s %s: %s\n", day(f.At), shortCommit(f.Commit), sessionName(f.Host, f.Session),
			whole(strings.Join(f.Files, ", ")))
	}
}

func shortCommit(commit string) string {
	const short = 9
	return commit[:min(len(commit), short)]
}
