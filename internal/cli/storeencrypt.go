package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/convert"
	"github.com/stemma-memory/stemma/memory"
)

// encryptReply is what was done to a store.
type encryptReply struct {
	Path        string   `json:"path"`
	Encrypted   bool     `json:"encrypted"`
	Passphrase  string   `json:"passphrase_file,omitempty"`
	RecoveryKey string   `json:"recovery_file,omitempty"` // the file that it was written to
	Readable    []string `json:"readable,omitempty"`      // copies that are known and stay as they are
}

func (a *app) storeEncrypt() *cobra.Command {
	c := &cobra.Command{
		Use: "encrypt", Short: "Keep the store encrypted", Args: cobra.NoArgs,
		Example: "  stemma store encrypt\n  stemma store encrypt --recovery-to /media/stick/stemma-recovery",
		Long: `Encrypts the store's file, in place, for a person at a terminal.

Encrypted: all of the store (words, index, vectors, log), its backups, its receipts,
and events of hooks that wait. Then sqlite3 and other programs see no words in it.
Not encrypted: keys, settings, remotes, names of directories and sessions in the data
directory, the cache, exports, shared folders, hubs, and backups made before.

The passphrase is in a file that the setting store.passphrase names. It is made if it
is not there. Hooks and servers read it, so they need no terminal. Who has that file
and the store reads everything: keep the file away from copies of the store.

You must store the recovery key first: type it back, or write it to a file. Without
the passphrase file and the recovery key, nothing can be read again.

No other process may have the store open. On SSDs, in snapshots and old backups, and
in git, earlier words may stay; nothing can promise to erase these`,
	}
	to := c.Flags().String("recovery-to", "", "write the recovery key to this new file instead of asking for it")
	c.RunE = func(cmd *cobra.Command, _ []string) error { return a.ranOf(a.encrypt(cmd.Context(), *to)) }
	return c
}

func (a *app) storeDecrypt() *cobra.Command {
	c := &cobra.Command{
		Use: "decrypt", Short: "Make an encrypted store readable again", Args: cobra.NoArgs,
		Example: "  stemma store decrypt", Long: `Decrypts the store's file, in place, for a person at a terminal.`,
	}
	c.RunE = func(cmd *cobra.Command, _ []string) error { return a.ranOf(a.decrypt(cmd.Context())) }
	return c
}

func (a *app) storePassphrase() *cobra.Command {
	c := &cobra.Command{
		Use: "passphrase", Short: "Give an encrypted store a new passphrase", Args: cobra.NoArgs,
		Example: "  stemma store passphrase                     the old file is kept beside, with .old\n" +
			"  stemma store passphrase --recovery          asks for the recovery key\n" +
			"  stemma store passphrase --recovery-file /media/stick/stemma-recovery",
		Long: `Makes a new passphrase file for the store. Backups and other stores keep the old one.`,
	}
	recovery := c.Flags().Bool("recovery", false, "with the recovery key, if the passphrase is lost")
	file := c.Flags().String("recovery-file", "", "file with the recovery key")
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		return a.ranOf(a.renewPassphrase(*recovery || *file != "", *file))
	}
	return c
}

// ranOf prints what was done.
func (a *app) ranOf(r encryptReply, err error) error {
	if err == nil && a.flags.json {
		err = a.printJSON(r)
	}
	if err != nil {
		return ran{err}
	}
	return nil
}

// convertible returns the file of the store that is meant, for a person.
func (a *app) convertible(act string) (string, error) {
	if a.origin() != memory.OriginOwner {
		return "", onlyPerson{"store " + act + ": permission denied; only a person at a terminal can do this"}
	}
	spec, err := a.spec()
	switch {
	case err != nil:
		return "", err
	case store.IsPostgres(spec):
		return "", api.Invalid("this store is in PostgreSQL, whose server encrypts: put its data directory and its backups " +
			"on an encrypted disk, and use sslmode=verify-full")
	case spec == "mem":
		return "", api.Invalid("a store in memory has no file to encrypt")
	}
	path, err := filepath.Abs(strings.TrimPrefix(spec, "sqlite:"))
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return "", missing{"there is no store at " + path}
	}
	return path, nil
}

// settled takes in what waits for the store, and closes it.
func (a *app) settled(ctx context.Context) error {
	a.writes = true // a stranger's store is refused
	e, err := a.open(ctx)
	if err != nil {
		return err
	}
	spool, err := a.spool()
	if err == nil && spool.Count() > 0 {
		err = conflicts("events of hooks still wait for the store; see `stemma hook status`")
	}
	a.engine = nil
	return errors.Join(err, e.Close())
}

// convertPatience is how long hooks and commands may take that have the store open.
const convertPatience = 3 * time.Second

// convert changes the file, the list of own stores and the receipts.
func (a *app) convert(ctx context.Context, path string, key *atrest.Key, head *atrest.Head) error {
	err := convert.File(ctx, path, key, head, convertPatience)
	if errors.Is(err, store.ErrBusy) {
		return fmt.Errorf("%w: %s is open in another process: stop what uses it (a server, an agent), and run this again",
			api.ErrUnavailable, path)
	}
	if err != nil {
		return err
	}
	spec, err := a.storeSpec()
	if err != nil {
		return err
	}
	if err := a.restored(ctx, spec); err != nil {
		return err
	}
	return a.reseal(ctx)
}

// reseal seals the receipts of the store, or makes them readable.
func (a *app) reseal(ctx context.Context) error {
	e, err := a.open(ctx)
	if err != nil {
		return err
	}
	return e.Reseal()
}

func (a *app) encrypt(ctx context.Context, to string) (r encryptReply, err error) {
	if r.Path, err = a.convertible("encrypt"); err != nil {
		return r, err
	}
	h, err := atrest.ReadHead(r.Path)
	if err != nil {
		return r, err
	}
	if h != nil { // what a process left that was killed is done now
		if err := a.reseal(ctx); err != nil {
			return r, err
		}
		return r, conflicts("%s is encrypted already", r.Path)
	}
	if a.flags.json && to == "" {
		return r, api.Invalid("--json: the recovery key must go to a file: --recovery-to FILE")
	}
	pass, name, write, err := a.passToUse()
	if err != nil {
		return r, err
	}
	if err := a.settled(ctx); err != nil {
		return r, err
	}
	if err := a.recoveryStored(to, &r, func(recovery string) (*atrest.Key, *atrest.Head, error) {
		key, err := atrest.NewKey()
		if err != nil {
			return nil, nil, err
		}
		head, err := atrest.NewHead(key, pass, []byte(recovery))
		return key, head, err
	}, func(key *atrest.Key, head *atrest.Head) error {
		if err := write(); err != nil {
			return err
		}
		atrest.Hold(key)
		return a.convert(ctx, r.Path, key, head)
	}); err != nil {
		return r, err
	}
	r.Encrypted, r.Passphrase, r.Readable = true, name, a.readableCopies(ctx)
	a.hint("%s is encrypted now; sqlite3 and the SQL view show no words of it", clean(r.Path))
	a.hint("hooks and servers open it with %s: keep a copy of that file, but not with copies of the store", clean(name))
	a.hint("not encrypted: keys, settings, the cache, exports, shared folders and hubs, and what was copied before")
	for _, file := range r.Readable {
		a.hint("a copy from before is readable: %s", clean(file))
	}
	return r, nil
}

// recoveryStored makes a recovery key, goes on only when the person has stored it, and says when
// nothing was changed.
func (a *app) recoveryStored(
	to string, r *encryptReply, wrap func(recovery string) (*atrest.Key, *atrest.Head, error),
	do func(*atrest.Key, *atrest.Head) error,
) error {
	recovery, err := atrest.NewRecovery()
	if err != nil {
		return err
	}
	key, head, err := wrap(recovery)
	if err != nil {
		return err
	}
	if to != "" {
		r.RecoveryKey = a.path(to)
		if filepath.Dir(r.RecoveryKey) == filepath.Dir(r.Path) {
			return api.Invalid("--recovery-to: %s is next to the store; name a file elsewhere", r.RecoveryKey)
		}
		if err := writeSecret(r.RecoveryKey, recovery); err != nil {
			return err
		}
		return do(key, head)
	}
	fmt.Fprintf(a.env.Stderr, "recovery key, shown once; write it down and keep it away from this machine:\n\n  %s\n\n",
		recovery)
	typed, err := a.ask(a.typing(), "type it back, or paste it from where you stored it: ")
	if err != nil {
		return err
	}
	if !atrest.Same([]byte(typed), []byte(recovery)) {
		return api.Invalid("that is not the recovery key; nothing was changed")
	}
	return do(key, head)
}

// readableCopies are backups that are known and still there.
func (a *app) readableCopies(ctx context.Context) (files []string) {
	for _, c := range a.engine.BackupsMade(ctx) {
		if h, err := atrest.ReadHead(c); err == nil && h == nil {
			files = append(files, c)
		}
	}
	return files
}

func (a *app) decrypt(ctx context.Context) (r encryptReply, err error) {
	if r.Path, err = a.convertible("decrypt"); err != nil {
		return r, err
	}
	h, err := atrest.ReadHead(r.Path)
	if err != nil {
		return r, err
	}
	if h == nil {
		return r, conflicts("%s is not encrypted", r.Path)
	}
	if err := a.settled(ctx); err != nil {
		return r, err
	}
	if err := a.convert(ctx, r.Path, nil, nil); err != nil {
		return r, err
	}
	a.hint("%s is not encrypted any more; the passphrase file stays, for backups and other stores", clean(r.Path))
	return r, nil
}

func (a *app) renewPassphrase(recovers bool, file string) (r encryptReply, err error) {
	if r.Path, err = a.convertible("passphrase"); err != nil {
		return r, err
	}
	h, err := atrest.ReadHead(r.Path)
	if err != nil {
		return r, err
	}
	if h == nil {
		return r, conflicts("%s is not encrypted; to encrypt it: stemma store encrypt", r.Path)
	}
	var secret []byte
	if recovers {
		if file != "" {
			secret, err = secretFile("--recovery-file", a.path(file))
		} else {
			secret, err = a.askSecret("recovery key: ")
		}
		if err == nil {
			secret, err = atrest.ParseRecovery(string(secret))
		}
		if err != nil {
			return r, api.Invalid("%v", err)
		}
	}
	var key *atrest.Key
	if recovers {
		key, err = h.Unwrap(atrest.ByRecovery, secret)
	} else if err = sqlstore.Unlock(r.Path, a.passes); err == nil {
		key = atrest.Held(h.Name)
	}
	if errors.Is(err, atrest.ErrSecret) {
		return r, api.Invalid("this recovery key does not open %s; nothing was changed", r.Path)
	}
	if err != nil {
		return r, err
	}
	name, err := a.passPlace()
	if err != nil {
		return r, err
	}
	text, err := atrest.NewPassphrase()
	if err != nil {
		return r, err
	}
	next, err := h.With(key, atrest.ByPassphrase, []byte(text))
	if err != nil {
		return r, err
	}
	if err := writeSecret(name+newPass, text); err != nil { // before the head: it opens the store if this ends between
		return r, err
	}
	if err := atrest.Rewrite(r.Path, next); err != nil {
		return r, err
	}
	if err := os.Rename(name, name+oldPass); err != nil && !os.IsNotExist(err) {
		return r, err
	}
	r.Encrypted, r.Passphrase = true, name
	if err := os.Rename(name+newPass, name); err != nil {
		return r, err
	}
	a.hint("%s opens with %s; backups open with the passphrase they were made with, in %s.old", clean(r.Path), clean(name),
		clean(name))
	return r, nil
}
