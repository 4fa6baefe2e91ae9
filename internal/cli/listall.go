package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// listAll prints a list without a limit, some memories after the others.
func (a *app) listAll(ctx context.Context, in api.ListRequest, provenance bool) error {
	tight()
	cols := listColumns(in.Kind, provenance)
	n := 0
	in.Each = func(some []api.Memory) error {
		if a.onTerminal() {
			a.hush() // the memories themselves are seen
		}
		a.aside()
		first := n == 0
		n += len(some)
		if a.flags.json {
			return a.listPart(some, first)
		}
		a.tablePart(a.env.Stdout, cols, a.listRows(some, in.Kind, provenance), first)
		return nil
	}
	r, err := call(ctx, a, (*engine.Engine).List, in)
	switch {
	case err != nil:
		return ran{err}
	case n == 0 && a.flags.json:
		return asRan(a.printJSON(r))
	case n == 0:
		return asRan(a.showList(r, in.Kind, provenance))
	case a.flags.json:
		_, err = fmt.Fprint(a.env.Stdout, "\n  ]\n}\n")
	}
	return asRan(err)
}

// listPart prints memories as printJSON prints them in a reply, but for the end.
func (a *app) listPart(some []api.Memory, first bool) error {
	var out bytes.Buffer
	for i := range some {
		between := ",\n    "
		if first && i == 0 {
			between = "{\n  \"memories\": [\n    "
		}
		out.WriteString(between)
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("    ", "  ")
		if err := enc.Encode(some[i]); err != nil {
			return err
		}
		out.Truncate(out.Len() - 1)
	}
	_, err := a.env.Stdout.Write(out.Bytes())
	return err
}
