package main

import (
	"encoding/pem"
	"os"
	"regexp"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/stemma-memory/stemma/internal/hub/signin/signintest"
)

// oidcProvider VAR FILE starts an OpenID provider, keeps its address, and makes its certificate an authority of the
// system. What a person at a terminal is asked to open, and FILE shows, a browser opens.
func oidcProvider(ts *testscript.TestScript, _ bool, args []string) {
	p := signintest.New()
	ca := ts.MkAbs("provider.pem")
	ts.Check(os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.Certificate().Raw}), 0o600))
	ts.Setenv(args[0], p.URL)
	ts.Setenv("SSL_CERT_FILE", ca)
	file, done, ended := ts.MkAbs(args[1]), make(chan struct{}), sync.WaitGroup{}
	address := regexp.MustCompile(`https://127\S+/authorize\S+`)
	ended.Go(func() {
		look := time.NewTicker(20 * time.Millisecond)
		defer look.Stop()
		seen := ""
		for {
			select {
			case <-done:
				return
			case <-look.C:
			}
			text, err := os.ReadFile(file)
			if found := address.FindString(string(text)); err == nil && found != "" && found != seen {
				seen = found
				_, _ = p.Browse(found)
			}
		}
	})
	ts.Defer(func() { close(done); ended.Wait(); p.Close() })
}
