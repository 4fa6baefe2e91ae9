package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"unsafe"

	"github.com/rogpeppe/go-internal/testscript"
)

// alone runs a command with the loopback of the network that it is in turned on:
// in a namespace of its own nothing else is there.
func alone() {
	s, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err == nil {
		request := struct {
			name  [16]byte
			flags uint16
			_     [22]byte
		}{flags: syscall.IFF_UP}
		copy(request.name[:], "lo")
		if _, _, e := syscall.Syscall(
			syscall.SYS_IOCTL, uintptr(s), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request)),
		); e != 0 {
			err = e
		}
	}
	path := ""
	if err == nil {
		path, err = exec.LookPath(os.Args[1])
	}
	if err == nil {
		err = syscall.Exec(path, os.Args[1:], os.Environ())
	}
	fmt.Fprintln(os.Stderr, "alone:", err)
	os.Exit(1)
}

// outside is a call that would leave the machine, or would if it could: the name of
// a host is asked for in the same way.
var outside = regexp.MustCompile(`(?m)^.*\b(?:connect|sendto|sendmsg|sendmmsg)\(.*sa_family=AF_INET6?,.*$`)

// tracerFell is what strace says when it could not go on watching.
var tracerFell = regexp.MustCompile(`(?m)^strace: ptrace\(\w+,.*\): Input/output error`)

// TestNothingIsSent runs every verb in a network without a way out, and watches what
// it asks the system for. A verb without a line in the script fails it.
func TestNothingIsSent(t *testing.T) {
	if testing.Short() {
		t.Skip("each verb is run under a tracer")
	}
	for _, need := range []string{"strace", "unshare", "script"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skipf(
				"what verbs send was NOT looked at: there is no %s; 'scripts/install.sh strace util-linux bsdutils' installs it",
				need,
			)
		}
	}
	if out, err := exec.Command("unshare", "-rn", "strace", "-f", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("what verbs send was NOT looked at: no network namespace or no tracing here: %v %s", err, out)
	}
	dir := t.TempDir()
	if out, err := exec.Command("stemma", "man", dir).CombinedOutput(); err != nil {
		t.Fatalf("man: %v: %s", err, out)
	}
	pages, err := filepath.Glob(dir + "/stemma-*.1")
	if err != nil || len(pages) == 0 {
		t.Fatal("no manual pages tell which verbs there are:", err)
	}
	verbs := make(map[string]bool)
	for _, page := range pages {
		verbs[strings.TrimSuffix(strings.TrimPrefix(filepath.Base(page), "stemma-"), ".1")] = false
	}
	var runs atomic.Int64
	watched := func(ts *testscript.TestScript, args []string) (string, error) {
		trace := ts.MkAbs(fmt.Sprintf("trace-%d", runs.Add(1)))
		words := args
		if args[0] == "own" { // as a person at a terminal
			words = args[1:]
			line := "exec"
			for _, w := range words {
				line += " '" + strings.ReplaceAll(w, "'", `'\''`) + "'"
			}
			args = []string{"script", "-qec", line, os.DevNull}
		}
		if words[0] == "timeout" {
			words = words[4:]
		}
		for n := len(words); n > 1; n-- {
			name := strings.Join(words[1:n], "-")
			if _, known := verbs[name]; known {
				verbs[name] = true
				break
			}
		}
		run := append(
			[]string{
				"-rn", "alone", "timeout", "-k", "1", "20", "strace", "-f", "--seccomp-bpf", "-o", trace, "-e",
				"trace=connect,sendto,sendmsg,sendmmsg",
			},
			args...,
		)
		err := ts.Exec("unshare", run...)
		if seen := ts.ReadFile(trace); err != nil && tracerFell.MatchString(ts.ReadFile("stderr")+ts.ReadFile("stdout")) {
			err = ts.Exec("unshare", run...) // the kernel said no to strace, not to what it looks at
			return seen + ts.ReadFile(trace), err
		}
		return ts.ReadFile(trace), err
	}
	p := params()
	p.Dir = "testdata/network"
	p.Cmds["quiet"] = func(ts *testscript.TestScript, neg bool, args []string) {
		trace, err := watched(ts, args)
		if found := outside.FindString(trace); found != "" {
			ts.Fatalf("%q asks for the network: %s", args, found)
		}
		if err != nil && !neg {
			ts.Fatalf("%q: %v", args, err)
		}
	}
	p.Cmds["talks"] = func(ts *testscript.TestScript, _ bool, args []string) {
		if trace, _ := watched(ts, args); !outside.MatchString(trace) {
			ts.Fatalf("%q was told whom to ask, and nothing was seen: this test would see nothing\n%s", args, trace)
		}
	}
	if !t.Run("scripts", func(t *testing.T) { testscript.RunT(inOrder{t}, p) }) {
		return
	}
	families := make(map[string]bool)
	for name := range verbs {
		if at := strings.LastIndexByte(name, '-'); at > 0 {
			families[name[:at]] = true
		}
	}
	for name, run := range verbs {
		if !run && !families[name] {
			t.Errorf("stemma %s has no line in testdata/network: nobody watched what it sends", name)
		}
	}
}

// inOrder runs scripts one after the other, so that they are over when Run is.
type inOrder struct{ *testing.T }

func (t inOrder) Parallel()     {}
func (t inOrder) Verbose() bool { return testing.Verbose() }
func (t inOrder) Run(name string, f func(testscript.T)) {
	t.T.Run(name, func(t *testing.T) { f(inOrder{t}) })
}
