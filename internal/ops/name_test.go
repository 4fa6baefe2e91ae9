package ops

import (
	"context"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// Every operation is known by the method that does it, and by no other function.
func TestNameOf(t *testing.T) {
	methods := make(map[string]string)
	for _, op := range All {
		name := method(op.fn)
		if name == "" {
			t.Errorf("%s: its method has no name", op.Name)
		}
		if other, taken := methods[name]; taken {
			t.Errorf("%s and %s are done by one method", other, op.Name)
		}
		methods[name] = op.Name
	}
	for want, do := range map[string]any{
		"capture": (*engine.Engine).Capture, "trace": (*engine.Engine).Trace, "anchor_line": (*engine.Engine).AnchorStamp,
		"keys": (*engine.Engine).KeyList,
	} {
		if got := NameOf(do); got != want {
			t.Errorf("the method of %s is that of %q", want, got)
		}
	}
	closure := func(e *engine.Engine, ctx context.Context, in api.CaptureRequest) (api.WriteReply, error) {
		return e.Capture(ctx, in)
	}
	for _, do := range []any{closure, (*engine.Engine).Close, nil, "capture"} {
		if got := NameOf(do); got != "" {
			t.Errorf("%T is taken for %s", do, got)
		}
	}
}
