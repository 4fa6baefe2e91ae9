package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/owned"
	"github.com/stemma-memory/stemma/internal/settings"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) storeCmd() *cobra.Command {
	c := cmd("store adopt | list | disown | encrypt | decrypt | passphrase", "Manage your own stores", `Examples:
  stemma store adopt                     this project's store: shows its owner, and asks
  stemma store adopt work/.stemma        another store, by directory or file
  stemma store list
  stemma store disown old/.stemma/memory.db
  stemma store encrypt                   see its help: what is encrypted, and what is not

A store is your own if your programs created it or you adopted it. stemma does not
read any other store that it finds in a project, an archive or a disk, nor the
settings next to it. If you name one with --store, stemma reads it and treats all
its records as external. Agents and servers refuse it`)
	c.AddCommand(a.storeAdopt(), a.storeList(), a.storeDisown(), a.storeEncrypt(), a.storeDecrypt(), a.storePassphrase())
	return c
}

// adoptReply is what was found in a store, and whether it was adopted.
type adoptReply struct {
	Path    string `json:"path"`
	Adopted bool   `json:"adopted"`
	Already bool   `json:"already,omitempty"`  // it was on the list
	Config  string `json:"settings,omitempty"` // the file with settings that come into force with it
	engine.StrangerReply
}

func (a *app) storeAdopt() *cobra.Command {
	c := &cobra.Command{
		Use: "adopt [PATH]", Short: "Show a store's owner, and adopt the store", Args: cobra.MaximumNArgs(1),
		Example: "  stemma store adopt\n  stemma store adopt work/.stemma\n" +
			"  stemma store adopt PATH --expect did:key:z6Mk…    in CI and containers without keys",
		Long: `Shows a store's owner, and adopts the store.

stemma verifies every signature and shows the store's authors before it asks. Only a
person at a terminal can adopt. Without a terminal, use --expect DID. This works only
where there is no owner's key, if that owner keeps the store and every signature is
valid.`,
	}
	expect := c.Flags().String("expect", "", "did:key that must own the store")
	yes := c.Flags().Bool("yes", false, "at a terminal: do not ask for confirmation")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		spec, err := a.adoptable(args)
		if err == nil {
			err = a.mayAdopt(*expect)
		}
		if err != nil {
			return ran{err}
		}
		r, err := a.adopt(cmd.Context(), spec, *expect, *yes)
		if err != nil {
			return ran{err}
		}
		if a.flags.json {
			err = a.printJSON(r)
		}
		if err == nil && !r.Adopted {
			a.hint("nothing changed")
			return errFailed
		}
		if r.Already {
			a.hint("%s is already one of your own stores", clean(r.Path))
		} else {
			a.hint("%s is now one of your own stores; to undo: stemma store disown", clean(r.Path))
		}
		return err
	}
	return c
}

// adoptable returns the store that is meant: what was named, or the nearest.
func (a *app) adoptable(args []string) (string, error) {
	if len(args) == 1 {
		return a.storeAt(args[0])
	}
	if a.storeNamed() {
		return a.storeSpec()
	}
	for _, dir := range a.upwards() {
		file := filepath.Join(dir, projectDir, storeFile)
		if _, err := os.Stat(file); err == nil && !a.flags.user {
			return file, nil
		}
	}
	dir, err := a.dataDir()
	return filepath.Join(dir, storeFile), err
}

// storeAt returns the store that a person names by its file, its directory or the
// directory of its project.
func (a *app) storeAt(name string) (string, error) {
	if name == "" {
		return "", api.Invalid("name a store by its file or directory")
	}
	if store.IsPostgres(name) {
		return name, nil
	}
	path := a.path(strings.TrimPrefix(name, "sqlite:"))
	for _, try := range []string{path, filepath.Join(path, storeFile), filepath.Join(path, projectDir, storeFile)} {
		if info, err := os.Stat(try); err == nil && !info.IsDir() {
			return try, nil
		}
	}
	return path, nil
}

// mayAdopt refuses all but a person at a terminal, and a machine without the keys of
// an owner that names the owner it expects.
func (a *app) mayAdopt(expect string) error {
	if a.origin() == memory.OriginOwner {
		return nil
	}
	keyDir, err := a.keyDir()
	if err != nil {
		return err
	}
	switch {
	case expect == "":
		return onlyPerson{"store adopt: permission denied; only a person at a terminal can adopt a store"}
	case hasKeys(keyDir):
		return onlyPerson{"store adopt: permission denied; there is an owner's key here, so only a person at a terminal " +
			"can adopt a store"}
	}
	return nil
}

// adopt looks at a store, asks, and puts it into the list.
func (a *app) adopt(ctx context.Context, spec, expect string, yes bool) (adoptReply, error) {
	r := adoptReply{Path: store.Address(spec)}
	place := owned.Place{Path: r.Path}
	if !store.IsPostgres(spec) {
		var err error
		place, err = owned.Where(strings.TrimPrefix(spec, "sqlite:"))
		if r.Path = place.Path; errors.Is(err, fs.ErrNotExist) {
			return r, missing{fmt.Sprintf("no store at %s", clean(r.Path))}
		} else if err != nil {
			return r, err
		}
		if config := filepath.Join(filepath.Dir(place.Path),
			configFile); filepath.Base(filepath.Dir(place.Path)) == projectDir {
			if _, err := os.Lstat(config); err == nil {
				r.Config = config
			}
		}
	}
	list, err := a.ownStores()
	if err != nil {
		return r, err
	}
	keyDir, err := a.keyDir()
	if err != nil {
		return r, err
	}
	s, err := engine.LookInto(ctx, a.databases(), spec)
	if errors.Is(err, fs.ErrNotExist) {
		return r, missing{fmt.Sprintf("no store at %s", clean(r.Path))}
	}
	if err != nil {
		return r, err
	}
	defer s.Close()
	if r.StrangerReply, err = s.Look(ctx, engine.Config{KeyDir: keyDir}); err != nil {
		return r, err
	}
	if !a.flags.json {
		a.showStranger(r)
	}
	if len(r.Odd) > 0 {
		return r, notYours{fmt.Sprintf("store adopt: the file contains foreign code (%s) and cannot be adopted; to copy "+
			"its records, use 'stemma --store %s export' and 'stemma import'", line(strings.Join(r.Odd, ", "), 200),
			shellWord(r.Path))}
	}
	if expect != "" {
		if err := expected(r.StrangerReply, expect); err != nil {
			return r, err
		}
	}
	if e, is := list.At(place); is && e.Store == r.Store {
		r.Adopted, r.Already = true, true
		return r, s.Remember(ctx, filepath.Dir(keyDir))
	}
	if a.origin() == memory.OriginOwner && !yes {
		answer, err := a.ask(a.typing(), "adopt it? [y/N] ")
		if err != nil && !errors.Is(err, errQuit) {
			return r, err
		}
		if !strings.EqualFold(answer, "y") && !strings.EqualFold(answer, "yes") {
			return r, nil
		}
	}
	r.Adopted = true
	if r.Config != "" { // it was shown
		c, err := settings.OpenProject(filepath.Dir(keyDir), r.Config)
		if err == nil {
			err = c.ConfirmAll()
		}
		if err != nil {
			return r, err
		}
	}
	if err := s.Remember(ctx, filepath.Dir(keyDir)); err != nil {
		return r, err
	}
	return r, list.Put(owned.Entry{Place: place, Store: r.Store, Owner: r.Keeper, Heads: headsOf(r.StoreHeads),
		Seen: time.Now(), Adopted: time.Now(), How: owned.Adopted})
}

// expected checks that a store is an owner's: they keep it, they speak in it, and every
// signature in it is valid.
func expected(r engine.StrangerReply, did string) error {
	speaks := false
	for _, o := range r.Owners {
		speaks = speaks || o.DID == did && o.Records > 0
	}
	switch {
	case !speaks || r.Keeper != did:
		return notYours{fmt.Sprintf("store adopt: %s is not the owner of this store", line(did, 100))}
	case !r.Sound():
		return notYours{"store adopt: some signatures are invalid; to list them: stemma audit"}
	}
	return nil
}

func (a *app) showStranger(r adoptReply) {
	w := a.env.Stdout
	fmt.Fprintf(w, "store    %s\nname     %s\n", clean(r.Path), line(r.Store, 80))
	keeper := or(r.Keeper, "unknown")
	switch {
	case r.Keeper == "*":
		keeper = "several owners"
	case r.Keeper == r.You && r.You != "":
		keeper += " (you)"
	}
	fmt.Fprintf(w, "kept by  %s\nrecords  %d\n", line(keeper, 100), r.Records)
	if r.First != "" {
		fmt.Fprintf(w, "since    %s\n", minute(r.First))
	}
	for _, o := range r.Owners {
		you := ""
		if o.You {
			you = ", you"
		}
		fmt.Fprintf(w, "author   %s  %s%s\n         %s\n", line(o.DID, 100), count(o.Records, "record", "records"), you,
			line(o.Fingerprint, 100))
	}
	sound := "all signatures are valid"
	if !r.Sound() {
		sound = a.paint(red, "problems found")
	}
	if r.Records == 0 {
		sound = "no records"
	}
	fmt.Fprintf(w, "audit    %s: %s\n", countsOf(r.Audit.Counts), sound)
	for _, f := range r.Audit.Offenders {
		fmt.Fprintf(w, "         %s  %s: %s\n", f.Status, shortRef(f.Ref), whole(f.Why))
	}
	if r.Config != "" {
		fmt.Fprintf(w, "settings %s take effect with it\n", clean(r.Config))
	}
}

// listedStore is one of the person's own stores.
type listedStore struct {
	Path    string `json:"path"`
	Store   string `json:"store"`
	Owner   string `json:"owner,omitempty"`
	Records int64  `json:"records"` // when its logs were last noted
	Adopted string `json:"adopted"`
	How     string `json:"how"`
	There   string `json:"there"` // yes, gone, another: another file lies there; unknown: it is on a server
}

func (a *app) storeList() *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List your own stores",
		Example: "  stemma store list\n  stemma store list --json", Args: cobra.NoArgs}
	c.RunE = func(*cobra.Command, []string) error {
		list, err := a.ownStores()
		if err != nil {
			return ran{err}
		}
		out := []listedStore{}
		for _, e := range list.All() {
			out = append(out, listedStore{e.Path, e.Store, e.Owner, e.Size(), memory.At(e.Adopted).String(),
				string(e.How), there(list, e)})
		}
		if list.Problem() != "" {
			a.hint("%s", list.Problem())
		}
		if a.flags.json {
			return a.printJSON(map[string]any{"stores": out, "problem": list.Problem()})
		}
		if len(out) == 0 {
			a.hint("no stores on your list")
			return nil
		}
		var rows [][]string
		for _, s := range out {
			rows = append(rows, []string{clean(s.Path), line(s.Store, 40), minute(s.Adopted), s.How, s.There})
		}
		a.table(a.env.Stdout, []column{{title: "Path", wide: true}, {title: "Store"}, {title: "Adopted"},
			{title: "How"}, {title: "There"}}, rows)
		return nil
	}
	return c
}

// there says whether a store of the list is still where it was.
func there(list *owned.List, e owned.Entry) string {
	if strings.Contains(e.Path, "://") {
		return "unknown"
	}
	place, err := owned.Where(e.Path)
	if err != nil {
		return "gone"
	}
	if _, is := list.At(place); !is {
		return "another"
	}
	return "yes"
}

func (a *app) storeDisown() *cobra.Command {
	c := &cobra.Command{Use: "disown PATH", Short: "Remove a store from your list; the store does not change",
		Example: "  stemma store disown old/.stemma/memory.db", Args: cobra.ExactArgs(1)}
	c.RunE = func(_ *cobra.Command, args []string) error {
		if a.origin() != memory.OriginOwner {
			return ran{onlyPerson{"store disown: permission denied; only a person at a terminal can disown a store"}}
		}
		path, err := a.disownable(args[0])
		if err != nil {
			return ran{err}
		}
		list, err := a.ownStores()
		if err != nil {
			return ran{err}
		}
		found, err := list.Drop(path)
		if err == nil && !found {
			err = missing{fmt.Sprintf("%s is not one of your stores; to list them: stemma store list", clean(path))}
		}
		if err != nil {
			return ran{err}
		}
		if a.flags.json {
			return a.printJSON(map[string]any{"path": path, "disowned": true})
		}
		a.hint("%s is no longer one of your own stores; the store did not change", clean(path))
		return nil
	}
	return c
}

// disownable returns the path under which the list has what a person names, which need
// not be there any more.
func (a *app) disownable(name string) (string, error) {
	spec, err := a.storeAt(name)
	if err != nil {
		return "", err
	}
	if store.IsPostgres(spec) {
		return store.Address(spec), nil
	}
	place, err := owned.Where(spec)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return place.Path, err
}
