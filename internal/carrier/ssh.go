package carrier

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os/exec"
	"strings"

	"github.com/stemma-memory/stemma/internal/peer"
)

// SSH starts 'stemma sync --serve-stdio' on another machine. The address is
// ssh://[user@]host[:port][/path of the store], where /~/ is the home there; without
// a path it is the store that stemma uses there. Program is what reaches the machine: ssh, unless told. Where it
// is unattended, ssh asks no one for a password.
func SSH(
	ctx context.Context, address, program string, unattended bool, stderr io.Writer,
) ([]peer.Endpoint, func() error, error) {
	args, err := sshArgs(address)
	if err != nil {
		return nil, nil, err
	}
	if program == "" {
		program = "ssh"
	}
	if unattended {
		args = append([]string{"-o", "BatchMode=yes"}, args...)
	}
	l := &line{cmd: exec.CommandContext(ctx, program, args...)}
	l.said.to = stderr
	l.cmd.Stderr, l.cmd.WaitDelay = &l.said, goodbye
	if l.in, err = l.cmd.StdinPipe(); err != nil {
		return nil, nil, err
	}
	if l.out, err = l.cmd.StdoutPipe(); err != nil {
		return nil, nil, err
	}
	if err := l.cmd.Start(); err != nil {
		return nil, nil, err
	}
	p := NewPipe(l.out, l.in)
	p.gone = func(err error) error { return l.gone(ctx, err) }
	hangUp := func() error {
		_ = l.end() // what was exchanged is exchanged, however it ended
		return nil
	}
	return []peer.Endpoint{{Remote: p, Gives: true, Takes: true, Cosigns: true}}, hangUp, nil
}

// Check returns an error for an address that cannot be one.
func Check(address string) error {
	scheme, _, url := strings.Cut(address, "://")
	switch {
	case !url:
		return nil // a folder, which may not be connected now
	case scheme == "ssh":
		_, err := sshArgs(address)
		return err
	case strings.HasPrefix(address, GitScheme):
		_, err := gitDir(address)
		return err
	}
	return fmt.Errorf("nothing here speaks %.40q: want a folder, %s/path or ssh://host", scheme, GitScheme)
}

// sshArgs returns what the program is called with.
func sshArgs(address string) ([]string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "ssh" || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("want ssh://[user@]host[:port][/store], got %.200q", address)
	}
	host := u.Hostname()
	if u.User != nil {
		if _, secret := u.User.Password(); secret {
			return nil, fmt.Errorf("an address must not contain a password")
		}
		host = u.User.Username() + "@" + host
	}
	if strings.HasPrefix(host, "-") {
		return nil, fmt.Errorf("%.200q is no host", host)
	}
	var args []string
	if u.Port() != "" {
		args = append(args, "-p", u.Port())
	}
	args = append(args, "--", host, "stemma", "sync", "--serve-stdio")
	switch home, inHome := strings.CutPrefix(u.Path, "/~/"); {
	case inHome:
		args = append(args, "--store", "~/"+quoted(home)) // the shell there knows whose home it is
	case u.Path != "" && u.Path != "/":
		args = append(args, "--store", quoted(u.Path))
	}
	return args, nil
}

// quoted makes a word of text for the shell that ssh hands its command to.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
