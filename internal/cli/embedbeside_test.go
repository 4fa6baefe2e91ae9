package cli

import (
	"slices"
	"strings"
	"testing"
)

// Everyone on a machine can read the arguments of a process: the address of a store is not among them.
func TestTheProcessBesideIsNotToldThePasswordInItsArguments(t *testing.T) {
	const spec = "postgres://ana:swordfish@db.example/memory"
	args, env := besideOf(spec)
	if slices.ContainsFunc(args, func(arg string) bool { return strings.Contains(arg, "swordfish") }) {
		t.Errorf("the arguments are %q", args)
	}
	if !slices.Contains(env, "STEMMA_STORE="+spec) {
		t.Errorf("the environment is %q, want the store in it", env)
	}
}
