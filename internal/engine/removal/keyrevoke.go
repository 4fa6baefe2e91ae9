package removal

import (
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// KeyRevoke revokes a key of the owner or one that the owner delegated. Records that came
// before stay valid; of a compromised key only those before since.
func (e *Removal) KeyRevoke(ctx context.Context, in api.KeyRequest) (api.KeyReply, error) {
	var reply api.KeyReply
	if err := e.OwnerOnly("revoke a key"); err != nil {
		return reply, err
	}
	if !slices.Contains(memory.RevokeReasons, in.Reason) {
		return reply, core.Invalid("reason: must be superseded, lost or compromised, got %q", shorten.To(in.Reason, 40))
	}
	if in.Since != "" && in.Reason != memory.Compromised {
		return reply, core.Invalid("since: belongs to a compromised key")
	}
	me, err := e.OwnKeys()
	if err != nil {
		return reply, err
	}
	all, err := e.keyring.KeyList(ctx, api.Nothing{})
	if err != nil {
		return reply, err
	}
	if in.Key == "" {
		return reply, core.Invalid("key: which key? `keys` shows them")
	}
	if did, _, err := keys.PublicOf([]byte(in.Key)); err == nil {
		in.Key = did
	}
	i := slices.IndexFunc(all.Keys, func(k api.KeyInfo) bool {
		return k.Key == in.Key || k.Fingerprint == in.Key || k.Name == in.Key && k.Principal == me.Principal
	})
	switch {
	case i < 0:
		return reply, core.NotFound("no key %q is known here: `keys` shows those that are", shorten.To(in.Key, 80))
	case all.Keys[i].Principal != me.Principal:
		return reply, core.Conflict("%s is somebody else's key: use `distrust`", all.Keys[i].Fingerprint)
	case all.Keys[i].Role == "owner":
		return reply, core.Conflict("it is the key in use: `key_rotate` puts another in its place first")
	}
	info := all.Keys[i]
	ring, err := e.WithOwn(ctx, me)
	if err != nil {
		return reply, err
	}
	if r := ring.Revoked(info.Key, me.Principal); r != nil {
		return reply, core.Conflict(
			"%s was revoked on %s, and the first revocation counts", info.Fingerprint, core.Day(r.Header.At),
		)
	}
	body := &memory.Key{Op: memory.OpRevoke, Key: info.Key, Reason: in.Reason}
	if in.Since != "" {
		since, err := e.Ago("since", in.Since)
		if err != nil {
			return reply, err
		}
		stolen, err := e.stolen(ctx, info.Key, since)
		if err != nil {
			return reply, err
		}
		body.From = stolen.from
		for _, ref := range stolen.wrote[:min(len(stolen.wrote), mostShown)] {
			reply.Wrote = append(reply.Wrote, ref.String())
		}
		reply.WroteMore = len(stolen.wrote) > mostShown
	} else if body.From, err = e.asLogsAre(ctx); err != nil {
		return reply, err
	}
	r, err := e.Sign(core.KeyHeader("key revoke"), body)
	if err != nil {
		return reply, err
	}
	info.Ended = "revoked on " + core.Day(r.Header.At) + ": " + in.Reason
	reply.KeyInfo, reply.Claim = info, r.Ref().String()
	if info.Role == "agent" && info.Key == me.Agent.DID() {
		reply.Hint = "agents cannot write until `key_rotate agent=true` makes a new key"
	}
	return reply, e.keyring.KeyRecords(ctx, r)
}

// asLogsAre returns the current length of every log.
func (e *Removal) asLogsAre(ctx context.Context) (string, error) {
	spaces, err := e.Store.Spaces(ctx)
	if err != nil {
		return "", core.Classify(err)
	}
	var lines []string
	for _, sp := range spaces[:min(len(spaces), mostSpaces)] {
		f, err := e.Store.Tree(ctx, sp.Name)
		if err != nil {
			return "", core.Classify(err)
		}
		if f.Size() > 0 {
			lines = append(lines, state.FromLine(sp.Name, f.Size(), ledger.EncodeHash(f.Root())))
		}
	}
	return strings.Join(lines, "\n"), nil
}
