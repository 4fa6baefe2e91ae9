package main

import (
	"crypto/rand"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/rogpeppe/go-internal/testscript"
)

// postgresVar names the server that tests may use.
const postgresVar = "STEMMA_TEST_POSTGRES"

// postgres makes a schema of its own for a script, where there is a server, and
// drops it afterwards.
func postgres(env *testscript.Env) error {
	dsn := os.Getenv(postgresVar)
	if dsn == "" {
		return nil
	}
	address, name, drop, err := schemaAt(dsn)
	if err != nil {
		return err
	}
	env.Defer(drop)
	env.Setenv("pg", address)
	env.Setenv("role", name)
	return nil
}

// schemaAt makes a schema, and gives the address that leads to it, its name, and what
// drops it and the role of its name, which only some make.
func schemaAt(dsn string) (address, name string, drop func(), err error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return "", "", nil, err
	}
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		return "", "", nil, err
	}
	name = fmt.Sprintf("script_%x", func() []byte { b := make([]byte, 6); _, _ = rand.Read(b); return b }())
	if _, err := db.Exec("CREATE SCHEMA " + name); err != nil {
		return "", "", nil, err
	}
	q := u.Query()
	q.Set("search_path", name)
	u.RawQuery = q.Encode()
	return u.String(), name, func() {
		_, _ = db.Exec("DROP SCHEMA " + name + " CASCADE")
		for no := range 5 { // of a hub with shards
			_, _ = db.Exec(fmt.Sprintf("DROP SCHEMA IF EXISTS %s_shard_%03d CASCADE", name, no))
		}
		_, _ = db.Exec("DROP OWNED BY " + name)
		_, _ = db.Exec("DROP ROLE IF EXISTS " + name)
		db.Close()
	}, nil
}

// database VAR makes a database of its own, for scripts in which one is dumped and
// brought back; $server is the server's address and $dbname the name.
func database(ts *testscript.TestScript, _ bool, args []string) {
	dsn := os.Getenv(postgresVar)
	db, err := sql.Open("pgx", dsn)
	ts.Check(err)
	name := ts.Getenv("role") + "_db"
	_, err = db.Exec("CREATE DATABASE " + name)
	ts.Check(err)
	ts.Defer(func() {
		_, _ = db.Exec("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)")
		db.Close()
	})
	u, err := url.Parse(dsn)
	ts.Check(err)
	u.Path = "/" + name
	ts.Setenv(args[0], u.String())
	ts.Setenv("dbname", name)
	ts.Setenv("server", dsn)
}

// archiving VAR starts a server of its own that archives its log; $PITR is its directory.
func archiving(ts *testscript.TestScript, _ bool, args []string) {
	script := filepath.Join(ts.Getenv("SCRIPTS"), "pitr.sh")
	out, err := exec.Command(script, "start").Output()
	ts.Check(err)
	address, dir, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	dir = strings.TrimPrefix(dir, "STEMMA_PITR_DIR=")
	ts.Defer(func() { ts.Check(exec.Command(script, "stop", dir).Run()) })
	ts.Setenv(args[0], strings.TrimPrefix(address, "STEMMA_PITR_ADDRESS="))
	ts.Setenv("PITR", dir)
}

// schema FILE|ADDRESS [N] says of a store that its schema is of a version, and without
// one again what it was at first.
func schema(ts *testscript.TestScript, _ bool, args []string) {
	driver, address, set := "sqlite", "file:"+ts.MkAbs(args[0]), "PRAGMA user_version = %s"
	read := "PRAGMA user_version"
	if strings.HasPrefix(args[0], "postgres://") {
		driver, address, set, read = "pgx", args[0], "UPDATE meta SET value = '%s' WHERE name = 'schema'",
			"SELECT value FROM meta WHERE name = 'schema'"
	}
	db, err := sql.Open(driver, address)
	ts.Check(err)
	defer db.Close()
	var was string
	ts.Check(db.QueryRow(read).Scan(&was))
	first := "schema of " + args[0]
	if len(args) == 1 {
		was = ts.Getenv(first)
	} else {
		if ts.Getenv(first) == "" {
			ts.Setenv(first, was)
		}
		was = args[1]
	}
	_, err = db.Exec(fmt.Sprintf(set, was))
	ts.Check(err)
}
