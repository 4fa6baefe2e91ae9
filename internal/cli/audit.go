package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/shorten"
)

func (a *app) auditCmd() *cobra.Command {
	c := cmd("audit [REF | FILE]", "Check signatures, keys and logs independently", `Examples:
  stemma audit                                 every record of the store
  stemma audit belief:a04e                     one record and its sources
  stemma audit bundle.jsonl                    a file; needs no store and no network
  stemma audit --checkpoint held.txt           compare with a checkpoint kept elsewhere
  stemma export belief:a04e --proofs | stemma audit -
  stemma audit ada.cert                        a certificate of a purge
  stemma audit change.att --of main..HEAD      an attestation of a change
  stemma recall "where are orders kept" --json --proofs > pack.json
  stemma audit pack.json --answer answer.md    which sentences quote which memories

For a file, compare the owners' keys that it prints with keys you know. --answer finds
words that are quoted; what a sentence means it cannot judge.
Exit code 0: all checks passed. 1: a check failed. 2: some checks could not run`)
	var in api.AuditRequest
	f := c.Flags()
	all := f.Bool("all", false, "audit every record of the store (the default)")
	held := f.StringArray("checkpoint", nil, "checkpoint file that was kept elsewhere; repeatable")
	f.BoolVar(&in.Since, "since", false, "verify only what came after the last clean audit of the store")
	f.IntVar(&in.Limit, "limit", 0, "maximum number of bad records to name (default 20)")
	f.StringVar(&in.List, "list", "", "of a certificate: the digest of the list that it should be of")
	f.StringVar(&in.Signer, "signer", "", "of an attestation: the did:key or fingerprint that must have signed it")
	f.StringVar(&in.Of, "of", "", "of an attestation: the git range that it must be of")
	f.BoolVar(&in.Comment, "comment", false, "of an attestation: show it as Markdown for a pull request")
	answer := f.String("answer", "", "text of which to say what each sentence quotes; FILE is a pack")
	lines := f.Int("lines", 1000,
		"maximum number of records to show with their words; -1 for all; without it none of a whole store")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if in.Since && len(args) > 0 {
			return fmt.Errorf("--since is of the whole store; do not name a record or file with it")
		}
		if *all && len(args) > 0 {
			return fmt.Errorf("--all audits the whole store; do not name a record or file with it")
		}
		var err error
		if in.Checkpoints, err = a.readAll(*held); err != nil {
			return ran{err}
		}
		if *lines < -1 {
			return ran{api.Invalid("--lines: must be a number of records, or -1 for all, got %d", *lines)}
		}
		if len(args) > 0 || f.Changed("lines") {
			in.Lines = *lines
		}
		exit := 0
		if len(args) == 1 && !a.isFile(args[0]) && strings.ContainsAny(args[0], `./\`) {
			return ran{api.Invalid("no file %s, and it is not a record ID", shorten.To(args[0], 200))}
		}
		if *answer != "" && (len(args) == 0 || !a.isFile(args[0])) {
			return fmt.Errorf("--answer: name the pack too; 'stemma recall QUESTION --json --proofs' makes one")
		}
		if len(args) == 1 && a.isFile(args[0]) {
			is, text := a.isCertificate(args[0])
			attested, statement := a.isAttestation(args[0])
			switch {
			case *answer == "" && is:
				in.Certificate = text
				exit, err = a.auditCertificate(cmd.Context(), in)
			case *answer == "" && attested:
				in.Attestation, in.Lines = statement, 0
				exit, err = a.auditAttestation(cmd.Context(), in)
			case in.Signer != "" || in.Of != "" || in.Comment:
				return ran{api.Invalid("%s is no attestation; 'stemma attest RANGE' makes one", shorten.To(args[0], 200))}
			case *answer != "" || a.isPack(args[0]):
				exit, err = a.auditPack(cmd.Context(), args[0], *answer, in)
			default:
				exit, err = a.auditFile(cmd.Context(), args[0], in)
			}
		} else {
			do := func(ctx context.Context, in api.AuditRequest) (api.AuditReply, error) {
				tight()
				bar := a.elapsed("verifying records and signatures")
				defer bar.end()
				r, err := call(ctx, a, (*engine.Engine).Audit, in)
				exit = r.Exit
				return r, err
			}
			err = verbAs(a, do, func(args []string) (api.AuditRequest, error) {
				if len(args) == 0 {
					return in, nil
				}
				var err error
				in.Ref, err = oneRef(args)
				return in, err
			}, a.showAudit)(cmd, args)
		}
		if err == nil && exit != 0 {
			return errExit(exit)
		}
		return err
	}
	return c
}

// auditFile audits a file by itself: no store is opened for it and nothing is
// written.
func (a *app) auditFile(ctx context.Context, name string, in api.AuditRequest) (int, error) {
	if in.Limit < 0 {
		return 0, ran{api.Invalid("--limit: must not be negative, got %d", in.Limit)}
	}
	o := audit.Options{Offenders: in.Limit, Lines: in.Lines}
	for _, c := range in.Checkpoints {
		o.Checkpoints = append(o.Checkpoints, []byte(c))
	}
	from, done, err := a.inputFile(name)
	if err != nil {
		return 0, ran{unreadable{err}}
	}
	defer done() // it was only read
	bar := a.progress(-1, "lines verified")
	report, err := audit.Bundle(ctx, &lineReader{Reader: from, at: bar.at}, o)
	bar.end()
	if err != nil {
		return 0, ran{unreadable{err}}
	}
	reply := api.AuditReply{Report: report, Exit: report.Exit()}
	if a.flags.json {
		return reply.Exit, a.printJSON(reply)
	}
	return reply.Exit, asRan(a.showAudit(reply))
}
