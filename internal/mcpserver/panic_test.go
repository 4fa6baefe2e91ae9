package mcpserver

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/toolset"
)

// An operation that panics is an error of its own: the process serves others.
func TestAPanicIsAnError(t *testing.T) {
	bad := ops.Op{
		Name: "bad", In: reflect.TypeFor[api.Nothing](),
		Do: func(context.Context, *engine.Engine, []byte) (any, error) { panic("out of range") },
	}
	c, err := toolset.Read(bad, nil, "mcp")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Do(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "bad: out of range") {
		t.Errorf("%v, want the error of the operation", err)
	}
}
