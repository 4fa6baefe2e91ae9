// Command stemma-lab measures stemma: what a search finds, what an agent gets, and how fast it is.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/stemma-memory/stemma/embed/minilm"
	"github.com/stemma-memory/stemma/internal/cli"
	"github.com/stemma-memory/stemma/internal/lab"
)

func main() { os.Exit(run()) }

func run() int {
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, "stemma-lab: where are we?", err)
		return 1
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		signal.Stop(signals) // a second one ends the program at once
		exit := 128 + int(syscall.SIGINT)
		if s == syscall.SIGTERM {
			exit = 128 + int(syscall.SIGTERM)
		}
		cancel(cli.Interrupted{Exit: exit})
	}()
	return lab.Run(ctx, os.Args[1:], cli.Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Dir: dir, Embedder: minilm.New(),
	})
}
