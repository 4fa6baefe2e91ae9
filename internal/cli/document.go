package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/client"
	"github.com/stemma-memory/stemma/internal/engine"
)

// What export writes.
const (
	formatRecords   = "records"
	formatAnamnesis = "anamnesis"
)

// exportDocuments writes memories as documents of the Memory Provenance Schema.
func (a *app) exportDocuments(ctx context.Context, in api.DocumentsRequest, to string) error {
	export, err := a.documents(ctx)
	if err != nil {
		return ran{err}
	}
	var reply api.DocumentsReply
	write := func(w io.Writer) error {
		bar := &bar{}
		if to != "" || !a.onTerminal() { // else the documents themselves are seen
			bar = a.progress(-1, "documents")
		}
		defer bar.end()
		reply, err = export(ctx, &counter{Writer: w, at: bar.at}, in)
		return err
	}
	if to == "" {
		err = write(a.env.Stdout)
	} else {
		err = writeFile(to, write)
	}
	if err != nil {
		return ran{err}
	}
	a.secretsInside("the file has", reply.Secrets)
	if reply.LeftOut > 0 {
		a.hint("left out: %s (forgotten, rejected or quarantined); to export one, name its ref",
			count(reply.LeftOut, "memory", "memories"))
	}
	if to == "" {
		return nil
	}
	if a.flags.json {
		return a.printJSON(reply)
	}
	a.hint("%s written", count(reply.Documents, "document", "documents"))
	return nil
}

// traceDocument writes a trace for other tools.
func (a *app) traceDocument(cmd *cobra.Command, args []string, in api.TraceDocumentRequest) error {
	var err error
	if in.Ref, err = oneRef(args); err != nil {
		return err
	}
	local := func(e *engine.Engine, ctx context.Context, in api.TraceDocumentRequest,
		_ func(int)) (api.TraceDocumentReply, error) {
		return e.TraceDocument(ctx, in)
	}
	reply, err := into(cmd.Context(), a, local, (*client.Client).TraceDocument, in, nil)
	if err != nil {
		return ran{err}
	}
	if reply.More {
		a.hint("the lineage has more records than shown here")
	}
	_, err = a.bare().Write(reply.Document)
	return asRan(err)
}
