package recall

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/quoting"
	"github.com/stemma-memory/stemma/memory"
)

// given is an entry of an answer, of which a proof is to be set.
type given struct {
	ref, text, remote string
	proof             **api.EntryProof
}

// entries are all that an answer gives, what was said around an answer too.
func entries(reply *api.RecallReply) []given {
	var out []given
	for _, all := range [][]api.Recalled{reply.Results, reply.Constraints} {
		for i := range all {
			one := &all[i]
			out = append(out, given{one.Ref, one.Text, one.Remote, &one.Proof})
			for _, turns := range [][]api.Turn{one.Before, one.After} {
				for j := range turns {
					out = append(out, given{turns[j].Ref, turns[j].Text, "", &turns[j].Proof})
				}
			}
		}
	}
	return out
}

// prove adds to an answer what proves its entries. It changes nothing else of it.
func (e *Finder) prove(rd *trust.Reading, reply *api.RecallReply) error {
	all := entries(reply)
	ids := make([]memory.ID, 0, len(all))
	for _, one := range all {
		if ref, err := memory.ParseRef(one.ref); err == nil && one.remote == "" {
			ids = append(ids, ref.ID)
		}
	}
	proven, err := intake.Prove(rd, e.intake, ids)
	if err != nil {
		return err
	}
	items, err := rd.Get(ids...)
	if err != nil {
		return core.Classify(err)
	}
	records := make(map[string]*memory.Record)
	for _, it := range core.Present(items) {
		if it.Record != nil && proven.Here[it.Ref.ID] {
			records[it.Ref.String()] = it.Record
		}
	}
	for _, one := range all {
		p := &api.EntryProof{}
		*one.proof = p
		r := records[one.ref]
		switch {
		case one.remote != "":
			p.Missing = "it is of " + one.remote + ", and nothing of it is here"
			continue
		case r == nil:
			p.Missing = "its record is not here, or its signature does not hold"
			continue
		}
		if spans, ok := quoting.Spans(quoting.Words(r), one.text); ok {
			p.Span = quoting.Written(spans)
		} else {
			p.Missing = "its words are given otherwise than the record has them"
		}
		if by, is := proven.Decided[r.ID]; is {
			p.Decided = by.String()
		}
	}
	if len(records) == 0 {
		return nil
	}
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := zip.Write(proven.Bundle); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	reply.Proofs = base64.StdEncoding.EncodeToString(packed.Bytes())
	return nil
}
