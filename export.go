package stemma

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// exportPage is how many records are read at a time.
const exportPage = 1000

// ExportReply counts what was written.
type ExportReply struct {
	Records int `json:"records"`
	Purged  int `json:"purged"`

	Secrets map[string]int `json:"secrets,omitempty"` // records in which some stand, by rule: they leave with them
}

// Export writes every record of the spaces that are read, one line each, in the
// order of their logs: the signed bytes as they are. Importing the lines into
// an empty store and exporting again gives the same bytes.
func (e *Engine) Export(ctx context.Context, w io.Writer) (ExportReply, error) {
	return e.export(ctx, w, false)
}

// export is Export; with checkpoints each log is followed by what it is, signed.
func (e *Engine) export(ctx context.Context, w io.Writer, checkpoints bool) (ExportReply, error) {
	var reply ExportReply
	spaces, err := e.shelves(ctx)
	if err != nil {
		return reply, sorted(err)
	}
	buf := bufio.NewWriter(w)
	if err := e.exportKeys(ctx, spaces, buf, &reply); err != nil {
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
	return reply, buf.Flush()
}

// exportKeys writes the key records that the records of spaces were signed
// under, where they stand in another space: a bundle explains itself.
func (e *Engine) exportKeys(ctx context.Context, spaces []string, w io.Writer, reply *ExportReply) error {
	var homes []string
	for _, s := range spaces {
		owner, _, _ := strings.Cut(s, "/")
		home := owner + "/" + DefaultSpace
		if !slices.Contains(spaces, home) && !slices.Contains(homes, home) {
			homes = append(homes, home)
		}
	}
	if len(homes) == 0 {
		return nil
	}
	q := store.Query{Kinds: []memory.Kind{memory.KindKey}, Spaces: homes, Hidden: true, Oldest: true}
	for it, err := range e.store.List(ctx, q) {
		if err != nil {
			return sorted(err)
		}
		if err := exportItem(it, w, reply); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) exportSpace(ctx context.Context, space string, w io.Writer, reply *ExportReply) error {
	o := e.outside(ctx)
	for after := store.Seq(0); ; {
		page, err := e.store.Since(ctx, space, after, exportPage)
		if err != nil || len(page) == 0 {
			o.note(ctx, "export")
			return sorted(err)
		}
		ids := make([]memory.ID, len(page))
		for i, c := range page {
			ids[i] = c.ID
		}
		items, err := e.store.Get(ctx, ids...)
		if err != nil {
			return sorted(err)
		}
		for i, it := range items {
			if it == nil {
				return fmt.Errorf("export: %s is in the log of %s and not in the store", ids[i].Short(), space)
			}
			if err := exportItem(it, w, reply); err != nil {
				return err
			}
			o.take(it)
		}
		after = page[len(page)-1].Seq
	}
}

func exportItem(it *store.Item, w io.Writer, reply *ExportReply) error {
	raw, err := exportLine(it, reply)
	if err != nil {
		return err
	}
	_, err = w.Write(raw)
	return err
}

func exportLine(it *store.Item, reply *ExportReply) ([]byte, error) {
	reply.Records++
	if it.Record == nil {
		reply.Purged++
		return marshalLine(line{Purged: &purged{it.Ref}})
	}
	reply.Secrets = countSecrets(reply.Secrets, secretsIn(it.Record))
	return writeLine(it.Record)
}
