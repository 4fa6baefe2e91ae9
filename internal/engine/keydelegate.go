package engine

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/memory"
)

// KeyDelegate lets another key act for the owner: a session's, made here, or one
// that somebody sent.
func (e *Engine) KeyDelegate(ctx context.Context, in api.KeyRequest) (api.KeyReply, error) {
	var reply api.KeyReply
	if err := e.ownerOnly("let a key act for the owner"); err != nil {
		return reply, err
	}
	me, err := e.ownKeys()
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
	if body.Expires, err = e.until("expires", in.Expires); err != nil {
		return reply, err
	}
	var r *memory.Record
	if in.Key != "" {
		if body.Key, _, err = keys.PublicOf([]byte(in.Key)); err != nil {
			return reply, invalid("key: %s", oneLine(err))
		}
		if r, err = e.sign(keyHeader("key delegate"), body); err != nil {
			return reply, err
		}
	} else {
		if in.Name == "" {
			return reply, invalid("name: name the session that the key is for, or give the key")
		}
		s, err := keys.AddSession(e.c.KeyDir, in.Name, e.c.Rand, func(session *keys.Key) ([]byte, error) {
			body.Key = session.DID()
			if r, err = e.sign(keyHeader("key delegate"), body); err != nil {
				return nil, err
			}
			return writeLines(append(slices.Clone(me.born), r)...)
		})
		if errors.Is(err, fs.ErrExist) {
			return reply, conflict("there is a session %q already", in.Name)
		}
		if err != nil {
			return reply, sortedKey(err)
		}
		reply.File = s.Name
	}
	reply.KeyInfo = api.KeyInfo{
		Key: body.Key, Fingerprint: fingerprint(body.Key), Name: in.Name, Role: "session", Principal: me.principal,
		Expires: body.Expires.String(), Scope: body.Scope, Delegation: r.Ref().String(), By: me.Owner.DID(),
	}
	for _, o := range body.Origins {
		reply.Origins = append(reply.Origins, string(o))
	}
	reply.Claim = r.Ref().String()
	return reply, e.keyRecords(ctx, r)
}
