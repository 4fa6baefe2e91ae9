package engine

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// KeyRecovery makes a recovery key and commits to it. Its phrase is shown this
// once and kept nowhere: with it a new owner's key can be put in place when the
// old one is lost or stolen.
func (e *Engine) KeyRecovery(ctx context.Context, _ api.KeysRequest) (api.KeyReply, error) {
	var reply api.KeyReply
	if err := e.ownerOnly("make a recovery key"); err != nil {
		return reply, err
	}
	me, err := e.ownKeys()
	if err != nil {
		return reply, err
	}
	ring, err := e.withOwn(ctx, me)
	if err != nil {
		return reply, err
	}
	if ring.Committed(me.Owner.DID()) {
		return reply, conflict("a recovery key was committed to before, and the first counts: who steals the key could name another; 'stemma key rotate' begins a new one")
	}
	phrase, did, err := keys.NewRecovery(e.c.Rand)
	if err != nil {
		return reply, err
	}
	r, err := e.sign(keyHeader("key recovery"), &memory.Key{Op: memory.OpRecovery, Key: me.Owner.DID(), Next: memory.Commitment(did)})
	if err != nil {
		return reply, err
	}
	reply.KeyInfo = api.KeyInfo{Key: me.Owner.DID(), Fingerprint: fingerprint(me.Owner.DID()), Role: "owner", Principal: me.principal, Recovery: true}
	reply.Claim = r.Ref().String()
	if err := e.keyRecords(ctx, r); err != nil {
		return reply, err
	}
	reply.Phrase = phrase
	return reply, nil
}

// KeyRotate puts a new key in the place of the owner's, or of the agent's. The
// old owner's key signs that, or the recovery key, and the new one.
func (e *Engine) KeyRotate(ctx context.Context, in api.KeyRequest) (api.KeyReply, error) {
	var reply api.KeyReply
	if err := e.ownerOnly("put another key in place"); err != nil {
		return reply, err
	}
	me, err := e.ownKeys()
	if err != nil {
		return reply, err
	}
	name := "owner"
	if in.Agent {
		name = "agent"
	}
	var passphrase []byte
	if name == "owner" && me.Owner.Place() != keys.AtHand {
		if e.c.NewPassphrase == nil {
			return reply, invalid("the owner's key is locked, and the new one must be too: run it at a terminal, where a passphrase can be asked for")
		}
		if passphrase, err = e.c.NewPassphrase(); err != nil {
			return reply, err
		}
	}
	rot, err := keys.Rotate(e.c.KeyDir, name, e.c.Rand, passphrase, e.keyOptions())
	if err != nil {
		return reply, sortedKey(err)
	}
	if !bytes.Equal(rot.Identity, me.Identity) { // it may be somebody else's, who goes on with it
		return reply, sortedKey(keys.ErrOvertaken)
	}
	records, err := e.rotation(me, rot, in)
	if err != nil {
		return reply, errors.Join(err, rot.Cancel())
	}
	lines, err := writeLines(records...)
	if err != nil {
		return reply, errors.Join(err, rot.Cancel())
	}
	err = rot.Record(append(slices.Clone(me.Identity), lines...))
	if errors.Is(err, keys.ErrOvertaken) {
		return reply, sortedKey(err)
	}
	if err != nil {
		return reply, errors.Join(sortedKey(err), rot.Cancel())
	}
	if err := rot.Commit(in.Destroy); err != nil {
		return reply, sortedKey(err)
	}
	for _, r := range records {
		reply.Claims = append(reply.Claims, r.Ref().String())
	}
	if err := e.append(ctx, store.Batch{Records: records}); err != nil {
		return reply, err
	}
	reply.KeyInfo = api.KeyInfo{Key: rot.New.DID(), Fingerprint: fingerprint(rot.New.DID()), Role: name, Principal: me.principal, Place: string(rot.New.Place())}
	if name == "owner" {
		reply.Hint = "'stemma key recovery' makes a recovery key for the new one"
	}
	return reply, e.forgetKeys()
}

// rotation signs what says that one key follows another.
func (e *Engine) rotation(me *self, rot *keys.Rotation, in api.KeyRequest) ([]*memory.Record, error) {
	if in.Agent {
		grant, err := e.sign(keyHeader("key rotate"), &memory.Key{
			Op: memory.OpDelegate, Key: rot.New.DID(), Origins: []memory.Origin{memory.OriginAgent, memory.OriginImport, memory.OriginTool},
		})
		if err != nil {
			return nil, err
		}
		back, err := e.sign(keyHeader("key rotate"), &memory.Key{Op: memory.OpRevoke, Key: rot.Old.DID(), Reason: memory.Superseded})
		return []*memory.Record{grant, back}, err
	}
	by := rot.Old
	if e.c.Recovery != nil {
		phrase, err := e.c.Recovery()
		if err != nil {
			return nil, err
		}
		if by, err = keys.ParseRecovery(phrase); err != nil {
			return nil, invalid("recovery phrase: %s", oneLine(err))
		}
		ring := memory.NewKeyring(me.born...)
		if !ring.Recovers(rot.Old.DID(), by.DID()) {
			return nil, invalid("recovery phrase: it is not that of the recovery key this owner's key committed to")
		}
	}
	h := keyHeader("key rotate")
	h.Space, h.Author, h.Origin, h.At = me.principal+"/"+api.DefaultSpace, by.DID(), memory.OriginOwner, memory.At(e.c.Now())
	var err error
	if h.Nonce, err = e.nonce(); err != nil {
		return nil, err
	}
	r, err := signed(by, h, &memory.Key{Op: memory.OpRotate, Key: rot.New.DID(), Previous: rot.Old.DID()})
	if err != nil {
		return nil, sorted(err)
	}
	sig, err := rot.New.Sign(typeOf(r), r.Bytes)
	if err != nil {
		return nil, err
	}
	r.Sigs = append(r.Sigs, memory.Signature{Key: rot.New.DID(), Sig: sig})
	return []*memory.Record{r}, nil
}
