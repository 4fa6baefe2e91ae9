package main

import (
	"bytes"
	"crypto/rand"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/rogpeppe/go-internal/testscript"
)

// programDir is where the stemma that is measured stands.
var programDir string

func TestMain(m *testing.M) {
	if name := filepath.Base(os.Args[0]); strings.HasSuffix(strings.TrimSuffix(name, ".exe"), ".test") {
		if err := build(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	testscript.Main(leaving{m}, map[string]func(){"stemma-lab": main})
}

// leaving removes the program when the tests are over.
type leaving struct{ *testing.M }

func (l leaving) Run() int {
	defer os.RemoveAll(programDir)
	return l.M.Run()
}

// build makes the stemma that is measured, and puts it on PATH.
func build() (err error) {
	if programDir, err = os.MkdirTemp("", "stemma-lab-*"); err != nil {
		return err
	}
	name := filepath.Join(programDir, "stemma")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", name, "../stemma").CombinedOutput(); err != nil {
		return fmt.Errorf("building stemma: %w\n%s", err, out)
	}
	return os.Setenv("PATH", programDir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// TestScripts drives the program as a user would. Each script has an empty home of its own; $pg
// is a PostgreSQL schema of its own where there is a server.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("XDG_DATA_HOME", filepath.Join(env.WorkDir, "data"))
			env.Setenv("TZ", "UTC")
			return postgres(env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exitcode": exitCode},
		Condition: func(name string) (bool, error) {
			if name != "postgres" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return os.Getenv("STEMMA_TEST_POSTGRES") != "", nil
		},
	})
}

// postgres makes a schema for a script, where there is a server, and drops it afterwards.
func postgres(env *testscript.Env) error {
	dsn := os.Getenv("STEMMA_TEST_POSTGRES")
	if dsn == "" {
		return nil
	}
	u, err := url.Parse(dsn)
	if err != nil {
		return err
	}
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		return err
	}
	name := "lab_" + strings.ToLower(rand.Text())
	if _, err := db.Exec("CREATE SCHEMA " + name); err != nil {
		return err
	}
	env.Defer(func() {
		_, _ = db.Exec("DROP SCHEMA " + name + " CASCADE")
		db.Close()
	})
	q := u.Query()
	q.Set("search_path", name)
	u.RawQuery = q.Encode()
	env.Setenv("pg", u.String())
	return nil
}

// exitcode N COMMAND… runs a command, which must end with N, say why in one line on standard
// error and print nothing else. The line is in the file said.
func exitCode(ts *testscript.TestScript, _ bool, args []string) {
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "HOME="+ts.Getenv("HOME"), "XDG_DATA_HOME="+ts.Getenv("XDG_DATA_HOME"),
		"TMPDIR="+ts.Getenv("TMPDIR"))
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	_ = cmd.Run() // the code says it
	said, _, _ := strings.Cut(errOut.String(), "\nexamples: stemma-lab")
	said, _, _ = strings.Cut(said, "\nthe verbs: stemma-lab")
	said = strings.TrimSuffix(said, "\n")
	if got := fmt.Sprint(cmd.ProcessState.ExitCode()); got != args[0] || out.Len() > 0 || said == "" ||
		strings.Contains(said, "\n") {
		ts.Fatalf("%v: exit code %s, want %s and one line\n%s%s", args[1:], got, args[0], out.String(), errOut.String())
	}
	ts.Check(os.WriteFile(ts.MkAbs("said"), []byte(said+"\n"), 0o600))
}
