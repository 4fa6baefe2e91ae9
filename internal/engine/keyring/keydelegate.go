package keyring

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/memory"
)

// KeyDelegate lets another key act for the owner: a session's, made here, or one
// that somebody sent.
func (e *Keyring) KeyDelegate(ctx context.Context, in api.KeyRequest) (api.KeyReply, error) {
	var reply api.KeyReply
	if err := e.OwnerOnly("let a key act for the owner"); err != nil {
		return reply, err
	}
	me, err := e.OwnKeys()
	if err != nil {
		return reply, err
	}
	body := &memory.Key{Op: memory.OpDelegate, Scope: in.Scope, Name: in.Name}
	for _, o := range in.Origins {
		body.Origins = append(body.Origins, memory.Origin(o))
	}
	if len(body.Origins) == 0 {
		body.Origins = []memory.Origin{memory.OriginAgent, memory.OriginTool}
	}
	slices.Sort(body.Origins)
	body.Origins = slices.Compact(body.Origins)
	if body.Expires, err = e.Until("expires", in.Expires); err != nil {
		return reply, err
	}
	var r *memory.Record
	if in.Key != "" {
		if body.Key, _, err = keys.PublicOf([]byte(in.Key)); err != nil {
			return reply, core.Invalid("key: %s", core.OneLine(err))
		}
		if r, err = e.Sign(core.KeyHeader("key delegate"), body); err != nil {
			return reply, err
		}
	} else {
		if in.Name == "" {
			return reply, core.Invalid("name: name the session that the key is for, or give the key")
		}
		s, err := keys.AddSession(e.C.KeyDir, in.Name, e.C.Rand, func(session *keys.Key) ([]byte, error) {
			body.Key = session.DID()
			if r, err = e.Sign(core.KeyHeader("key delegate"), body); err != nil {
				return nil, err
			}
			return core.WriteLines(append(slices.Clone(me.KeyRecords), r)...)
		})
		if errors.Is(err, fs.ErrExist) {
			return reply, core.Conflict("there is a session %q already", in.Name)
		}
		if err != nil {
			return reply, core.ClassifyKey(err)
		}
		reply.File = s.Name
	}
	reply.KeyInfo = api.KeyInfo{
		Key: body.Key, Fingerprint: core.Fingerprint(body.Key), Name: in.Name, Role: "session", Principal: me.Principal,
		Expires: body.Expires.String(), Scope: body.Scope, Delegation: r.Ref().String(), By: me.Owner.DID(),
	}
	for _, o := range body.Origins {
		reply.Origins = append(reply.Origins, string(o))
	}
	reply.Claim = r.Ref().String()
	return reply, e.KeyRecords(ctx, r)
}
