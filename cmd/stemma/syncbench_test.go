//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var records = flag.Int("records", 5_000, "records that the benchmark exchanges")

// anInvitation is what 'hub invite' prints.
var anInvitation = regexp.MustCompile(`stemma-invitation-\S+`)

// BenchmarkSync pushes records from a store to a hub and pulls them into another store, each a process of its
// own that is begun for it, with their defaults: over HTTP on the loopback, verified at each
// end. The hub is on a file; with STEMMA_TEST_POSTGRES, on PostgreSQL too.
//
//	go test ./cmd/stemma -run '^$' -bench Sync -benchtime 1x -records 100000
func BenchmarkSync(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { syncSpeed(b, "") })
	b.Run("postgres", func(b *testing.B) {
		admin := os.Getenv(postgresVar)
		if admin == "" {
			b.Skip("optional data: " + postgresVar + " names no server")
		}
		syncSpeed(b, admin)
	})
}

func syncSpeed(b *testing.B, admin string) {
	from, to, hub := b.TempDir(), b.TempDir(), b.TempDir()
	stemma := func(dir string, args ...string) *exec.Cmd {
		c := exec.Command("stemma", args...)
		c.Dir, c.Env = dir, append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "STEMMA_HUB_DIR="+hub)
		return c
	}
	must := func(c *exec.Cmd) string {
		b.Helper()
		out, err := c.CombinedOutput()
		if err != nil {
			b.Fatalf("%v: %v\n%s", c.Args, err, out)
		}
		return string(out)
	}
	// a person at a terminal
	person := func(dir string, args ...string) string {
		b.Helper()
		c := stemma(dir)
		c.Path, c.Args = "/usr/bin/script", []string{"script", "-qec", "exec stemma " + strings.Join(args, " "), os.DevNull}
		return must(c)
	}
	var lines bytes.Buffer
	for i := range *records {
		line, err := json.Marshal(
			map[string]string{
				"id":   strconv.Itoa(i),
				"text": fmt.Sprintf("belief %d is about as long as a sentence that somebody would write down", i),
			},
		)
		if err != nil {
			b.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	in := stemma(from, "import", "jsonl", "-", "--source", "beliefs")
	in.Stdin = &lines
	must(in)
	if err := os.Mkdir(filepath.Join(to, "stemma"), 0o700); err != nil {
		b.Fatal(err)
	}
	also := func(what string) { // the same person on another machine
		must(exec.Command("cp", "-a", filepath.Join(from, "stemma", what), filepath.Join(to, "stemma", what)))
	}
	also("keys")
	if admin != "" {
		address, role, drop, err := schemaAt(admin)
		if err != nil {
			b.Fatal(err)
		}
		defer drop()
		must(stemma(hub, "hub", "migrate", "--admin", address, "--role", role))
	}
	must(stemma(hub, "hub", "init", "--name", "hub.test"))
	serving := stemma(hub, "hub", "serve", "--addr", "127.0.0.1:0")
	out, err := serving.StdoutPipe()
	if err == nil {
		err = serving.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		_ = serving.Process.Signal(os.Interrupt)
		_ = serving.Wait()
	}()
	var url string
	if _, err := fmt.Fscanln(out, &url); err != nil {
		b.Fatal(err)
	}
	code := anInvitation.FindString(must(stemma(hub, "hub", "invite")))
	person(from, "remote", "add", "--raw", "team", url, "--invitation", code)
	also("hubs")
	person(to, "remote", "add", "--raw", "team", url)
	const keys = 2 // the owner's, and that he let the agent speak
	measured := func(what, dir, said string) {
		began := time.Now()
		if got, want := must(stemma(dir, "sync")), fmt.Sprintf(said, *records+keys); !strings.Contains(got, want) {
			b.Fatalf("%s: %s, want %s", what, got, want)
		}
		b.ReportMetric(float64(*records)/time.Since(began).Seconds(), what+"/s")
	}
	for b.Loop() { // once: then there is nothing to exchange
		measured("pushed", from, "%d records given")
		measured("pulled", to, "0 records given, %d taken")
		least := time.Hour
		for range 5 {
			began := time.Now()
			must(stemma(from, "sync"))
			least = min(least, time.Since(began))
		}
		b.ReportMetric(float64(least.Microseconds())/1000, "idle-ms")
		if b.N > 1 {
			b.Fatal("-benchtime 1x: what was exchanged once is not exchanged again")
		}
	}
}
