package browse

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/api"
)

// typing answers with hints as they are typed at a terminal.
type typing struct {
	Asker
	typed func(string) string
}

func (t typing) Show(ctx context.Context, in api.RefRequest) (api.ShowReply, error) {
	reply, err := t.Asker.Show(ctx, in)
	reply.NotActionable = t.typed(reply.NotActionable)
	reply.Conditions = slices.Clone(reply.Conditions)
	for i := range reply.Conditions {
		reply.Conditions[i].Says = t.typed(reply.Conditions[i].Says)
	}
	return reply, err
}
