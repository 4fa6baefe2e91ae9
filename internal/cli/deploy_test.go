package cli

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The recipes in deploy call verbs with flags that there are.
func TestDeployCallsWhatThereIs(t *testing.T) {
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile("../../deploy/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var calls [][]string
	unit, recipe := read("stemma-hub.service"), read("Containerfile")
	for line := range strings.Lines(unit + recipe) {
		line = strings.TrimSpace(line)
		if list, ok := strings.CutPrefix(line, "CMD "); ok {
			var args []string
			if err := json.Unmarshal([]byte(list), &args); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			calls = append(calls, args)
		}
		if strings.HasPrefix(line, "#") && !strings.Contains(line, "stemma hub") {
			continue
		}
		if _, args, ok := strings.Cut(line, "stemma hub "); ok && !strings.HasPrefix(line, "Description") {
			calls = append(calls, append([]string{"hub"}, strings.Fields(args)...))
		}
	}
	if len(calls) < 4 {
		t.Fatalf("%d calls were found: %v", len(calls), calls)
	}
	root := (&app{env: Env{Getenv: func(string) string { return "" }}}).root(nil)
	for _, args := range calls {
		c, rest, err := root.Find(args)
		if err != nil || c == root {
			t.Errorf("%v: %v", args, err)
			continue
		}
		if err := c.ParseFlags(rest); err != nil {
			t.Errorf("stemma %s: %v", strings.Join(args, " "), err)
		}
		if err := c.ValidateArgs(c.Flags().Args()); err != nil {
			t.Errorf("stemma %s: %v", strings.Join(args, " "), err)
		}
	}
	for _, want := range []string{"NoNewPrivileges=yes", "ProtectSystem=strict", "UMask=0077",
		"StateDirectory=stemma-hub", "User=stemma-hub"} {
		if !strings.Contains(unit, want+"\n") {
			t.Errorf("the unit has no %s", want)
		}
	}
	// what the unit lets the hub write is where it is told to be, and what it is told to read was given to it
	serve := regexp.MustCompile(`(?m)^ExecStart=.* --dir (\S+) .*--cert \$\{CREDENTIALS_DIRECTORY\}/(\S+) ` +
		`--key \$\{CREDENTIALS_DIRECTORY\}/(\S+)$`).FindStringSubmatch(unit)
	if serve == nil {
		t.Fatal("the unit does not say where the hub is, or its certificate")
	}
	for _, want := range []string{"StateDirectory=" + strings.TrimPrefix(serve[1], "/var/lib/"),
		"LoadCredential=" + serve[2] + ":", "LoadCredential=" + serve[3] + ":", "StartLimitIntervalSec=0"} {
		if !strings.Contains(unit, "\n"+want) {
			t.Errorf("the unit has no %s", want)
		}
	}
	for line := range strings.Lines(unit) { // a verb without it would make or look for a hub elsewhere
		if strings.Contains(line, "-- stemma hub ") && !strings.Contains(line, " --dir "+serve[1]) {
			t.Errorf("%q is not of the hub in %s", line, serve[1])
		}
	}
	if !strings.Contains(recipe, "USER 65532") || !strings.Contains(recipe, "./cmd/stemma") {
		t.Error("the container does not build the program, or runs it as root")
	}
}
