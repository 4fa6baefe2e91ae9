package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/hubstore"
	"github.com/stemma-memory/stemma/memory"
)

// hubExported is what 'hub export' wrote.
type hubExported struct {
	File    string   `json:"file"`
	Spaces  []string `json:"spaces"`
	Records int      `json:"records"`
	Purged  int      `json:"purged"`
}

func (a *app) hubExportCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "export ACCOUNT | SPACE", Short: "Export an account's spaces, or one space, as a bundle",
		Args: cobra.ExactArgs(1), Long: `Examples:
  stemma hub export did:key:z6Mb… --out ann.jsonl
  stemma hub export did:key:z6Mk…/main --out team.jsonl
  stemma audit ann.jsonl

Writes every record of the spaces that an account owns, or of one space, with the
keys that signed them. 'stemma audit' checks the file without a hub, 'stemma import'
reads it. An ended account can be exported too. The file holds all words: it is
readable by you alone`}
	out := c.Flags().String("out", "", "file to write; it must not exist")
	c.RunE = a.withHub(dir, func(ctx context.Context, h *hubstore.Hub, _ *hubPlace, args []string) (any, error) {
		if *out == "" {
			return nil, api.Invalid("--out: name the file to write")
		}
		spaces, err := exportedSpaces(ctx, h, args[0])
		if err != nil {
			return nil, err
		}
		path := *out
		if !filepath.IsAbs(path) {
			path = filepath.Join(a.env.Dir, path)
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return nil, api.Invalid("--out: %s", err)
		}
		x := &hubExport{w: bufio.NewWriter(f), done: hubExported{File: path, Spaces: spaces}}
		if err = errors.Join(x.write(ctx, h, spaces), x.w.Flush(), f.Sync(), f.Close()); err != nil {
			return nil, errors.Join(err, os.Remove(path))
		}
		return x.done, nil
	}, func(v any) {
		x := v.(hubExported)
		fmt.Fprintf(a.env.Stdout, "%s: %s of %s\n", clean(x.File), count(x.Records, "record", "records"),
			count(len(x.Spaces), "space", "spaces"))
		if x.Purged > 0 {
			a.hint("%s purged: only the IDs are in the file", count(x.Purged, "record was", "records were"))
		}
	})
	return c
}

// exportedSpaces returns the spaces of an account, or the one that is named.
func exportedSpaces(ctx context.Context, h *hubstore.Hub, of string) ([]string, error) {
	if strings.Contains(of, "/") {
		if err := checkSpace(of); err != nil {
			return nil, err
		}
		begun, err := h.Begun(ctx, of)
		if err == nil && !begun {
			err = api.Invalid("no space %s at this hub: 'stemma hub status' lists the spaces", clean(of))
		}
		return []string{of}, err
	}
	if _, err := h.Account(ctx, of); err != nil {
		return nil, err
	}
	spaces, err := h.SpacesOf(ctx, of)
	if err == nil && len(spaces) == 0 {
		err = api.Invalid("the account %s has no space at this hub", clean(of))
	}
	return spaces, err
}

// hubExport writes a bundle: keys first, then the logs, then what ends keys. After the end of a key nothing that it
// signed would be accepted.
type hubExport struct {
	w    *bufio.Writer
	done hubExported
}

func (x *hubExport) write(ctx context.Context, h *hubstore.Hub, spaces []string) error {
	groups, err := h.Spread(ctx, spaces)
	if err != nil {
		return err
	}
	var ends []*store.Item
	for _, group := range groups {
		keyed, err := h.Keyed(ctx, group...)
		if err != nil {
			return err
		}
		keyed = slices.DeleteFunc(keyed, func(s string) bool { return slices.Contains(group, s) })
		s, err := h.Within(ctx, store.Sight{Reads: group, Keys: keyed})
		if err != nil {
			return err
		}
		q := store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true, Oldest: true}
		for it, err := range s.List(ctx, q) {
			if err != nil {
				return err
			}
			switch {
			case it.Record == nil || slices.Contains(group, it.Record.Header.Space):
			case it.Record.Ends():
				ends = append(ends, it)
			default:
				if err := x.line(it); err != nil {
					return err
				}
			}
		}
		for _, space := range group {
			if err := x.log(ctx, s, space); err != nil {
				return err
			}
		}
	}
	for _, it := range ends {
		if err := x.line(it); err != nil {
			return err
		}
	}
	return nil
}

// log writes the log of a space.
func (x *hubExport) log(ctx context.Context, s store.Store, space string) error {
	const page = 1000
	for after := store.Seq(0); ; {
		all, err := s.Listed(ctx, space, after, page)
		if err != nil || len(all) == 0 {
			return err
		}
		ids := make([]memory.ID, len(all))
		for i, l := range all {
			ids[i], after = l.Ref.ID, l.Seq
		}
		items, err := s.Get(ctx, ids...)
		if err != nil {
			return err
		}
		for i, it := range items {
			if it == nil {
				return fmt.Errorf("%w: %s is in the log of %s and not in the store", store.ErrDamaged, ids[i].Short(), space)
			}
			if err := x.line(it); err != nil {
				return err
			}
		}
	}
}

func (x *hubExport) line(it *store.Item) error {
	x.done.Records++
	raw, err := []byte(nil), error(nil)
	if it.Record == nil {
		x.done.Purged++
		raw, err = core.MarshalLine(core.Line{Purged: &core.Purged{Ref: it.Ref}})
	} else {
		raw, err = core.WriteLine(it.Record)
	}
	if err == nil {
		_, err = io.Writer(x.w).Write(raw)
	}
	return err
}
