package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) askWitnessCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "request REF --to KEY|NAME", Short: "Ask somebody for a word about a memory: a file to hand over",
		Example: "  stemma witness request belief:a04e --to Bob --out for-bob.jsonl\n  stemma witness request belief:a04e --to bob.pub --expires 72h",
	}
	var in stemma.AskRequest
	f := c.Flags()
	f.StringVar(&in.To, "to", "", "who is asked: a name, a key, or a file with one")
	f.StringVar(&in.Expires, "expires", "", "until when it can be answered: a time, or how long from now (default two weeks)")
	out := f.String("out", "", "the file to write (default: standard output)")
	_ = c.MarkFlagRequired("to") // it is a flag of c
	c.RunE = verb(a, (*stemma.Engine).AskWitness, func(args []string) (stemma.AskRequest, error) {
		var err error
		if a.isFile(in.To) && in.To != "-" {
			if in.To, err = publicKey(in.To); err != nil {
				return in, err
			}
		}
		in.Ref, err = oneRef(args)
		return in, err
	}, func(r stemma.AskReply) error {
		a.hint("%s, for %s, until %s", shortRef(r.Ref), who("", r.To), minute(r.Expires))
		return a.put(*out, r.Bundle)
	})
	return a.refVerb(c, "")
}

// mostRequest bounds the file of a request, in bytes.
const mostRequest = 64 << 20

func (a *app) answerWitnessCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "answer FILE", Short: "Answer somebody's request; without a verdict, show what is asked", Args: cobra.ExactArgs(1),
		Example: "  stemma witness answer for-bob.jsonl\n  stemma witness answer for-bob.jsonl --confirm --out answer.jsonl\n" +
			"  stemma import answer.jsonl           on the other side",
	}
	var in stemma.AnswerRequest
	f := c.Flags()
	says := verdictFlags(c)
	f.StringVar(&in.Notes, "notes", "", "why")
	out := f.String("out", "", "the file to hand back (default: standard output)")
	c.RunE = verb(a, (*stemma.Engine).AnswerWitness, func(args []string) (stemma.AnswerRequest, error) {
		in.Attestation = says()
		var err error
		if in.Bundle, err = a.readFile(args[0], mostRequest); err != nil {
			err = ran{err}
		}
		return in, err
	}, func(r stemma.AnswerReply) error {
		if r.Claim == "" {
			w := a.env.Stdout
			fmt.Fprintf(w, "%s asks for your word until %s about\n", who(r.Name, r.From), minute(r.Expires))
			kind, id := r.Memory.Type, r.Memory.ID
			fmt.Fprintf(w, "%s %s\n", a.ref(kind, id), quoted(r.Memory.Headline, 4*a.width()))
			a.hint("answer with --confirm, --dispute or --partial, and --out FILE")
			return nil
		}
		a.redacted(r.Redacted)
		a.hint("%s: %s; hand the answer back, 'stemma import' takes it in", shortRef(r.Memory.Ref), in.Attestation)
		return a.put(*out, r.Bundle)
	})
	return c
}

// verdictFlags adds the three flags that say what a witness says, of which one
// may be given.
func verdictFlags(c *cobra.Command) func() string {
	said := make(map[string]*bool)
	for _, s := range []struct{ name, doc string }{
		{"confirm", "it is right"}, {"dispute", "it is wrong"}, {"partial", "parts of it are right, parts wrong"},
	} {
		said[s.name] = c.Flags().Bool(s.name, false, s.doc)
	}
	c.MarkFlagsMutuallyExclusive(memory.Attestations...)
	return func() string {
		for _, name := range memory.Attestations {
			if p := said[name]; p != nil && *p {
				return name
			}
		}
		return ""
	}
}
