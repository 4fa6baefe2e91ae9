package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) uiCmd() *cobra.Command {
	c := cmd("ui", "Open your memories in the browser", `Examples:
  stemma ui
  stemma ui --no-open            print the address for another browser
  stemma ui --user               your own store, not the project's

ui signs the browser in with a code that works once, for two minutes. It starts a
server if none runs for this store`)
	quiet := c.Flags().Bool("no-open", false, "print the address and open no browser")
	c.Args = cobra.NoArgs
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		if host := a.marked(); host != "" && a.origin() != memory.OriginOwner {
			return ran{notYours{"ui: the page accepts a person's decisions, and this shell belongs to an agent (" + host +
				"); open it in your own terminal"}}
		}
		if a.origin() != memory.OriginOwner {
			return ran{onlyPerson{"ui: permission denied; only a person at a terminal can sign in"}}
		}
		dir, err := a.serverDir()
		if err != nil {
			return ran{err}
		}
		spec, err := a.storeSpec()
		if err != nil {
			return ran{err}
		}
		if r, ok := access.Find(dir, spec); ok {
			return asRan(a.showPage(cmd.Context(), dir, r.URL, *quiet))
		}
		return a.serveAndShow(cmd.Context(), dir, *quiet)
	}
	return c
}

// serveAndShow runs a server here, for as long as the person likes.
func (a *app) serveAndShow(ctx context.Context, dir string, quiet bool) error {
	run, err := a.serveRun(ctx, "core")
	if err != nil {
		return err
	}
	var shown error
	run.Ready = func(url string) {
		if shown = a.showPage(ctx, dir, url, quiet); shown == nil {
			a.hint("the page works until you stop this with Ctrl-C")
		}
	}
	a.serving()
	err = a.env.Serve(ctx, run)
	if errors.Is(err, api.ErrConflict) { // another store's server has the port
		run.Addr = "127.0.0.1:0"
		err = a.env.Serve(ctx, run)
	}
	return asRan(errors.Join(err, shown))
}

// showPage asks a server for a code, and opens its page with it.
func (a *app) showPage(ctx context.Context, dir, base string, quiet bool) error {
	tokens, _, err := access.Has(dir)
	if err != nil {
		return err
	}
	code, err := signInCode(ctx, base, tokens.Owner)
	if err != nil {
		return err
	}
	address := base + code.Path
	fmt.Fprintln(a.env.Stdout, address)
	if !quiet && a.openBrowser(ctx, dir, address) {
		a.hint("opening it in your browser; the address works once, for two minutes")
	} else {
		a.hint("open it in a browser; it works once, for two minutes")
	}
	return nil
}

// signInCode asks for a code with the owner's token.
func signInCode(ctx context.Context, base, token string) (access.Code, error) {
	const within = 10 * time.Second
	var code access.Code
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+access.CodePath, nil)
	if err != nil {
		return code, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // and no proxy
	got, err := client.Do(r)
	if err != nil {
		return code, fmt.Errorf("ui: %w", err)
	}
	defer got.Body.Close()
	const most = 64 << 10
	text, err := io.ReadAll(io.LimitReader(got.Body, most))
	if err == nil && got.StatusCode == http.StatusCreated {
		err = json.Unmarshal(text, &code)
	} else if err == nil {
		err = fmt.Errorf("ui: the server answered %s", got.Status)
	}
	return code, err
}

// openBrowser opens an address, if there is something to open it with. Other
// accounts see the words of a command, so the browser is given a file to begin
// with that they cannot read.
func (a *app) openBrowser(ctx context.Context, dir, address string) bool {
	var command []string
	switch {
	case runtime.GOOS == "darwin":
		command = []string{"open"}
	case runtime.GOOS == "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler"}
	case a.env.Getenv("DISPLAY") != "" || a.env.Getenv("WAYLAND_DISPLAY") != "":
		command = []string{"xdg-open"}
	default:
		return false
	}
	page := filepath.Join(dir, "open.html")
	text := `<!doctype html><meta charset="utf-8"><title>stemma</title><meta http-equiv="refresh" content="0;url=` +
		html.EscapeString(address) + `">`
	if err := os.WriteFile(page, []byte(text), 0o600); err != nil {
		return false
	}
	return exec.CommandContext(context.WithoutCancel(ctx), command[0], append(command[1:], page)...).Start() == nil
}
