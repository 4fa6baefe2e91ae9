package mcpserver

import (
	"context"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/toolset"
)

// An operation that panics is an error of its own: the process serves others.
func TestAPanicIsAnError(t *testing.T) {
	bad := ops.Op{Name: "bad", Do: func(context.Context, *engine.Engine, []byte) (any, error) { panic("out of range") }}
	_, err := toolset.Perform(t.Context(), bad, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "bad: out of range") {
		t.Errorf("Perform = %v, want the error of the operation", err)
	}
}
