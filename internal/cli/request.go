package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) askWitnessCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "request REF --to KEY|NAME…", Short: "Ask others to confirm a memory",
		Example: "  stemma witness request belief:a04e --to Bob --out for-bob.jsonl\n" +
			"  stemma witness request belief:a04e --to bob.pub --expires 72h\n" +
			"  stemma witness request belief:a04e --to Bob,Carol --out for-both.jsonl\n" +
			"  stemma witness request belief:a04e --to Bob --via team      through a hub",
	}
	var in api.AskRequest
	f := c.Flags()
	var whom []string
	listVar(f, &whom, "to", "whom to ask: a name, a key or a key file; repeatable, or separated by commas")
	f.StringVar(&in.Expires, "expires", "", "when it expires: a time, or a duration (default: two weeks)")
	f.StringVar(&in.Via, "via", "", "hub remote to send it through")
	out := f.String("out", "", "file to write (default: standard output)")
	c.MarkFlagsMutuallyExclusive("via", "out")
	_ = c.MarkFlagRequired("to") // it is a flag of c
	c.RunE = verb(a, (*engine.Engine).AskWitness, func(args []string) (api.AskRequest, error) {
		var err error
		for i, to := range whom {
			if a.isFile(to) && to != "-" {
				if whom[i], err = publicKey(to); err != nil {
					return in, err
				}
			}
		}
		if len(whom) > 0 {
			in.To, in.Also = whom[0], whom[1:]
		}
		in.Ref, err = oneRef(args)
		return in, err
	}, func(r api.AskReply) error {
		for _, to := range append([]api.AskedOther{{To: r.To}}, r.Others...) {
			a.hint("%s, for %s, until %s", shortRef(r.Ref), who("", to.To), minute(r.Expires))
		}
		if r.Via != "" {
			a.hint("sent through %s; to receive the answer: stemma sync %s", r.Via, r.Via)
			return nil
		}
		return a.put(*out, r.Bundle)
	})
	return a.refVerb(c, "")
}

// mostRequest bounds the file of a request, in bytes.
const mostRequest = 64 << 20

func (a *app) answerWitnessCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "answer FILE | ID --via REMOTE", Short: "Answer a request; without a verdict, show it", Args: cobra.ExactArgs(1),
		Example: "  stemma witness answer for-bob.jsonl\n" +
			"  stemma witness answer for-bob.jsonl --confirm --out answer.jsonl\n" +
			"  stemma import answer.jsonl           on the other side\n" +
			"  stemma witness answer 3f9a81c0 --confirm --via team        a request at a hub",
	}
	var in api.AnswerRequest
	f := c.Flags()
	says := verdictFlags(c)
	f.StringVar(&in.Notes, "notes", "", "why")
	f.StringVar(&in.Via, "via", "", "hub remote where the request waits; the answer goes there")
	out := f.String("out", "", "file for the answer (default: standard output)")
	c.MarkFlagsMutuallyExclusive("via", "out")
	c.RunE = verb(a, (*engine.Engine).AnswerWitness, func(args []string) (api.AnswerRequest, error) {
		in.Attestation = says()
		var err error
		if in.Via != "" {
			in.Letter = args[0]
			return in, nil
		}
		if in.Bundle, err = a.readFile(args[0], mostRequest); err != nil {
			err = ran{err}
		}
		return in, err
	}, func(r api.AnswerReply) error {
		if r.Claim == "" {
			w := a.env.Stdout
			fmt.Fprintf(w, "%s asks you, until %s, about\n", who(r.Name, r.From), minute(r.Expires))
			kind, id := r.Memory.Type, r.Memory.ID
			fmt.Fprintf(w, "%s %s\n", a.ref(kind, id), cited(r.Memory.Headline))
			if in.Via != "" {
				a.hint("to answer: --confirm, --dispute or --partial")
			} else {
				a.hint("to answer: --confirm, --dispute or --partial, with --out FILE")
			}
			return nil
		}
		a.redacted(r.Redacted)
		if in.Via != "" {
			a.hint("%s: %s; answer sent through %s", shortRef(r.Memory.Ref), in.Attestation, in.Via)
			return nil
		}
		a.hint("%s: %s; send the answer back; they import it with 'stemma import'", shortRef(r.Memory.Ref), in.Attestation)
		return a.put(*out, r.Bundle)
	})
	return c
}

func (a *app) witnessRequestsCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "requests", Short: "List requests for you at a hub", Args: cobra.NoArgs,
		Example: "  stemma witness requests\n  stemma witness requests --via team --json",
	}
	var in api.LettersRequest
	c.Flags().StringVar(&in.Via, "via", "", "hub remote (default: the only one)")
	c.RunE = verb(a, (*engine.Engine).WitnessRequests, func([]string) (api.LettersRequest, error) { return in, nil },
		func(r api.LettersReply) error {
			for _, q := range r.Requests {
				if q.Problem != "" {
					fmt.Fprintf(a.env.Stdout, "%s  from %s: %s\n", clean(short(q.ID)), who(q.Name, q.From), a.about(q.Problem, 200))
					continue
				}
				fmt.Fprintf(a.env.Stdout, "%s  %s asks, until %s, about\n", clean(short(q.ID)), who(q.Name, q.From),
					minute(q.Expires))
				fmt.Fprintf(a.env.Stdout, "          %s %s\n", a.ref(q.Memory.Type, q.Memory.ID),
					cited(q.Memory.Headline))
			}
			if len(r.Requests) == 0 {
				a.hint("no requests at %s", r.Remote)
			} else {
				a.hint("to answer: stemma witness answer ID --via %s --confirm", r.Remote)
			}
			if r.Answers > 0 {
				a.hint("%s; to receive them: stemma sync %s", count(r.Answers, "answer waits", "answers wait"), r.Remote)
			}
			return nil
		})
	return c
}

// verdictFlags adds the three flags that say what a witness says, of which one
// may be given.
func verdictFlags(c *cobra.Command) func() string {
	said := make(map[string]*bool)
	for _, s := range []struct{ name, doc string }{
		{"confirm", "say that it is right"}, {"dispute", "say that it is wrong"}, {"partial", "say that it is partly right"},
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
