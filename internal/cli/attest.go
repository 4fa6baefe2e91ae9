package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) attestCmd() *cobra.Command {
	c := cmd("attest RANGE", "Sign which memories the agents of a change were given", `Examples:
  stemma attest main..HEAD -o change.att     sign it; check it with: stemma audit change.att
  stemma attest HEAD                         one commit, to standard output
  stemma attest main..HEAD --comment         Markdown for a pull request, and no file
  stemma attest main..HEAD --unsigned        show the statement; an agent may

An in-toto statement in a DSSE envelope, signed by your key: which session wrote which lines of
each commit, the memories it was given, where those come from, how they were trusted, who decided
them, and what was withheld. It has IDs and keys; --words adds words and names. At most 5,000
commits`)
	var in api.AttestRequest
	f := c.Flags()
	f.BoolVar(&in.Words, "words", false, "also what memories and prompts say, and people's names")
	f.BoolVar(&in.Unsigned, "unsigned", false, "only show the statement, without a signature")
	f.BoolVar(&in.Comment, "comment", false, "show it as Markdown for a comment on a pull request")
	to := f.StringP("out", "o", "", "file to write (default: standard output)")
	force := f.Bool("force", false, "replace the file")
	c.Args = cobra.ExactArgs(1)
	attest := func(ctx context.Context, in api.AttestRequest) (api.AttestReply, error) {
		if _, err := os.Lstat(*to); *to != "" && err == nil && !*force {
			return api.AttestReply{}, api.Invalid("attest: the file %s exists; to replace it: --force", *to)
		}
		r, err := call(ctx, a, (*engine.Engine).Attest, in)
		if err == nil && *to != "" {
			err = writeFile(*to, func(w io.Writer) error {
				_, err := io.WriteString(w, r.Envelope)
				return err
			})
		}
		return r, err
	}
	c.RunE = verbAs(a, attest, func(args []string) (api.AttestRequest, error) {
		if in.Range = args[0]; *to != "" && in.Unsigned {
			return in, fmt.Errorf("--out: without a signature there is no file to check; leave out --unsigned")
		}
		return in, nil
	}, func(r api.AttestReply) error {
		switch {
		case in.Comment:
			fmt.Fprint(a.env.Stdout, r.Comment)
		case *to == "" && r.Envelope != "":
			fmt.Fprint(a.env.Stdout, r.Envelope)
		case r.Envelope == "":
			return a.printJSON(r.Change)
		}
		a.hint("%s", changeLine(&r.Change))
		if *to != "" {
			a.hint("written to %s; check it with: stemma audit %s", *to, *to)
		}
		return nil
	})
	return c
}

// changeLine says in one line what an attestation is of.
func changeLine(p *report.AttestedChange) string {
	return fmt.Sprintf("%s: %s, %d by %s of agents, %d not seen by stemma; %s given", count(len(p.Commits), "commit",
		"commits"), count(p.Lines, "line", "lines"), p.Seen, count(len(p.Sessions), "session", "sessions"), p.NotSeen,
		count(len(p.Memories), "memory", "memories"))
}

// isAttestation reports whether a file is an in-toto statement, and returns its text.
func (a *app) isAttestation(name string) (bool, string) {
	if name == "-" {
		return false, ""
	}
	if info, err := os.Stat(name); err != nil || info.Size() > audit.MaxAttestation {
		return false, ""
	}
	raw, err := os.ReadFile(name)
	return err == nil && audit.IsAttestation(raw), string(raw)
}

// auditAttestation checks an attestation: by itself, against the repository and the store where there are any.
func (a *app) auditAttestation(ctx context.Context, in api.AuditRequest) (int, error) {
	r, err := call(ctx, a, (*engine.Engine).Audit, in)
	if err != nil {
		return 0, ran{err}
	}
	switch {
	case a.flags.json:
		return r.Exit, a.printJSON(r)
	case in.Comment && r.Exit != report.ExitFailed:
		fmt.Fprint(a.env.Stdout, r.Attestation.Comment)
	default:
		a.showAttestation(r.Attestation, r.Exit)
	}
	return r.Exit, nil
}

func (a *app) showAttestation(c *api.AttestationCheck, exit int) {
	w := a.env.Stdout
	if exit == report.ExitFailed {
		fmt.Fprintln(w, clean(c.Why))
		return
	}
	p := &c.Change
	fmt.Fprintln(w, changeLine(p))
	fmt.Fprintf(w, "signed on %s by %s\n", minute(p.At), who(c.Signer, p.By))
	if c.Commits > 0 {
		fmt.Fprintf(w, "%s in this repository as it says\n", count(c.Commits, "commit is", "commits are"))
	}
	if c.Held > 0 {
		fmt.Fprintf(w, "%s in this store as it says\n", count(c.Held, "memory is", "memories are"))
	}
	for _, s := range p.Sessions {
		fmt.Fprintf(w, "%s %s, %s given, %s\n", a.paint(bold, sessionName(s.Host, s.Session)+":"), count(s.Lines, "line",
			"lines"), count(len(s.Given), "memory", "memories"), withheldWords(&s))
	}
	for _, text := range p.NotKnown {
		fmt.Fprintf(w, "not known: %s\n", clean(text))
	}
	if c.Why != "" {
		fmt.Fprintln(w, clean(c.Why))
	}
	if c.Checks {
		fmt.Fprintln(w, "the attestation checks")
	}
}

// withheldWords says how many entries a session was not given.
func withheldWords(s *report.AttestedSession) string {
	n := 0
	for _, h := range s.Withheld {
		n += max(h.Count, 1)
	}
	if s.Unknown != "" {
		return fmt.Sprintf("%d withheld that are known (%s)", n, clean(s.Unknown))
	}
	return fmt.Sprintf("%d withheld", n)
}
