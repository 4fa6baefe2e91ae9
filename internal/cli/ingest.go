package cli

import (
	"context"
	"fmt"
	"io"
	"iter"
	"sort"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/client"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// ingest takes in a sequence and shows how far it has come.
func (a *app) ingest(ctx context.Context, from iter.Seq2[api.Foreign, error], total int, what string) error {
	a.roomy()
	bar := a.progress(total, what)
	reply, err := a.ingestInto(ctx, from, bar.at)
	bar.end()
	if err != nil {
		return ran{err}
	}
	return a.ingested(reply)
}

// ingested says what was taken in.
func (a *app) ingested(reply api.IngestReply) error {
	if a.flags.json {
		return a.printJSON(reply)
	}
	changed := ""
	if reply.Changed > 0 {
		changed = fmt.Sprintf(", %d changed", reply.Changed)
	}
	if reply.Purged > 0 {
		changed += fmt.Sprintf(", %d purged here", reply.Purged)
	}
	fmt.Fprintf(a.env.Stdout, "%s added%s, %d already present%s\n", count(reply.Added, "record", "records"),
		byKind(reply.ByKind), reply.AlreadyThere, changed)
	if len(reply.Redacted) > 0 {
		a.hint("redacted: %s", countedSecrets(reply.Redacted))
	}
	for _, r := range reply.Rejected {
		a.hint("kept as a capture only: %s %s was rejected by %s on %s", shortRef(r.Ref), cited(r.Headline),
			a.about(r.RejectedBy, 60), day(r.RejectedAt))
	}
	return nil
}

// byKind is " (419 raws, 184 notes)".
func byKind(count map[memory.Kind]int) string {
	var parts []string
	for k, n := range count {
		s := fmt.Sprintf("%d %ss", n, k)
		if n == 1 {
			s = strings.TrimSuffix(s, "s")
		}
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		return ""
	}
	sort.Strings(parts)
	return " (" + strings.Join(parts, ", ") + ")"
}

// importRecords takes in what export wrote.
func (a *app) importRecords(ctx context.Context, path string, in io.Reader) error {
	bar := a.progress(-1, "lines")
	reply, err := into(ctx, a, (*engine.Engine).Import, (*client.Client).Import, in, bar.at)
	bar.end()
	if err != nil {
		return ran{fmt.Errorf("import %s: %w", path, err)}
	}
	if a.flags.json {
		return a.printJSON(reply)
	}
	fmt.Fprintf(a.env.Stdout, "%s added, %d already present\n",
		count(reply.Added, "record", "records"), reply.AlreadyThere)
	a.secretsInside("the file has", reply.Secrets)
	return nil
}
