package intake

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// exportAll writes every record of the spaces that are read; with checkpoints each log is
// followed by what it is, signed.
func (e *Intake) exportAll(ctx context.Context, w io.Writer, checkpoints bool) (api.ExportReply, error) {
	var reply api.ExportReply
	spaces, err := e.NamedSpaces(ctx)
	if err != nil {
		return reply, core.Classify(err)
	}
	buf := bufio.NewWriter(w)
	begin, end, err := e.keysFromOtherSpaces(ctx, spaces)
	if err != nil {
		return reply, err
	}
	if err := exportItems(begin, buf, &reply); err != nil {
		return reply, err
	}
	for _, space := range spaces {
		if err := e.exportSpace(ctx, space, buf, &reply); err != nil {
			return reply, err
		}
		if !checkpoints {
			continue
		}
		if err := e.exportCheckpoints(ctx, buf, []string{space}); err != nil {
			return reply, err
		}
	}
	if err := exportItems(end, buf, &reply); err != nil {
		return reply, err
	}
	return reply, buf.Flush()
}

// keysFromOtherSpaces returns the key records of other spaces under which the records of
// spaces were signed, so that a bundle can be verified by itself. Records that end a key come
// last: after one, nothing that the key signed would be accepted.
func (e *Intake) keysFromOtherSpaces(ctx context.Context, spaces []string) (begin, end []*store.Item, err error) {
	homes := make(map[string]bool)
	for _, s := range spaces {
		owner, _, _ := strings.Cut(s, "/")
		homes[owner+"/"+core.DefaultSpace] = true
	}
	var all []*store.Item
	var rs []*memory.Record
	others := false
	for it, err := range e.Store.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true, Oldest: true}) {
		if err != nil {
			return nil, nil, core.Classify(err)
		}
		if it.Record == nil {
			continue
		}
		if rs = append(rs, it.Record); !slices.Contains(spaces, it.Record.Header.Space) {
			all = append(all, it)
			others = others || !homes[it.Record.Header.Space]
		}
	}
	concern := make(map[memory.ID]bool)
	if others {
		if err := e.concerned(ctx, spaces, rs, concern); err != nil {
			return nil, nil, err
		}
	}
	for _, it := range all {
		switch {
		case !homes[it.Record.Header.Space] && !concern[it.Ref.ID]:
		case it.Record.Ends():
			end = append(end, it)
		default:
			begin = append(begin, it)
		}
	}
	return begin, end, nil
}

// concerned notes the key records about those who wrote in spaces: members of a shared
// one, and their agents.
func (e *Intake) concerned(ctx context.Context, spaces []string, rs []*memory.Record, into map[memory.ID]bool) error {
	book := peer.NewKeyBook(rs)
	var wrote []string
	for _, did := range book.DIDs() {
		q := store.Query{
			Author: did, Spaces: spaces, Kinds: append(memory.Memories(), memory.Claims()...), Hidden: true,
			Limit: 1,
		}
		for _, err := range e.Store.List(ctx, q) {
			if err != nil {
				return core.Classify(err)
			}
			wrote = append(wrote, did)
		}
	}
	for _, k := range book.Concern(wrote) {
		into[k.ID] = true
	}
	return nil
}

func exportItems(items []*store.Item, w io.Writer, reply *api.ExportReply) error {
	for _, it := range items {
		if err := exportItem(it, w, reply); err != nil {
			return err
		}
	}
	return nil
}

func (e *Intake) exportSpace(ctx context.Context, space string, w io.Writer, reply *api.ExportReply) error {
	o := e.receipts.Outside(e.trust.Reading(ctx))
	for after := store.Seq(0); ; {
		page, err := e.Store.Since(ctx, space, after, core.ExportPage)
		if err != nil || len(page) == 0 {
			o.Note(e.trust.Reading(ctx), "export")
			return core.Classify(err)
		}
		ids := make([]memory.ID, len(page))
		for i, c := range page {
			ids[i] = c.ID
		}
		items, err := e.Store.Get(ctx, ids...)
		if err != nil {
			return core.Classify(err)
		}
		for i, it := range items {
			if it == nil {
				return fmt.Errorf("export: %s is in the log of %s and not in the store", ids[i].Short(), space)
			}
			if err := exportItem(it, w, reply); err != nil {
				return err
			}
			o.Take(it)
		}
		after = page[len(page)-1].Seq
	}
}

func exportItem(it *store.Item, w io.Writer, reply *api.ExportReply) error {
	raw, err := exportLine(it, reply)
	if err != nil {
		return err
	}
	_, err = w.Write(raw)
	return err
}

func exportLine(it *store.Item, reply *api.ExportReply) ([]byte, error) {
	reply.Records++
	if it.Record == nil {
		reply.Purged++
		return core.MarshalLine(core.Line{Purged: &core.Purged{Ref: it.Ref}})
	}
	reply.Secrets = core.CountSecrets(reply.Secrets, core.SecretsIn(it.Record))
	return core.WriteLine(it.Record)
}
