package exchange

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A witness request travels as a bundle: the memory with the keys behind it, and
// one line that asks. That line is no record: no one keeps it.

// asking is the signed part of a request, in canonical form.
type asking struct {
	V       int        `json:"v"`
	Kind    string     `json:"kind"` // request
	From    string     `json:"from"` // who asks: the key that signs
	To      string     `json:"to"`   // who is asked: a did:key
	Of      memory.Ref `json:"of"`
	At      string     `json:"at"`
	Expires string     `json:"expires"`
	Nonce   string     `json:"nonce"`
}

// requestKind makes the payload type of a request.
const requestKind = "request"

// requestLasts is how long a request can be answered by default.
const requestLasts = 14 * 24 * time.Hour

// mostAsked is how many persons one call may ask.
const mostAsked = 100

// AskWitness makes a request for a person's word about a memory, or one for each of
// several. It holds the memory and no more of what it rests on; raw words stay here
// unless the memory is one. No one is asked if one of them cannot be.
func (e *Exchange) AskWitness(ctx context.Context, in api.AskRequest) (api.AskReply, error) {
	var reply api.AskReply
	it, err := e.ResolveMemory(ctx, in.Ref)
	if err != nil {
		return reply, err
	}
	if it.Record == nil {
		return reply, core.Conflict("%s was purged", it.Ref.Short())
	}
	v, err := e.trust.Reading(ctx).TrustContext()
	if err != nil {
		return reply, err
	}
	whom, err := e.askedOf(v, append([]string{in.To}, in.Also...))
	if err != nil {
		return reply, err
	}
	until, err := e.keyring.Until("expires", in.Expires)
	if err != nil {
		return reply, err
	}
	if until.IsZero() {
		until = memory.At(e.C.Now().Add(requestLasts))
	}
	var about bytes.Buffer
	if err := e.writeKeys(ctx, &about, it.Record); err != nil {
		return reply, err
	}
	var all bytes.Buffer
	var each []api.AskReply
	for _, to := range whom {
		line, id, err := e.askLine(it.Ref, to, until)
		if err != nil {
			return reply, err
		}
		all.Write(line)
		each = append(
			each,
			api.AskReply{
				Request: id, Ref: it.Ref.String(), To: to, Expires: until.String(),
				Bundle: about.String() + string(line),
			},
		)
	}
	reply = each[0]
	reply.Bundle = about.String() + all.String()
	for n, one := range each {
		if n > 0 {
			reply.Others = append(reply.Others, api.AskedOther{Request: one.Request, To: one.To})
		}
		if in.Via == "" {
			continue
		}
		// each is sent their own, and does not learn who else is asked
		if reply.Via, err = e.postRequest(ctx, v, in.Via, it.Record, one); err != nil && n > 0 {
			err = fmt.Errorf("%d of %d requests were sent, the next not: %w", n, len(each), err)
		}
		if err != nil {
			return reply, err
		}
	}
	return reply, nil
}

// askedOf finds the keys of those who are to be asked, each person once.
func (e *Exchange) askedOf(v *trust.Context, names []string) ([]string, error) {
	me, err := e.OwnKeys()
	if err != nil {
		return nil, err
	}
	if len(names) > mostAsked {
		return nil, core.Invalid("also: at most %d persons can be asked at once, got %d", mostAsked, len(names))
	}
	var out, principals []string
	for _, name := range names {
		to, err := e.trust.KeyNamed(v, name)
		if err != nil {
			return nil, err
		}
		who := v.Ring.Principal(to)
		if who == me.Principal {
			return nil, core.Conflict("the key is your own, and no one vouches for themselves")
		}
		if !slices.Contains(principals, who) {
			out, principals = append(out, to), append(principals, who)
		}
	}
	return out, nil
}

// askLine is the signed line of a request, and its id.
func (e *Exchange) askLine(of memory.Ref, to string, until memory.Time) (line []byte, id string, err error) {
	me, err := e.OwnKeys()
	if err != nil {
		return nil, "", err
	}
	key := me.Agent
	if e.C.Origin == memory.OriginOwner && me.Owner != nil {
		key = me.Owner
	}
	q := asking{
		V: 1, Kind: requestKind, From: key.DID(), To: to, Of: of, At: memory.At(e.C.Now()).String(),
		Expires: until.String(),
	}
	if q.Nonce, err = e.Nonce(); err != nil {
		return nil, "", err
	}
	payload, err := canon.Marshal(q)
	if err != nil {
		return nil, "", err
	}
	payloadType := keys.PayloadType(requestKind, q.V)
	sig, err := key.Sign(payloadType, payload)
	if err != nil {
		return nil, "", core.ClassifyKey(err)
	}
	asks, err := json.Marshal(map[string]any{"request": envelope.Envelope{
		Payload: payload, PayloadType: payloadType, Signatures: []envelope.Signature{{KeyID: key.DID(), Sig: sig}},
	}})
	return append(asks, '\n'), requestID(payload), err
}

func requestID(payload []byte) string {
	sum := sha256.Sum256(payload)
	return hex.EncodeToString(sum[:])
}

// writeKeys writes the key records of this store, and a record.
func (e *Exchange) writeKeys(ctx context.Context, w io.Writer, rs ...*memory.Record) error {
	me, err := e.OwnKeys()
	if err != nil {
		return err
	}
	all := slices.Clone(me.KeyRecords)
	for it, err := range e.Store.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true, Oldest: true}) {
		if err != nil {
			return core.Classify(err)
		}
		if it.Record == nil {
			continue
		}
		k, ok := it.Record.Body.(*memory.Key)
		if ok && k.Op != memory.OpIntroduce && !slices.ContainsFunc(
			all, func(r *memory.Record) bool { return r.ID == it.Ref.ID },
		) {
			all = append(all, it.Record)
		}
	}
	lines, err := core.WriteLines(append(all, rs...)...)
	if err != nil {
		return err
	}
	_, err = w.Write(lines)
	return err
}

// AnswerWitness takes in a request and answers it. One that has expired, is for
// another, is not signed as it should be or was answered before is refused.
func (e *Exchange) AnswerWitness(ctx context.Context, in api.AnswerRequest) (api.AnswerReply, error) {
	if in.Via != "" {
		return e.answerMessage(ctx, in)
	}
	return e.answer(ctx, in)
}

// answer is AnswerWitness of a request that is at hand.
func (e *Exchange) answer(ctx context.Context, in api.AnswerRequest) (api.AnswerReply, error) {
	var reply api.AnswerReply
	me, err := e.OwnKeys()
	if err != nil {
		return reply, err
	}
	mine := []string{me.Principal, me.Agent.DID()}
	if me.Owner != nil {
		mine = append(mine, me.Owner.DID())
	}
	records, q, id, err := e.readRequest(ctx, in.Bundle, mine)
	if err != nil {
		return reply, err
	}
	reply.Request, reply.From, reply.Expires = id, q.From, q.Expires
	v, err := e.trust.Reading(ctx).TrustContext()
	if err != nil {
		return reply, err
	}
	reply.Name = v.NameOf(v.Ring.Principal(q.From))
	if !slices.Contains(mine, q.To) {
		return reply, &core.Failure{
			Kind: api.ErrForbidden,
			Text: "the request is for " + core.Fingerprint(q.To) + ", which is not one of your keys",
		}
	}
	until, err := core.ParseTime("expires", q.Expires)
	if err != nil || !until.Time().After(e.C.Now()) {
		return reply, core.Conflict("the request expired on %s; ask for a new one", q.Expires)
	}
	at := slices.IndexFunc(records, func(r *memory.Record) bool { return r.Ref() == q.Of })
	if at < 0 {
		return reply, core.Invalid("the request asks about %s, which is not in it", q.Of.Short())
	}
	subject := records[at]
	item := &store.Item{Ref: subject.Ref(), Record: subject, State: state.Initial(subject)}
	reply.Memory = views.View(item)
	if in.Attestation == "" {
		return reply, nil
	}
	before, err := e.answered(ctx, v, q.Of, id)
	if err != nil {
		return reply, err
	}
	if before != nil && in.Via != "" && before.Body.(*memory.Witness).Attestation == in.Attestation {
		return reply, e.handBack(ctx, &reply, before) // it was kept here, and may not have gone out
	}
	if before != nil {
		return reply, core.Conflict(
			"the request was answered before, by %s; a changed mind is `witness %s attestation=confirm|dispute|partial`",
			before.Ref().Short(), q.Of.Short(),
		)
	}
	claim, redacted, err := e.lifecycle.Attest(
		ctx, item, &memory.Witness{Of: q.Of, Attestation: in.Attestation, Notes: in.Notes, Request: id},
	)
	if err != nil {
		return reply, err
	}
	// whatever else a stranger sent along with the request is dropped
	kept := slices.DeleteFunc(
		records, func(r *memory.Record) bool { return r != subject && r.Header.Kind != memory.KindKey },
	)
	if err := e.Append(ctx, store.Batch{Records: append(kept, claim)}); err != nil {
		return reply, err
	}
	reply.Redacted = redacted
	return reply, e.handBack(ctx, &reply, claim)
}

// handBack builds the bundle with the witness for the person who asked.
func (e *Exchange) handBack(ctx context.Context, reply *api.AnswerReply, claim *memory.Record) error {
	reply.Claim = claim.Ref().String()
	var b bytes.Buffer
	err := e.writeKeys(ctx, &b, claim)
	reply.Bundle = b.String()
	return err
}

// readRequest reads and verifies requests and the records that come with them. It returns the
// request for one of the given keys, or the first if none is for them.
func (e *Exchange) readRequest(
	ctx context.Context, text string, mine []string,
) (rs []*memory.Record, q asking, id string, err error) {
	ring := state.NewKeyring()
	asked, ours := 0, 0
	var lines []int
	err = core.EachLine(ctx, bytes.NewReader([]byte(text)), func(n int, raw []byte) error {
		var asks struct {
			Request *core.Line `json:"request"`
		}
		if json.Unmarshal(raw, &asks) == nil && asks.Request != nil {
			var one asking
			if err := readAsking(asks.Request, &one); err != nil {
				return core.BadLine(n, err)
			}
			is := slices.Contains(mine, one.To)
			if is {
				ours++
			}
			if asked++; asked == 1 || is {
				q, id = one, requestID(asks.Request.Payload)
			}
			return nil
		}
		r, err := core.ReadLine(raw)
		if errors.Is(err, core.ErrPurged) || errors.Is(err, core.ErrProof) {
			return nil
		}
		if err != nil {
			return core.BadLine(n, err)
		}
		ring.Add(r)
		rs, lines = append(rs, r), append(lines, n)
		return nil
	})
	for i, r := range rs { // once all keys are known: the keys of a space's members may come after their records
		if err == nil {
			err = intake.BadLineIf(lines[i], e.intake.CheckDelegation(ctx, ring, r))
		}
	}
	switch {
	case err == nil && asked == 0:
		err = core.Invalid("it holds 0 requests, want one: `ask_witness` makes them")
	case err == nil && ours > 1:
		err = core.Invalid("it holds %d requests for you, want one: `ask_witness` makes them", ours)
	}
	return rs, q, id, err
}

// asking reads the signed part of a request without trusting it.
func readAsking(l *core.Line, q *asking) error {
	if l.PayloadType != keys.PayloadType(requestKind, 1) || len(l.Signatures) != 1 {
		return errors.New("not a request")
	}
	if err := canon.Check(l.Payload); err != nil {
		return err
	}
	if err := json.Unmarshal(l.Payload, q); err != nil {
		return err
	}
	if again, err := canon.Marshal(*q); err != nil || !bytes.Equal(again, l.Payload) {
		return errors.New("not a request of this version")
	}
	if l.Signatures[0].KeyID != q.From {
		return errors.New("the request is not signed by the person who asks")
	}
	return keys.Verify(q.From, l.PayloadType, l.Payload, l.Signatures[0].Sig)
}

// answered returns the answer that was given to a request here before, or nil.
func (e *Exchange) answered(ctx context.Context, v *trust.Context, of memory.Ref, id string) (*memory.Record, error) {
	claims, err := e.trust.Reading(ctx).Speaking([]memory.ID{of.ID}, memory.KindWitness)
	if err != nil {
		return nil, err
	}
	for _, c := range claims {
		w, ok := c.Record.Body.(*memory.Witness)
		if ok && w.Request == id && v.Controller(c.Record) == v.Root {
			return c.Record, nil
		}
	}
	return nil, nil
}
