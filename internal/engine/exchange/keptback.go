package exchange

import (
	"context"
	"fmt"
	"strings"
)

// KeptBackLine says in one line that spaces of one's own are not exchanged until a person says whose a remote is, ""
// where none is kept back.
func KeptBackLine(ctx context.Context, e *Exchange) (string, error) {
	all, name, err := e.readRemotes(ctx)
	if err != nil {
		return "", err
	}
	n, remotes := 0, []string{}
	for i := range all {
		r := &all[i]
		if r.Store != name || r.Whose != "" || len(r.Spaces) > 0 {
			continue
		}
		c, err := e.choosing(ctx, r)
		if err != nil {
			return "", err
		}
		spaces, err := e.keptBack(ctx, c)
		if err != nil {
			return "", err
		}
		if len(spaces) > 0 {
			n, remotes = max(n, len(spaces)), append(remotes, r.Name)
		}
	}
	switch {
	case n == 0:
		return "", nil
	case n == 1:
		return "1 space is not exchanged with " + strings.Join(remotes, ", ") + ": `sync`", nil
	}
	return fmt.Sprintf("%d spaces are not exchanged with %s: `sync`", n, strings.Join(remotes, ", ")), nil
}
