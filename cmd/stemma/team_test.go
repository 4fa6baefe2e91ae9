package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Two teams with 20 people's stores and 20 machines at one hub, by the commands of the pages: scripts/team.sh says what
// they do, and ends with an error where a store is left with another state. It takes minutes.
func TestTwoTeamsAtOneHub(t *testing.T) {
	if os.Getenv("STEMMA_LONG") == "" {
		t.Log("STEMMA_LONG=1 runs it")
		return
	}
	script, err := filepath.Abs("../../scripts/team.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, server := range []string{"", postgresVar, "STEMMA_TEST_CITUS"} {
		if server != "" && os.Getenv(server) == "" {
			continue
		}
		t.Run(server, func(t *testing.T) {
			c := exec.Command("bash", script, t.TempDir())
			c.Env = append(os.Environ(), postgresVar+"=", "STEMMA_TEST_CITUS=")
			if server != "" {
				c.Env = append(c.Env, server+"="+os.Getenv(server))
			}
			out, err := c.CombinedOutput()
			t.Logf("%s", out)
			if err != nil || !strings.Contains(string(out), "the hub has them no more") {
				t.Error(err)
			}
		})
	}
}
