package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	_ "modernc.org/sqlite" // the store's own driver
)

// hookSettings are the hooks in a host's settings, or in a plugin.
type hookSettings struct {
	Hooks map[string][]struct {
		Hooks []struct{ Command string }
	}
}

// replay SETTINGS[,SETTINGS] EVENTS hands recorded events of a host, one a line, to the commands
// that its settings name for them, by way of sh and at once as the host does. What the commands
// print is in EVENT.out. A command that fails or says something on standard error fails the
// script.
func replay(ts *testscript.TestScript, _ bool, args []string) {
	var all []hookSettings
	for _, name := range strings.Split(args[0], ",") {
		var settings hookSettings
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(name)), &settings))
		all = append(all, settings)
	}
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		var event map[string]any
		ts.Check(json.Unmarshal([]byte(line), &event))
		if event["cwd"] == "" {
			event["cwd"] = ts.MkAbs(".")
		}
		input, err := json.Marshal(event)
		ts.Check(err)
		name, _ := event["hook_event_name"].(string)
		var commands []*exec.Cmd
		for _, settings := range all {
			if len(settings.Hooks[name]) == 0 {
				ts.Fatalf("no hook for %s", name)
			}
			for _, group := range settings.Hooks[name] {
				for _, h := range group.Hooks {
					cmd := exec.Command("sh", "-c", h.Command)
					cmd.Dir, cmd.Env, cmd.Stdin = ts.MkAbs("."), environ(ts), strings.NewReader(string(input))
					cmd.Stdout, cmd.Stderr = new(strings.Builder), new(strings.Builder)
					ts.Check(cmd.Start())
					commands = append(commands, cmd)
				}
			}
		}
		said := ""
		for _, cmd := range commands {
			err := cmd.Wait()
			if wrong := fmt.Sprint(cmd.Stderr); err != nil || wrong != "" {
				ts.Fatalf("%v: %v\n%s", cmd.Args, err, wrong)
			}
			said += fmt.Sprint(cmd.Stdout)
		}
		if said != "" {
			ts.Check(os.WriteFile(ts.MkAbs(name+".out"), []byte(said), 0o600))
		}
	}
}

// nowhere WORDS fails where a file of the store, the spool, the logs or the keys holds
// them.
func nowhere(ts *testscript.TestScript, _ bool, args []string) {
	files := 0
	err := filepath.WalkDir(ts.Getenv("XDG_DATA_HOME"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if strings.Contains(strings.ToLower(string(text)), strings.ToLower(args[0])) {
			ts.Fatalf("%s holds %q", path, args[0])
		}
		return err
	})
	ts.Check(err)
	if files == 0 {
		ts.Fatalf("there are no files")
	}
}

// holding are the transactions that scripts hold open, by script.
type holding struct {
	db   *sql.DB
	conn *sql.Conn

	collected func() string // what came to the collector
}

type holdingKey struct{}

// busy FILE begins a write in a store and does not end it, so that no one else can
// write; free ends it.
func busy(ts *testscript.TestScript, _ bool, args []string) {
	db, err := sql.Open("sqlite", "file:"+ts.MkAbs(args[0]))
	ts.Check(err)
	conn, err := db.Conn(context.Background())
	ts.Check(err)
	_, err = conn.ExecContext(context.Background(), "BEGIN IMMEDIATE")
	ts.Check(err)
	*ts.Value(holdingKey{}).(*holding) = holding{db: db, conn: conn}
}

func free(ts *testscript.TestScript, _ bool, _ []string) {
	h := ts.Value(holdingKey{}).(*holding)
	_, err := h.conn.ExecContext(context.Background(), "ROLLBACK")
	ts.Check(err)
	ts.Check(h.conn.Close())
	ts.Check(h.db.Close())
}
