package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/engine"
)

// personFlags are those that name a person.
func (a *app) personFlags(f *pflag.FlagSet, in *api.Person) {
	f.StringVar(&in.About, "about", "", "what speaks of this person: a name, or the ID of a relationship or key")
	f.StringVar(&in.Speaker, "speaker", "", "what this person said: a name or an ID; with --about, either")
	f.StringArrayVar(&in.Names, "name", nil, "another name, address or number of the person; repeatable")
	f.StringArrayVar(&in.Also, "also", nil, "ID of a record that belongs to the list too; repeatable")
	f.StringArrayVar(&in.Keep, "keep", nil, "ID of a record to leave out; repeatable")
	f.BoolVar(&in.Unsure, "unsure", false, "with the records that may only look as if they named the person")
}

// checkPerson says in the words of the command what the engine would refuse.
func (a *app) checkPerson(in api.PurgeRequest, certificate string) error {
	switch {
	case len(in.Refs) > 0:
		return fmt.Errorf("give IDs or a person, not both; to change the list of a person: --also, --keep")
	case in.Status:
		return fmt.Errorf("--status is of IDs; name the records that were purged")
	case in.About == "" && in.Speaker == "":
		return fmt.Errorf("name the person: --about NAME, --speaker NAME, or both")
	case in.DryRun && in.List != "":
		return fmt.Errorf("--dry-run shows the list as it is now; give no --list with it")
	case certificate != "" && in.List == "":
		return fmt.Errorf("--certificate: it is of an act on a list: give --list")
	case !in.DryRun && in.List == "":
		return ran{api.Invalid("look first: add --dry-run; then --list DIGEST erases exactly what that lists")}
	}
	return nil
}

// showPerson prints what belongs to a person.
func (a *app) showPerson(l *api.PersonList, in api.Person) {
	w := a.env.Stdout
	for _, n := range l.Entities {
		fmt.Fprintf(w, "%s", a.paint(bold, whole(n.Name)))
		if n.Ref != "" {
			fmt.Fprintf(w, " %s", shortRef(n.Ref))
		}
		if n.Count > 0 {
			fmt.Fprintf(w, ": in %s", count(n.Count, "record", "records"))
		}
		if n.Shared {
			fmt.Fprint(w, " (another has this name too)")
		}
		fmt.Fprintln(w)
	}
	a.personRecords("", l.Records)
	a.personRecords("stay, and name the person", l.Stays)
	if !in.Unsure {
		a.personRecords("stay, and may only look as if they named the person (--unsure adds them)", l.Unsure)
	}
	a.personRecords("stay, and repeat six words of what would go (--also ID adds one)", l.Repeats)
	if l.RepeatsMore > 0 {
		fmt.Fprintf(w, "  … %d more\n", l.RepeatsMore)
	}
	fmt.Fprintf(w, "%s (%s), %d of which speak of others too\n", count(len(l.Records), "record", "records"),
		or(kindsWords(l.ByKind), "none"), l.Others)
	if len(l.Records) > 0 {
		fmt.Fprintf(w, "list %s\n", l.Digest)
	}
}

func (a *app) personRecords(title string, rs []api.PersonRecord) {
	w := a.env.Stdout
	if title != "" && len(rs) > 0 {
		fmt.Fprintf(w, "%s %s:\n", count(len(rs), "record", "records"), title)
	}
	for _, r := range rs {
		fmt.Fprintf(w, "  %s %s: %s", shortRef(r.Ref), cited(r.Headline), clean(r.Why))
		if len(r.Others) > 0 {
			fmt.Fprintf(w, "; also of %s", clean(strings.Join(r.Others, ", ")))
		}
		fmt.Fprintln(w)
	}
}

// showOutcome prints what an act on a list did.
func (a *app) showOutcome(r api.PurgeReply, certificate string) {
	w, o := a.env.Stdout, r.Outcome
	if o.Before {
		fmt.Fprintln(w, "this list was erased before; this is what came of it then")
	}
	n := 0
	for _, k := range o.Erased {
		n += k
	}
	fmt.Fprintf(w, "%s erased: %s\n", count(n, "record", "records"), kindsWords(o.Erased))
	fmt.Fprintf(w, "%d of %s found in tables and files, %d before\n", o.Found, count(o.Probes, "probe", "probes"),
		o.FoundBefore)
	if o.Probes == 0 {
		a.hint("nothing could be looked for: what went was too short, or is also in what stays")
	}
	for _, place := range o.FoundIn {
		fmt.Fprintf(w, "  still in %s\n", clean(place))
	}
	if o.Copies > 0 {
		fmt.Fprintf(w, "%s of interrupted commands deleted\n", count(o.Copies, "copy", "copies"))
	}
	if len(r.Remotes) > 0 {
		a.showPurgeStatus(api.PurgeReply{Remotes: r.Remotes})
	}
	fmt.Fprintln(w, "out of reach, or kept:")
	for _, u := range o.Unreached {
		fmt.Fprintf(w, "  %s", clean(u.What))
		if u.Where != "" {
			fmt.Fprintf(w, " %s", clean(u.Where))
		}
		if u.Count > 0 {
			fmt.Fprintf(w, " %d", u.Count)
		}
		fmt.Fprintf(w, ": %s\n", clean(u.Why))
	}
	if certificate != "" {
		a.hint("certificate in %s; check it with: stemma audit %s", certificate, certificate)
	}
}

// exportPerson writes a person's records, and beside them the same to read.
func (a *app) exportPerson(ctx context.Context, in api.ExportRequest, to string, force bool) error {
	text := strings.TrimSuffix(to, ".jsonl") + ".md"
	if _, err := os.Lstat(text); err == nil && !force {
		return ran{api.Invalid("export: the file %s exists; to replace it: --force", text)}
	}
	export, err := a.exporter(ctx)
	if err != nil {
		return ran{err}
	}
	var reply api.ExportReply
	err = writeFile(to, func(w io.Writer) error {
		reply, err = export(ctx, w, in)
		return err
	})
	if err != nil {
		return ran{err}
	}
	if err := a.readable(ctx, to, text); err != nil {
		return ran{err}
	}
	a.secretsInside("the file has", reply.Secrets)
	if a.flags.json {
		return a.printJSON(reply)
	}
	a.hint("%s written to %s, and to read to %s", count(reply.Records, "record", "records"), to, text)
	return nil
}

// readable writes a bundle as a text, as the audit of it reads it: who, when, and the words.
func (a *app) readable(ctx context.Context, bundle, to string) error {
	f, err := os.Open(bundle)
	if err != nil {
		return err
	}
	r, err := audit.Bundle(ctx, f, audit.Options{Lines: -1})
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return writeFile(to, func(w io.Writer) error {
		fmt.Fprintf(w, "# What is stored\n\nEvery line is signed. `stemma audit %s` checks them.\n", bundle)
		for _, l := range r.Lines {
			kind, _, _ := strings.Cut(l.Ref, ":")
			if kind == "key" || l.Words == "" {
				continue
			}
			fmt.Fprintf(w, "\n## %s of %s\n\n%s\n\n", kind, day(l.At), clean(l.Words))
			if l.Why != "" {
				fmt.Fprintf(w, "Why: %s\n\n", clean(l.Why))
			}
			fmt.Fprintf(w, "%s, by %s, %s\n", shortRef(l.Ref), or(l.Agent, or(l.Owner, l.Author)), l.Status)
		}
		return nil
	})
}

// isCertificate reports whether a file is a certificate of a purge, and returns its text.
func (a *app) isCertificate(name string) (bool, string) {
	if name == "-" {
		return false, ""
	}
	const most = 4 << 20
	if info, err := os.Stat(name); err != nil || info.Size() > most {
		return false, ""
	}
	raw, err := os.ReadFile(name)
	return err == nil && audit.IsCertificate(raw), string(raw)
}

// auditCertificate checks a certificate: against the store where there is one, or by itself.
func (a *app) auditCertificate(ctx context.Context, in api.AuditRequest) (int, error) {
	r, err := call(ctx, a, (*engine.Engine).Audit, in)
	if err != nil {
		return 0, ran{err}
	}
	if a.flags.json {
		return r.Exit, a.printJSON(r)
	}
	a.showCertificate(r.Certificate, r.Exit)
	return r.Exit, nil
}

func (a *app) showCertificate(c *api.CertificateCheck, exit int) {
	w := a.env.Stdout
	if exit == report.ExitFailed {
		fmt.Fprintln(w, clean(c.Why))
		return
	}
	n := 0
	for _, k := range c.Erased {
		n += k
	}
	fmt.Fprintf(w, "%s erased on %s: %s\n", count(n, "record", "records"), minute(c.At), kindsWords(c.Erased))
	fmt.Fprintf(w, "ordered by %s, signed; store %s, list %s\n", who(c.Signer, c.By), clean(c.Store), clean(c.List))
	p := c.Probes
	fmt.Fprintf(w, "%d of %d spans of six words and %d words found, %d before, in %d tables and %d files\n", p.Found,
		p.Spans, p.Words, p.Before, p.Tables, p.Files)
	if p.Spans+p.Words == 0 {
		fmt.Fprintln(w, "nothing could be looked for: what went was too short, or is also in what stays")
	}
	for _, r := range c.Remotes {
		fmt.Fprintf(w, "remote %s: %s", clean(r.Name), or(purgeStates[r.State], clean(r.State)))
		if r.Machines > 0 {
			fmt.Fprintf(w, "; %d of %s say that they erased it", r.Confirmed, count(r.Machines, "machine", "machines"))
		}
		fmt.Fprintln(w)
	}
	for _, p := range c.Unreached {
		fmt.Fprintf(w, "out of reach or kept: %s", clean(p.What))
		if p.Where != "" {
			fmt.Fprintf(w, " %s", clean(p.Where))
		}
		if p.Count > 0 {
			fmt.Fprintf(w, " (%d)", p.Count)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, or(clean(c.Why), "the certificate checks"))
}
