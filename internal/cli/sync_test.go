package cli

import (
	"errors"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/peer"
)

// A sync ends with 2 where all that is left is to come again, though a part went through, and with 1 where that does
// not help.
func TestHowASyncEnds(t *testing.T) {
	t.Parallel()
	space := func(problem, code string) api.SyncPeer {
		return api.SyncPeer{Spaces: []api.SyncSpace{{Space: "a"}, {Space: "b", Problem: problem, Code: code}}}
	}
	for _, tt := range []struct {
		what  string
		peers []api.SyncPeer
		want  error
	}{
		{"all went through", []api.SyncPeer{space("", "")}, nil},
		{"the remote is away", []api.SyncPeer{{Problem: "no answer", Code: peer.Unreachable}}, errExit(ops.ExitAway)},
		{"a space is away", []api.SyncPeer{space("shard 1 does not answer", peer.Unreachable)}, errExit(ops.ExitAway)},
		{"a space was refused", []api.SyncPeer{space("not yours", "denied")}, errFailed},
		{"one is away and one refused", []api.SyncPeer{
			space("shard 1 does not answer", peer.Unreachable), space("not yours", "denied")}, errFailed},
	} {
		r := api.SyncReply{Peers: tt.peers}
		for _, p := range tt.peers {
			if p.Problem != "" || len(p.Spaces) > 1 && p.Spaces[1].Problem != "" {
				r.Failed++
			}
		}
		if err := syncFailure(r); !errors.Is(err, tt.want) {
			t.Errorf("where %s a sync ends with %v, want %v", tt.what, err, tt.want)
		}
	}
}
