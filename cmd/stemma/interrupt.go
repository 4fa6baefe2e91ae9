package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/stemma-memory/stemma/internal/cli"
)

// endsWithin is how long a command that was interrupted may take to end by itself. One
// that waits for its input, or in the system, does not.
const endsWithin = time.Second

// serving says that the command is a server: it answers what it was asked before it
// ends, and takes its time. A second signal ends it at once.
var serving atomic.Bool

// untilSignal runs a command until it ends, or a signal ends it: then it is told so,
// and says it in one line. The code is 128 and the number of the signal, as shells
// have it.
func untilSignal(run func(context.Context) int) int {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	restore := func() {}
	if fd := int(os.Stdin.Fd()); term.IsTerminal(fd) {
		if before, err := term.GetState(fd); err == nil { // a question for a passphrase hides what is typed
			restore = func() { _ = term.Restore(fd, before) }
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	done := make(chan int, 1)
	go func() { done <- run(ctx) }()
	var stopped cli.Interrupted
	select {
	case code := <-done:
		return code
	case s := <-signals:
		stopped = interrupted(s)
		cancel(stopped)
	}
	var late <-chan time.Time
	if !serving.Load() {
		late = time.After(endsWithin)
	}
	select {
	case code := <-done:
		return code
	case <-late:
	case <-signals:
	}
	restore()
	fmt.Fprintln(os.Stderr, "stemma: "+stopped.Error())
	return stopped.Exit
}

func interrupted(s os.Signal) cli.Interrupted {
	if s == syscall.SIGTERM {
		return cli.Interrupted{Exit: 128 + int(syscall.SIGTERM)}
	}
	return cli.Interrupted{Exit: 128 + int(syscall.SIGINT)}
}
