package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/durable"
	"github.com/stemma-memory/stemma/internal/hub"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/metrics"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// hubPlace is the directory of a hub that is run here.
type hubPlace struct {
	dir string
	hubFile
}

// hubFile is what stands in it beside the hub's key. The address of a database holds
// a password, so the file is its owner's alone.
type hubFile struct {
	Name  string `json:"name,omitempty"`
	Store string `json:"store,omitempty"`
	Wants string `json:"wants,omitempty"` // the database that migrate was asked for, until the hub has an address there
}

// wanted names a database on a server without who asks it, or his password.
func wanted(address string) string {
	u, err := url.Parse(address)
	switch {
	case address == "":
		return ""
	case err != nil || u.Host == "":
		return "PostgreSQL"
	}
	return u.Host + u.Path
}

const (
	hubConfig    = "hub.json"
	hubKeys      = "keys"
	hubStoreFile = "hub.db"
	hubMetrics   = "metrics.token" // what /metrics is shown for
)

// hubShown is a hub as its verbs tell of it.
type hubShown struct {
	Name  string `json:"name"`
	Key   string `json:"key,omitempty"` // did:key that signs its checkpoints
	Store string `json:"store"`         // without its password
	Dir   string `json:"dir"`
}

func (a *app) hubCmd() *cobra.Command {
	c := cmd(groupStore, "hub", "Run a hub that joins many stores, or join one", `Examples:
  stemma hub init --name memory.example.org
  stemma hub serve --addr 0.0.0.0:7465 --cert cert.pem --key key.pem
  stemma hub invite
  stemma hub join https://memory.example.org:7465 --invitation stemma-invitation-…
  stemma hub status

A hub keeps the spaces of many people on one database, PostgreSQL or a file, and
gives each what is theirs. docs/how-to/hub.md tells how to run one`)
	dir := c.PersistentFlags().String("dir", "", "directory of the hub (default: STEMMA_HUB_DIR, or 'hub' beside your own store)")
	c.AddCommand(a.hubInitCmd(dir), a.hubServeCmd(dir), a.hubMigrateCmd(dir), a.hubInviteCmd(dir), a.hubUninviteCmd(dir), a.hubMemberCmd(dir),
		a.hubTokenCmd(dir), a.hubQuotaCmd(dir), a.hubStatusCmd(dir), a.hubJoinCmd())
	return c
}

// hubAt reads what is known of the hub of a directory.
func (a *app) hubAt(dir string) (*hubPlace, error) {
	if dir = or(dir, a.env.Getenv("STEMMA_HUB_DIR")); dir == "" {
		data, err := a.dataDir()
		if err != nil {
			return nil, err
		}
		dir = filepath.Join(data, "hub")
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(a.env.Dir, dir)
	}
	p := &hubPlace{dir: dir}
	raw, err := os.ReadFile(filepath.Join(dir, hubConfig))
	if errors.Is(err, fs.ErrNotExist) {
		err, raw = nil, []byte("{}")
	}
	if err == nil {
		err = json.Unmarshal(raw, &p.hubFile)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(dir, hubConfig), err)
	}
	p.Store = or(a.env.Getenv("STEMMA_HUB_STORE"), p.Store)
	return p, nil
}

func (p *hubPlace) save() error {
	raw, err := json.MarshalIndent(p.hubFile, "", "  ")
	if err != nil {
		return err
	}
	return writePrivate(filepath.Join(p.dir, hubConfig), append(raw, '\n'))
}

// writePrivate writes a whole file that its owner alone reads.
func writePrivate(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // made 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = durable.Rename(f.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// open opens the hub's database.
func (p *hubPlace) open(ctx context.Context) (*sqlstore.Hub, error) {
	if p.Name == "" || p.Store == "" {
		return nil, stemma.Invalid("there is no hub in %s: 'stemma hub init --name NAME' makes one, and --dir says where another is", p.dir)
	}
	h, err := sqlstore.OpenHub(ctx, p.Store, sqlstore.Options{})
	if errors.Is(err, store.ErrRole) {
		return nil, stemma.Invalid("%s", oneText(err))
	}
	if err != nil {
		return nil, hubAway{errors.New(oneText(err))}
	}
	return h, nil
}

func oneText(err error) string { return strings.Join(strings.Split(err.Error(), "\n"), "; ") }

// key gives the hub's key, made on first use.
func (p *hubPlace) key(a *app) (*keys.Key, error) {
	ring, err := keys.Open(filepath.Join(p.dir, hubKeys), a.random(), func(owner, _ *keys.Key) ([]byte, error) {
		return []byte("the keys of a hub\n"), nil
	})
	if err != nil {
		return nil, err
	}
	return ring.Owner, nil
}

// withHub runs a verb on the hub's database.
func (a *app) withHub(dir *string, do func(ctx context.Context, h *sqlstore.Hub, p *hubPlace, args []string) (any, error), show func(any)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		p, err := a.hubAt(*dir)
		if err != nil {
			return ran{err}
		}
		h, err := p.open(cmd.Context())
		if err != nil {
			return ran{err}
		}
		out, err := do(cmd.Context(), h, p, args)
		if err = errors.Join(hubKind(err), h.Close()); err != nil {
			return ran{err}
		}
		if a.flags.json {
			return a.printJSON(out)
		}
		show(out)
		return nil
	}
}

// hubKind gives an error of a hub's database the kind that faces know.
func hubKind(err error) error {
	if errors.Is(err, store.ErrAbsent) {
		return stemma.Invalid("there is no such account, member or token")
	}
	return err
}

func (a *app) hubInitCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "init", Short: "Make a hub", Args: cobra.NoArgs, Long: `Examples:
  stemma hub init --name memory.example.org
  stemma hub init --name team --on /srv/team/hub.db
  stemma hub migrate --admin postgres://…  and then
  stemma hub init --name memory.example.org

Make a hub: its key, its name, for which its tokens are good, and its database,
unless 'stemma hub migrate' made that. Where migrate was asked for a database and
did not get through, no file takes its place. Said again it shows what there is`}
	name := c.Flags().String("name", "", "what the hub is called; it does not change")
	on := c.Flags().String("on", "", "database: a file or a postgres:// address (default: a file beside the hub's key)")
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		p, err := a.hubAt(*dir)
		if err != nil {
			return ran{err}
		}
		switch {
		case p.Name == "" && *name == "":
			return fmt.Errorf("hub init: --name says what the hub is called")
		case p.Name != "" && *name != "" && *name != p.Name:
			return ran{stemma.Invalid("the hub in %s is called %s, and its tokens are good for that name; --dir names another place", p.dir, p.Name)}
		case strings.ContainsAny(*name, " \t\r\n\"\\") || len(*name) > 200:
			return fmt.Errorf("hub init: a name is one word, such as the name of the machine")
		}
		if wants := or(p.Wants, wanted(a.env.Getenv("STEMMA_HUB_ADMIN"))); wants != "" && p.Store == "" && *on == "" {
			return ran{stemma.Invalid("is this hub to be on %s? 'stemma hub migrate' has not prepared that yet: do it first, or give the address "+
				"of the role that serves it with --on; --on FILE makes a hub on a file", clean(wants))}
		}
		if *on != "" && !strings.Contains(*on, ":") && !filepath.IsAbs(*on) {
			*on = filepath.Join(a.env.Dir, *on) // it is served from wherever
		}
		p.Name, p.Wants = or(p.Name, *name), ""
		if p.Store = or(*on, p.Store); p.Store == "" {
			p.Store = filepath.Join(p.dir, hubStoreFile)
		}
		if _, err := p.key(a); err != nil {
			return ran{err}
		}
		if err := p.save(); err != nil {
			return ran{err}
		}
		h, err := p.open(cmd.Context())
		if err != nil {
			return ran{err}
		}
		shown, err := a.hubShown(p, h)
		if err = errors.Join(err, h.Close()); err != nil {
			return ran{err}
		}
		if a.flags.json {
			return a.printJSON(shown)
		}
		fmt.Fprintf(a.env.Stdout, "hub %s\nkey %s\nstore %s\n", clean(shown.Name), shown.Key, clean(shown.Store))
		there := ""
		if *dir != "" {
			there = " --dir " + clean(*dir)
		}
		a.hint("'stemma hub serve%s' serves it; 'stemma hub invite%s' lets somebody in", there, there)
		return nil
	}
	return c
}

func (a *app) hubShown(p *hubPlace, h *sqlstore.Hub) (hubShown, error) {
	key, err := p.key(a)
	if err != nil {
		return hubShown{}, err
	}
	return hubShown{Name: p.Name, Key: key.DID(), Store: h.Name(), Dir: p.dir}, nil
}

func (a *app) hubServeCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "serve", Short: "Serve the hub", Args: cobra.NoArgs, Long: `Examples:
  stemma hub serve                                     on this machine alone
  stemma hub serve --addr 0.0.0.0:7465 --cert cert.pem --key key.pem
  stemma hub serve --addr 10.0.0.5:7465 --insecure-http    behind something that encrypts

Serve the hub until it is stopped. It logs a line of JSON for each request to
standard error, without anything that is remembered; /healthz says whether the
database answers, and /metrics counts, for the token in metrics.token beside its
key. OTEL_EXPORTER_OTLP_ENDPOINT names a collector to send traces and metrics to`}
	l := hub.Listen{}
	c.Flags().StringVar(&l.Addr, "addr", "127.0.0.1:7465", "where to listen")
	c.Flags().StringVar(&l.Cert, "cert", "", "file of the certificate, PEM")
	c.Flags().StringVar(&l.Key, "key", "", "file of its key, PEM")
	c.Flags().BoolVar(&l.Insecure, "insecure-http", false, "plain http to other machines")
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		p, err := a.hubAt(*dir)
		if err != nil {
			return ran{err}
		}
		h, err := p.open(cmd.Context())
		if err != nil {
			return ran{err}
		}
		a.closes = append(a.closes, h.Close)
		a.roomy()
		key, err := p.key(a)
		if err != nil {
			return ran{err}
		}
		token, err := access.KeepOne(filepath.Join(p.dir, hubMetrics), "stemma-metrics-")
		if err != nil {
			return ran{err}
		}
		log := slog.New(slog.NewJSONHandler(a.env.Stderr, nil))
		say := func(err error) { log.Warn("telemetry", "error", err.Error()) }
		s, err := hub.New(hub.Options{
			Store: h, Key: key, Name: p.Name, Log: log, Metrics: token,
			Traces: a.traces(say), Sends: metrics.FromEnv("", a.env.Getenv, a.env.Version, say),
		})
		if err != nil {
			return ran{err}
		}
		l.Ready = func(url string) {
			if a.flags.json {
				_ = a.printJSON(map[string]string{"url": url, "name": p.Name})
				return
			}
			fmt.Fprintln(a.env.Stdout, url)
		}
		a.serving()
		return asRan(s.Run(cmd.Context(), l))
	}
	return c
}

// hubMigrated is what migrate did, without the password it made.
type hubMigrated struct {
	Role   string `json:"role"`
	Made   bool   `json:"made"`
	Tables int    `json:"tables"`
	Saved  string `json:"saved,omitempty"` // where the address for the role was written
}

func (a *app) hubMigrateCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "migrate", Short: "Make or update a hub's tables on PostgreSQL, and the role that serves it", Args: cobra.NoArgs, Long: `Examples:
  stemma hub migrate --admin 'postgres://postgres@db.example.org/memory'
  STEMMA_HUB_ADMIN=postgres://… stemma hub migrate --role team_hub

Make the tables of a hub, or bring them to this version, with the row-level
security that keeps its members apart, and the role that serves it: one that owns
nothing and cannot lift that security. The address for a new role, with its
password, is written into the hub's directory, readable by you alone. Do it after
every upgrade, before 'stemma hub serve'`}
	admin := c.Flags().String("admin", "", "postgres:// address of a role that owns the tables and may make roles (default: STEMMA_HUB_ADMIN)")
	role := c.Flags().String("role", "stemma_hub", "name of the role that serves the hub")
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		p, err := a.hubAt(*dir)
		if err != nil {
			return ran{err}
		}
		address := or(*admin, a.env.Getenv("STEMMA_HUB_ADMIN"))
		if !sqlstore.OnServer(address) {
			return fmt.Errorf("hub migrate: --admin is the address of a database, postgres://…; a hub on a file needs none")
		}
		if p.Store != "" && !sqlstore.OnServer(p.Store) {
			return ran{stemma.Invalid("the hub in %s is on the file %s, and nothing of that goes to a server; --dir names another place", p.dir, p.Store)}
		}
		if p.Store == "" { // should it fail, init must not make a file instead
			p.Wants = wanted(address)
			if err := p.save(); err != nil {
				return ran{err}
			}
		}
		m, err := sqlstore.MigrateHub(cmd.Context(), address, *role)
		if errors.Is(err, store.ErrRole) {
			err = stemma.Invalid("%s", oneText(err))
		} else if err != nil {
			err = hubAway{errors.New(oneText(err))}
		}
		if err != nil {
			return ran{err}
		}
		out := hubMigrated{Role: m.Role, Made: m.Made, Tables: m.Tables}
		if m.Address != "" {
			p.Store, p.Wants, out.Saved = m.Address, "", filepath.Join(p.dir, hubConfig)
			if err := p.save(); err != nil {
				return ran{err}
			}
		}
		if a.flags.json {
			return a.printJSON(out)
		}
		fmt.Fprintf(a.env.Stdout, "%s behind row-level security, served by role %s\n", count(m.Tables, "table", "tables"), clean(m.Role))
		if out.Saved != "" {
			a.hint("the address for the role is in %s", out.Saved)
		}
		switch {
		case p.Store == "":
			a.hint("the role was there already: 'stemma hub init --name NAME --on ADDRESS' makes the hub, with the role's address, postgres://%s:PASSWORD@%s", clean(m.Role), clean(p.Wants))
		case p.Name == "":
			a.hint("'stemma hub init --name NAME' makes the hub")
		}
		return nil
	}
	return c
}
