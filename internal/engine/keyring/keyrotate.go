package keyring

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// KeyRecovery makes a recovery key and commits to it. Its phrase is shown this
// once and kept nowhere: with it a new owner's key can be put in place when the
// old one is lost or stolen.
func (e *Keyring) KeyRecovery(ctx context.Context, _ api.Nothing) (api.KeyReply, error) {
	var reply api.KeyReply
	if err := e.OwnerOnly("make a recovery key"); err != nil {
		return reply, err
	}
	me, err := e.OwnKeys()
	if err != nil {
		return reply, err
	}
	ring, err := e.WithOwn(ctx, me)
	if err != nil {
		return reply, err
	}
	if ring.Committed(me.Owner.DID()) {
		return reply, core.Conflict(
			"a recovery key was committed to before, and the first counts: who steals the key could name another; " +
				"`key_rotate` begins a new one",
		)
	}
	phrase, did, err := keys.NewRecovery(e.C.Rand)
	if err != nil {
		return reply, err
	}
	r, err := e.Sign(
		core.KeyHeader("key recovery"),
		&memory.Key{Op: memory.OpRecovery, Key: me.Owner.DID(), Next: state.Commitment(did)},
	)
	if err != nil {
		return reply, err
	}
	reply.KeyInfo = api.KeyInfo{
		Key: me.Owner.DID(), Fingerprint: core.Fingerprint(me.Owner.DID()), Role: "owner",
		Principal: me.Principal, Recovery: true,
	}
	reply.Claim = r.Ref().String()
	if err := e.KeyRecords(ctx, r); err != nil {
		return reply, err
	}
	reply.Phrase = phrase
	return reply, nil
}

// KeyRotate puts a new key in the place of the owner's, or of the agent's. The
// old owner's key signs that, or the recovery key, and the new one.
func (e *Keyring) KeyRotate(ctx context.Context, in api.KeyRequest) (api.KeyReply, error) {
	var reply api.KeyReply
	if err := e.OwnerOnly("put another key in place"); err != nil {
		return reply, err
	}
	me, err := e.OwnKeys()
	if err != nil {
		return reply, err
	}
	name := "owner"
	if in.Agent {
		name = "agent"
	}
	var passphrase []byte
	if name == "owner" && me.Owner.Place() != keys.AtHand {
		if e.C.NewPassphrase == nil {
			return reply, core.Invalid(
				"the owner's key is locked, and the new one must be too: run it at a terminal, where a passphrase can be asked for",
			)
		}
		if passphrase, err = e.C.NewPassphrase(); err != nil {
			return reply, err
		}
	}
	rot, err := keys.Rotate(e.C.KeyDir, name, e.C.Rand, passphrase, e.KeyOptions())
	if err != nil {
		return reply, core.ClassifyKey(err)
	}
	if !bytes.Equal(rot.Identity, me.Identity) { // it may be somebody else's, who goes on with it
		return reply, core.ClassifyKey(keys.ErrOvertaken)
	}
	records, err := e.rotation(me, rot, in)
	if err != nil {
		return reply, errors.Join(err, rot.Cancel())
	}
	lines, err := core.WriteLines(records...)
	if err != nil {
		return reply, errors.Join(err, rot.Cancel())
	}
	err = rot.Record(append(slices.Clone(me.Identity), lines...))
	if errors.Is(err, keys.ErrOvertaken) {
		return reply, core.ClassifyKey(err)
	}
	if err != nil {
		return reply, errors.Join(core.ClassifyKey(err), rot.Cancel())
	}
	if err := rot.Commit(in.Destroy); err != nil && !errors.Is(err, keys.ErrFollowed) {
		return reply, core.ClassifyKey(err)
	}
	for _, r := range records {
		reply.Claims = append(reply.Claims, r.Ref().String())
	}
	if err := e.Append(ctx, store.Batch{Records: records}); err != nil {
		return reply, err
	}
	reply.KeyInfo = api.KeyInfo{
		Key: rot.New.DID(), Fingerprint: core.Fingerprint(rot.New.DID()), Role: name, Principal: me.Principal,
		Place: string(rot.New.Place()),
	}
	if name == "owner" {
		reply.Hint = "`key_recovery` makes a recovery key for the new one"
	}
	return reply, e.forgetKeys()
}

// rotation signs what says that one key follows another.
func (e *Keyring) rotation(me *core.Self, rot *keys.Rotation, in api.KeyRequest) ([]*memory.Record, error) {
	if in.Agent {
		grant, err := e.Sign(core.KeyHeader("key rotate"), &memory.Key{
			Op: memory.OpDelegate, Key: rot.New.DID(), Origins: []memory.Origin{
				memory.OriginAgent, memory.OriginImport, memory.OriginTool,
			},
		})
		if err != nil {
			return nil, err
		}
		back, err := e.Sign(
			core.KeyHeader("key rotate"),
			&memory.Key{Op: memory.OpRevoke, Key: rot.Old.DID(), Reason: memory.Superseded},
		)
		return []*memory.Record{grant, back}, err
	}
	by := rot.Old
	if e.C.Recovery != nil {
		phrase, err := e.C.Recovery()
		if err != nil {
			return nil, err
		}
		if by, err = keys.ParseRecovery(phrase); err != nil {
			return nil, core.Invalid("recovery phrase: %s", core.OneLine(err))
		}
		ring := state.NewKeyring(me.KeyRecords...)
		if !ring.Recovers(rot.Old.DID(), by.DID()) {
			return nil, core.Invalid("recovery phrase: it is not that of the recovery key this owner's key committed to")
		}
	}
	h := core.KeyHeader("key rotate")
	h.Space, h.Author, h.Origin, h.At = me.Principal+"/"+
		core.DefaultSpace, by.DID(), memory.OriginOwner, memory.At(e.C.Now())
	var err error
	if h.Nonce, err = e.Nonce(); err != nil {
		return nil, err
	}
	r, err := core.Signed(by, h, &memory.Key{Op: memory.OpRotate, Key: rot.New.DID(), Previous: rot.Old.DID()})
	if err != nil {
		return nil, core.Classify(err)
	}
	sig, err := rot.New.Sign(core.TypeOf(r), r.Bytes)
	if err != nil {
		return nil, err
	}
	r.Sigs = append(r.Sigs, memory.Signature{Key: rot.New.DID(), Sig: sig})
	return []*memory.Record{r}, nil
}
