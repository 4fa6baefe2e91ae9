package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/stemma-memory/stemma/internal/model/static/statictest"
	"github.com/stemma-memory/stemma/internal/pack"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"stemma": main, "alone": alone, "operate": operate, "erase": erase, "onlooker": onlooker, "scribble": scribble,
	})
}

// TestScripts drives the real binary as a user would. Each script has an empty
// home of its own; $pg is a PostgreSQL store of its own where there is a server.
func TestScripts(t *testing.T) {
	p := params()
	p.Dir = "testdata"
	testscript.Run(t, p)
}

// params is what all scripts have in common.
func params() testscript.Params {
	return testscript.Params{
		Setup: func(env *testscript.Env) error {
			env.Values[holdingKey{}] = &holding{}
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("XDG_DATA_HOME", filepath.Join(env.WorkDir, "data"))
			env.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			env.Setenv("TZ", "UTC")
			packages, err := filepath.Abs("../../packages")
			if err != nil {
				return err
			}
			env.Setenv("PACKAGES", packages)
			env.Setenv("SCRIPTS", filepath.Join(filepath.Dir(packages), "scripts"))
			// with -race each process would wait a second before it ends
			env.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				env.Setenv("GIT_"+who+"_NAME", "Ada")
				env.Setenv("GIT_"+who+"_EMAIL", "ada@example.org")
				env.Setenv("GIT_"+who+"_DATE", "2026-03-01T10:00:00Z")
			}
			return postgres(env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"set": set, "parallel": parallel, "exitcode": exitCode, "own": own, "model": model, "pack": packed,
			"forge": forge, "chat": chat, "screen": screen, "twoscreens": twoScreens, "ascreen": aScreen,
			"retype":     retype,
			"waitserver": waitServer, "collector": collector, "collected": collected, "port": portOf, "http": request,
			"archiving": archiving,
			"database":  database, "schema": schema, "replay": replay, "nowhere": nowhere, "busy": busy, "free": free,
			"storename": storename, "trigger": trigger, "damage": damage, "embedserver": embedServer, "pagesteps": pageSteps,
			"owninto": ownInto, "oidcprovider": oidcProvider,
		},
		Condition: condition,
	}
}

// condition knows [postgres]: there is a server to test with; [initdb]: its programs can start another; and [root]:
// modes of files bind us only when told to.
func condition(name string) (bool, error) {
	switch name {
	case "postgres":
		return os.Getenv(postgresVar) != "", nil
	case "initdb":
		found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
		if _, none := exec.LookPath("initdb"); none == nil {
			return true, nil
		}
		return len(found) > 0, err
	case "root":
		return os.Geteuid() == 0, nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// own COMMAND… runs a command as a person at a terminal, whose answers are what
// the stdin command gave. What the person sees is the standard output, without
// colours.
func own(ts *testscript.TestScript, neg bool, args []string) {
	ownInto(ts, neg, append([]string{os.DevNull}, args...))
}

// ownInto FILE COMMAND… is own, and FILE shows what the person sees while the command runs. The terminal has COLS
// columns, 400 if that is not set.
func ownInto(ts *testscript.TestScript, neg bool, args []string) {
	file := args[0]
	args = args[1:]
	line := "stty -onlcr -echo cols ${COLS:-400}; NO_COLOR=1 TERM=${TERM:-dumb} exec"
	for _, arg := range args {
		line += " '" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
	}
	err := ts.Exec("script", "-qefc", line, file)
	switch {
	case err != nil && !neg:
		ts.Fatalf("own %v: %v", args, err)
	case err == nil && neg:
		ts.Fatalf("own %v: it should have failed", args)
	}
}

// model DIR WORD=X,Y… writes a static model that knows these words and nothing
// else.
func model(ts *testscript.TestScript, _ bool, args []string) {
	words := make(map[string][]float32)
	for _, arg := range args[1:] {
		word, numbers, _ := strings.Cut(arg, "=")
		for _, text := range strings.Split(numbers, ",") {
			x, err := strconv.ParseFloat(text, 32)
			ts.Check(err)
			words[word] = append(words[word], float32(x))
		}
	}
	ts.Check(statictest.Write(ts.MkAbs(args[0]), words))
}

// forge FROM TO WORD OLD NEW copies a bundle, with NEW in the place of OLD in the
// first payload that holds WORD; OLD - flips a bit of its signature instead.
func forge(ts *testscript.TestScript, _ bool, args []string) {
	lines := strings.SplitAfter(ts.ReadFile(args[0]), "\n")
	for i, raw := range lines {
		var l struct {
			Payload     []byte           `json:"payload"`
			PayloadType string           `json:"payloadType"`
			Signatures  []map[string]any `json:"signatures"`
		}
		if json.Unmarshal([]byte(raw), &l) != nil || !bytes.Contains(l.Payload, []byte(args[2])) {
			continue
		}
		if args[3] == "-" {
			sig, err := base64.StdEncoding.DecodeString(l.Signatures[0]["sig"].(string))
			ts.Check(err)
			sig[len(sig)/2] ^= 1
			l.Signatures[0]["sig"] = sig
		} else if !bytes.Contains(l.Payload, []byte(args[3])) {
			ts.Fatalf("%s is not in %s", args[3], l.Payload)
		} else {
			l.Payload = bytes.Replace(l.Payload, []byte(args[3]), []byte(args[4]), 1)
		}
		text, err := json.Marshal(l)
		ts.Check(err)
		lines[i] = string(text) + "\n"
		ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Join(lines, "")), 0o600))
		return
	}
	ts.Fatalf("no payload of %s holds %s", args[0], args[2])
}

// used is where a pack in text or Markdown says of itself what it used.
var used = regexp.MustCompile(`(\d+) of (\d+) tokens`)

// packed BUDGET asks of the last standard output whether it is a pack that stays
// within its budget, and tells the truth about itself.
func packed(ts *testscript.TestScript, _ bool, args []string) {
	out := ts.ReadFile("stdout")
	var says struct{ Budget, Used int }
	if m := used.FindStringSubmatch(out); m != nil && out[0] != '{' {
		says.Used, _ = strconv.Atoi(m[1])
		says.Budget, _ = strconv.Atoi(m[2])
	} else {
		ts.Check(json.Unmarshal([]byte(out), &says))
	}
	got := pack.Estimate(out)
	if got != says.Used || got > says.Budget || fmt.Sprint(says.Budget) != args[0] {
		ts.Fatalf("a pack of %d tokens says %d of %d; the budget is %s", got, says.Used, says.Budget, args[0])
	}
}

// set keeps the last standard output, trimmed, in a variable; with a pattern,
// its first match.
func set(ts *testscript.TestScript, _ bool, args []string) {
	out := strings.TrimSpace(ts.ReadFile("stdout"))
	if len(args) == 2 {
		found := regexp.MustCompile(args[1]).FindStringSubmatch(out)
		if found == nil {
			ts.Fatalf("%s is not in %s", args[1], out)
		}
		out = found[len(found)-1]
	}
	if out == "" {
		ts.Fatalf("nothing to keep in %s", args[0])
	}
	ts.Setenv(args[0], out)
}

// usageLine is where help is found, behind the line that says what was wrong.
var usageLine = regexp.MustCompile(`\n(examples: stemma [a-z -]+ --help|the verbs: stemma help)$`)

// exitcode N COMMAND… runs a command, which must end with N, say why in one line
// on standard error and print nothing else.
func exitCode(ts *testscript.TestScript, _ bool, args []string) {
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Dir, cmd.Env = ts.MkAbs("."), environ(ts)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	_ = cmd.Run() // the code says it
	if got := fmt.Sprint(cmd.ProcessState.ExitCode()); got != args[0] {
		ts.Fatalf("%v: exit code %s, want %s\n%s%s", args[1:], got, args[0], out.String(), errOut.String())
	}
	said := strings.TrimSuffix(errOut.String(), "\n")
	said = usageLine.ReplaceAllString(said, "")
	if out.Len() > 0 || said == "" || strings.Contains(said, "\n") {
		ts.Fatalf("%v: want one line on standard error, got %q and %q", args[1:], out.String(), said)
	}
	ts.Logf("%s", said)
	if err := os.WriteFile(ts.MkAbs("said"), []byte(said+"\n"), 0o600); err != nil {
		ts.Fatalf("%v", err)
	}
}

// parallel N M ARG… runs N processes at once, each doing a command M times.
func parallel(ts *testscript.TestScript, _ bool, args []string) {
	var n, m int
	if _, err := fmt.Sscan(args[0]+" "+args[1], &n, &m); err != nil {
		ts.Fatalf("parallel N M COMMAND…: %v", err)
	}
	done := make(chan error, n)
	for range n {
		go func() {
			for range m {
				cmd := exec.Command(args[2], args[3:]...)
				cmd.Dir, cmd.Env = ts.MkAbs("."), environ(ts)
				if out, err := cmd.CombinedOutput(); err != nil {
					done <- fmt.Errorf("%v: %w\n%s", args[2:], err, out)
					return
				}
			}
			done <- nil
		}()
	}
	for range n {
		if err := <-done; err != nil {
			ts.Fatalf("%v", err)
		}
	}
}

// environ is the environment of a script's commands.
func environ(ts *testscript.TestScript) []string {
	var env []string
	for _, name := range []string{
		"PATH", "HOME", "XDG_DATA_HOME", "STEMMA_HUB_DIR", "STEMMA_HUB_ADMIN", "STEMMA_STORE", "STEMMA_SESSION",
		"STEMMA_URL", "STEMMA_TOKEN", "GIT_CONFIG_GLOBAL", "TESTSCRIPT_COMMAND", "GORACE", "GOCOVERDIR", "TMPDIR",
	} {
		if v := ts.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}
