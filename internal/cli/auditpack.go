package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/live"
	"github.com/stemma-memory/stemma/internal/quoting"
)

// isPack reports whether a file is a pack rather than a bundle.
func (a *app) isPack(name string) bool {
	if name == "-" {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer live.Close(f)
	const enough = 4 << 10
	head, err := io.ReadAll(io.LimitReader(f, enough))
	return err == nil && quoting.IsPack(head)
}

// packReply has what --json prints of a pack.
type packReply struct {
	report.Pack
	Exit int `json:"exit"`
}

// auditPack audits a pack with its proofs, and an answer if one is named. No store is opened.
func (a *app) auditPack(ctx context.Context, name, answer string, in api.AuditRequest) (int, error) {
	if name == "-" && answer == "-" {
		return 0, ran{api.Invalid("--answer: the pack is read from standard input already")}
	}
	o := audit.Options{Offenders: in.Limit}
	for _, c := range in.Checkpoints {
		o.Checkpoints = append(o.Checkpoints, []byte(c))
	}
	pack, done, err := a.inputFile(name)
	if err != nil {
		return 0, ran{unreadable{err}}
	}
	defer done()
	var text io.Reader
	if answer != "" {
		if text, done, err = a.inputFile(answer); err != nil {
			return 0, ran{unreadable{err}}
		}
		defer done()
	}
	found, err := audit.Pack(ctx, pack, text, o)
	if err != nil {
		return 0, ran{api.Invalid("%s: %v", name, err)}
	}
	reply := packReply{found, found.Exit()}
	if a.flags.json {
		return reply.Exit, a.printJSON(reply)
	}
	a.showPack(&reply)
	return reply.Exit, nil
}

// inputFile opens a file that is read; "-" is standard input.
func (a *app) inputFile(name string) (io.Reader, func(), error) {
	if name == "-" {
		return a.env.Stdin, func() {}, nil
	}
	f, err := os.Open(name)
	return f, func() { live.Close(f) }, err
}

// showPack shows what a pack gives and an answer quotes.
func (a *app) showPack(r *packReply) {
	w := a.env.Stdout
	by := namedBy(r.Records.Roots)
	for i := range r.Entries {
		e := &r.Entries[i]
		status := a.paint(statusColor(e.Status != "changed"), fmt.Sprintf("%-9s", e.Status))
		fmt.Fprintf(w, "%s %s", status, shortRef(e.Ref))
		if e.Words != "" {
			fmt.Fprintf(w, " %s", cited(e.Words))
		}
		if e.Speaker != "" {
			fmt.Fprintf(w, ", said by %s", whole(e.Speaker))
		}
		if e.Author != "" {
			fmt.Fprintf(w, ", signed by %s on %s", by(e.Agent, e.Owner, e.Author), day(e.At))
		}
		if e.Place > 0 {
			fmt.Fprintf(w, ", place %d of its log", e.Place)
		}
		fmt.Fprintln(w)
		if e.Why != "" {
			fmt.Fprintf(w, "    %s\n", whole(e.Why))
		}
		if d := e.Decided; d != nil {
			fmt.Fprintf(w, "    %s\n", decidedLine(d, by))
		}
		if len(e.Rests) > 0 {
			fmt.Fprintf(w, "    rests on %s\n", shortRefs(e.Rests))
		}
	}
	if r.Answered {
		fmt.Fprintln(w)
	}
	for i := range r.Sentences {
		a.showSentence(w, &r.Sentences[i])
	}
	of := r.Records // what a memory was made of need not be in a pack
	of.Counts = maps.Clone(of.Counts)
	delete(of.Counts, report.MissingParent)
	of.Offenders = slices.DeleteFunc(slices.Clone(of.Offenders), func(f report.Finding) bool {
		return f.Status == report.MissingParent
	})
	a.showFindings(of)
	for _, root := range r.Records.Roots {
		fmt.Fprintf(w, "owner  %s; compare it with the key they show you\n", who(root.Name, root.DID))
	}
	fmt.Fprintf(w, "%s\n", clean(r.Records.Horizon))
	if r.Answered {
		fmt.Fprintf(w, "%s; what they mean is not judged\n", quotedOf(r.Sentences))
	}
	fmt.Fprintf(w, "%s in %s\n", verdict(r.Exit), r.Records.Elapsed.Round(time.Millisecond))
}

// showSentence shows one sentence of an answer, and what it quotes.
func (a *app) showSentence(w io.Writer, s *report.Sentence) {
	status := a.paint(statusColor(s.Rests), fmt.Sprintf("%-9s", s.Verdict))
	fmt.Fprintf(w, "%s line %d %s\n", status, s.Line, cited(s.Text))
	for _, q := range s.Quotes {
		fmt.Fprintf(w, "    quotes %s: %s\n", shortRefs(append([]string{q.Ref}, q.Also...)), cited(q.Words))
		if q.Says != "" {
			fmt.Fprintf(w, "    but it says %s where the record says %s\n", cited(q.Says), cited(q.Has))
		} else if q.LeftOut != "" {
			fmt.Fprintf(w, "    leaves out %s\n", cited(q.LeftOut))
		}
	}
	if s.Why != "" {
		fmt.Fprintf(w, "    denied by %s\n", cited(s.Why))
	}
	if s.Adds != "" {
		fmt.Fprintf(w, "    adds %s\n", cited(s.Adds))
	}
}

// quotedOf counts the sentences of an answer.
func quotedOf(all []report.Sentence) string {
	rest := 0
	counts := make(map[string]int)
	for i := range all {
		if all[i].Rests {
			rest++
		}
		counts[all[i].Verdict]++
	}
	var parts []string
	for _, v := range []quoting.Verdict{quoting.Quotes, quoting.Part, quoting.Differs, quoting.Negated, quoting.Asked,
		quoting.None} {
		if n := counts[string(v)]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	return fmt.Sprintf("%d of %s quote words of the pack (%s)", rest, count(len(all), "sentence", "sentences"),
		or(strings.Join(parts, ", "), "none"))
}
