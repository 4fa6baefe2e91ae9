package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/hub"
	"github.com/stemma-memory/stemma/internal/metrics"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/hubstore"
)

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

func (a *app) hubCmd() *cobra.Command {
	c := cmd("hub", "Run a hub for many stores, or join one", `Examples:
  stemma hub init --name memory.example.org
  stemma hub serve --addr 0.0.0.0:7465 --cert cert.pem --key key.pem
  stemma hub invite
  stemma hub join https://memory.example.org:7465 --invitation stemma-invitation-…
  stemma hub status

A hub keeps the spaces of many people in one database (PostgreSQL or a file) and
gives each person only their own. docs/how-to/hub.md explains how to run one`)
	dir := c.PersistentFlags().String("dir", "",
		"directory of the hub (default: STEMMA_HUB_DIR, or 'hub' next to your own store)")
	c.AddCommand(a.hubInitCmd(dir), a.hubServeCmd(dir), a.hubMigrateCmd(dir), a.hubShardCmd(dir),
		a.hubInviteCmd(dir), a.hubUninviteCmd(dir),
		a.hubMemberCmd(dir), a.hubAccountCmd(dir),
		a.hubOidcCmd(dir), a.hubTokenCmd(dir), a.hubQuotaCmd(dir), a.hubArchiveCmd(dir), a.hubExportCmd(dir),
		a.hubStatusCmd(dir), a.hubJoinCmd())
	return c
}

func (a *app) hubInitCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "init", Short: "Create a hub", Args: cobra.NoArgs, Long: `Examples:
  stemma hub init --name memory.example.org
  stemma hub init --name team --on /srv/team/hub.db
  stemma hub migrate --admin postgres://…  and then
  stemma hub init --name memory.example.org

Creates the hub's key, its name and its database. Tokens are valid for that name
only. If you prepare PostgreSQL with 'stemma hub migrate', run that first: if it
fails, init does not fall back to a file. Run init again to show the hub`}
	name := c.Flags().String("name", "", "name of the hub; it cannot change")
	on := c.Flags().String("on", "", "database: a file or a postgres:// address (default: a file next to the hub's key)")
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		p, err := a.hubAt(*dir)
		if err != nil {
			return ran{err}
		}
		switch {
		case p.Name == "" && *name == "":
			return fmt.Errorf("hub init: needs --name")
		case p.Name != "" && *name != "" && *name != p.Name:
			return ran{api.Invalid("the hub in %s is named %s, and its tokens are valid for that name; use --dir for "+
				"another hub", p.dir, p.Name)}
		case strings.ContainsAny(*name, " \t\r\n\"\\") || len(*name) > 200:
			return fmt.Errorf("hub init: the name must be one word, such as the host name")
		}
		if wants := or(p.Wants, wanted(a.env.Getenv("STEMMA_HUB_ADMIN"))); wants != "" && p.Store == "" && *on == "" {
			return ran{api.Invalid("%s is not prepared yet: run 'stemma hub migrate' first, or give the address "+
				"of the serving role with --on; for a hub in a file, use --on FILE", clean(wants))}
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
		a.hint("to start it: stemma hub serve%s; to invite people: stemma hub invite%s", there, there)
		return nil
	}
	return c
}

func (a *app) hubServeCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "serve", Short: "Start the hub", Args: cobra.NoArgs, Long: `Examples:
  stemma hub serve                                     for this machine only
  stemma hub serve --addr 0.0.0.0:7465 --cert cert.pem --key key.pem
  stemma hub serve --addr 10.0.0.5:7465 --insecure-http    behind a proxy that encrypts

Runs until you stop it. The hub logs one JSON line per request to standard error,
without memory content. /healthz shows whether the database answers, /livez whether
the hub runs. /metrics needs the token in metrics.token, next to the hub's key. The
hub reads a renewed certificate by itself. Set OTEL_EXPORTER_OTLP_ENDPOINT
to send traces and metrics to a collector`}
	l := hub.Listen{}
	c.Flags().StringVar(&l.Addr, "addr", "127.0.0.1:7465", "address to listen on")
	c.Flags().StringVar(&l.Cert, "cert", "", "certificate file (PEM)")
	c.Flags().StringVar(&l.Key, "key", "", "key file (PEM)")
	c.Flags().BoolVar(&l.Insecure, "insecure-http", false, "allow plain HTTP to other machines")
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
			Store: h, Key: key, Name: p.Name, Log: log, Metrics: token, Version: a.env.Version,
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
	Shards int    `json:"shards"`
	Saved  string `json:"saved,omitempty"` // where the address for the role was written
}

func (a *app) hubMigrateCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "migrate", Short: "Create or update a hub's tables and role on PostgreSQL",
		Args: cobra.NoArgs, Long: `Examples:
  stemma hub migrate --admin 'postgres://postgres@db.example.org/memory'
  STEMMA_HUB_ADMIN=postgres://… stemma hub migrate --role team_hub

Creates the tables of a hub or updates them to this version. Row-level security
separates its members. The serving role owns nothing and cannot lift that security.
stemma writes the address of a new role, with its password, to the hub's directory,
readable only by you. Run it after every upgrade, before 'stemma hub serve'`}
	admin := c.Flags().String("admin", "", "postgres:// address of a role that owns the tables and can create roles, "+
		"or @FILE with it (default: STEMMA_HUB_ADMIN)")
	role := c.Flags().String("role", "stemma_hub", "name of the role that serves the hub")
	shards := c.Flags().Int("shards", 0, "number of shards, 1 to 256 (default: as many as there are)")
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		p, err := a.hubAt(*dir)
		if err != nil {
			return ran{err}
		}
		address, err := a.addressIn(or(*admin, a.env.Getenv("STEMMA_HUB_ADMIN")))
		if err != nil {
			return ran{err}
		}
		if !store.IsPostgres(address) {
			return fmt.Errorf("hub migrate: needs --admin with a postgres:// address; a hub in a file needs no migration")
		}
		if p.Store != "" && !store.IsPostgres(p.Store) {
			return ran{api.Invalid("the hub in %s uses the file %s, which cannot move to a server; use --dir for another "+
				"hub", p.dir, p.Store)}
		}
		if cmd.Flags().Changed("shards") && *shards == 0 {
			return fmt.Errorf("%s: a hub has 1 to 256 shards, not 0", c.CommandPath())
		}
		if p.Store == "" { // should it fail, init must not make a file instead
			p.Wants = wanted(address)
			if err := p.save(); err != nil {
				return ran{err}
			}
		}
		m, err := hubstore.Migrate(cmd.Context(), address, *role, *shards)
		if errors.Is(err, store.ErrRole) {
			err = api.Invalid("%s", oneText(err))
		} else if err != nil {
			err = hubAway{errors.New(oneText(err))}
		}
		if err != nil {
			return ran{err}
		}
		out := hubMigrated{Role: m.Role, Made: m.Made, Tables: m.Tables, Shards: m.Shards}
		if m.Address != "" {
			p.Store, p.Wants, out.Saved = m.Address, "", filepath.Join(p.dir, hubConfig)
			if err := p.save(); err != nil {
				return ran{err}
			}
		}
		if a.flags.json {
			return a.printJSON(out)
		}
		fmt.Fprintf(a.env.Stdout, "%s with row-level security, served by role %s\n", count(m.Tables, "table", "tables"),
			clean(m.Role))
		if m.Shards > 1 {
			fmt.Fprintln(a.env.Stdout, count(m.Shards, "shard", "shards"))
		}
		if out.Saved != "" {
			a.hint("the role's address is in %s", out.Saved)
		}
		switch {
		case p.Store == "":
			a.hint("the role already exists; to create the hub: stemma hub init --name NAME --on postgres://%s:PASSWORD@%s",
				clean(m.Role), clean(p.Wants))
		case p.Name == "":
			a.hint("to create the hub: stemma hub init --name NAME")
		}
		return nil
	}
	return c
}
