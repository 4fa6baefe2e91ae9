package exchange

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/shorten"
)

// expected adds to the peers behind an address those that were read there before and are gone,
// and returns which logs each had. If none of them is left, the address leads to another place
// than before, such as an empty mount point, and nothing is sent there.
func (e *Exchange) expected(
	ctx context.Context, r api.Remote, ends []peer.Endpoint, self peer.Self, accept bool,
) ([]peer.Endpoint, map[string][]string, error) {
	if !slices.ContainsFunc(ends, func(end peer.Endpoint) bool { return end.Whole }) {
		return ends, nil, nil
	}
	held, err := e.heldOf(ctx, r.Name)
	if err != nil {
		return nil, nil, core.Classify(err)
	}
	logs := make(map[string][]string)
	var names []string
	left := false
	for _, h := range held {
		if len(h.Logs) == 0 {
			continue
		}
		name := strings.TrimPrefix(strings.TrimPrefix(h.name, r.Name), ".")
		for _, l := range h.Logs {
			logs[name] = append(logs[name], l.Space)
		}
		names = append(names, h.Name)
		at := slices.IndexFunc(ends, func(end peer.Endpoint) bool { return end.Name == name })
		switch {
		case at < 0:
			ends = append(
				ends,
				peer.Endpoint{Remote: peer.Vanished(peer.Pin{Name: h.Name, Key: h.Key}), Name: name, Takes: true, Whole: true},
			)
		case name != "" || left:
			left = true
		default: // the part of this store is there whether anything is in it or not
			w, err := ends[at].Hello(ctx, peer.Hello{Version: peer.Version, Store: self.Store})
			left = err != nil || len(w.Spaces) > 0
		}
	}
	if len(names) == 0 || left || accept {
		return ends, logs, nil
	}
	whose := "the store " + shorten.To(names[0], 8)
	if len(names) > 1 {
		whose = fmt.Sprintf("%d stores, %s among them,", len(names), shorten.To(names[0], 8))
	}
	return nil, nil, &core.Failure{Kind: api.ErrUnavailable, Text: fmt.Sprintf(
		"remote %s: nothing is left at %s of what %s gave there: is what holds it connected? If it was emptied on "+
			"purpose, `remote_accept %s` goes on",
		r.Name, r.Address, whose, r.Name)}
}
