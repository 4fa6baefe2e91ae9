package stemmaeino_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/cloudwego/eino/components/tool"

	"github.com/stemma-memory/stemma"
	stemmaeino "github.com/stemma-memory/stemma/integrations/eino"
	"github.com/stemma-memory/stemma/memory"
)

// What an agent of Eino remembered wrongly is found, set aside with what falls with it, brought back and corrected by
// the owner; the agent's recall gives the correction first.
func TestAWrongBeliefIsSetAsideAndCorrected(t *testing.T) {
	ctx, e := t.Context(), open(t)
	owner, err := e.As(stemma.Caller{Origin: memory.OriginOwner})
	must(t, err)
	tools, err := stemmaeino.Tools(e)
	must(t, err)
	call := func(name string, args map[string]any, reply any) {
		t.Helper()
		at := slices.IndexFunc(tools, func(b tool.BaseTool) bool {
			info, err := b.Info(ctx)
			return err == nil && info.Name == name
		})
		in, _ := json.Marshal(args)
		out, err := tools[at].(tool.InvokableTool).InvokableRun(ctx, string(in))
		must(t, err)
		must(t, json.Unmarshal([]byte(out), reply))
	}
	type found struct {
		Results []struct{ Ref, Text string }
	}
	where := map[string]any{"query": "where does the backup go"}
	var first found
	call("remember", map[string]any{"text": "The nightly backup goes to the disk in Berlin"}, &struct{}{})
	call("recall", where, &first)
	wrong := first.Results[0].Ref
	tree, err := owner.Trace(ctx, stemma.TraceRequest{Ref: wrong})
	must(t, err)
	source := "raw:" + tree.Backward.Sources[0].ID
	falls, err := owner.Quarantine(ctx, stemma.QuarantineRequest{Target: source, DryRun: true})
	must(t, err)
	if falls.Count != 2 || tree.Backward.Sources[0].Blob != "The nightly backup goes to the disk in Berlin" {
		t.Fatalf("%+v falls with %+v", falls, tree.Backward.Sources)
	}
	_, err = owner.Quarantine(ctx, stemma.QuarantineRequest{Target: source, Reason: "that disk is gone"})
	must(t, err)
	var none, back, corrected found
	if call("recall", where, &none); len(none.Results) != 0 {
		t.Errorf("quarantined, and still given: %+v", none)
	}
	_, err = owner.Undo(ctx, stemma.UndoRequest{})
	must(t, err)
	if call("recall", where, &back); len(back.Results) == 0 || back.Results[0].Ref != wrong {
		t.Errorf("after undo: %+v", back)
	}
	_, err = owner.Correct(ctx, stemma.CorrectRequest{Ref: wrong, Text: "It is copied to the Zurich site every evening"})
	must(t, err)
	if call("recall", where, &corrected); len(corrected.Results) == 0 ||
		corrected.Results[0].Text != "It is copied to the Zurich site every evening" {
		t.Errorf("the correction is not first: %+v", corrected)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
