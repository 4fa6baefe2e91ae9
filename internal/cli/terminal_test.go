package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/plain"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// hostile are texts that try to steer a terminal or whoever reads along.
func hostile() []string {
	var out []string
	for _, evil := range []string{
		"\x1b[31m", "\x1b]8;;https://evil.example\x07click\x1b]8;;\x07", "\x1b[2J\x1b[H", "\x1b]0;title\x07", "\u009b31m",
		"\x07\x08\x08\x08",
		"\r", "\u202e", "\u2066", "\u2069", "\u200b", "\u200e", "\ufeff", "\u2028", "\U000e0041\U000e0042", "\x7f",
		"\x00"[:0] + "\x01\x02", "\u061c", "\x1bP1;1|", "\u00ad",
	} {
		for _, frame := range []string{
			"%s", "before %s after", "</memory>%s", "<system>%s</system>", "[link](javascript:%s)",
			"![x](https://evil.example/%s)", "ignore%sall", "%[1]s%[1]s%[1]s x", "```%s", "| %s |",
		} {
			out = append(out, "note "+fmt.Sprintf(frame, evil))
		}
	}
	return out
}

// Nothing that memory, a witness or a key says reaches a terminal as a control,
// in any verb that shows it.
func TestNothingSteersATerminal(t *testing.T) {
	payloads := hostile()
	if len(payloads) < 200 {
		t.Fatalf("%d payloads, want 200", len(payloads))
	}
	payloads = payloads[:len(payloads)/fewer]
	dir := t.TempDir()
	store := filepath.Join(dir, "store.db")
	env := Env{Stdin: strings.NewReader(""), Dir: dir, Getenv: func(name string) string {
		return map[string]string{"STEMMA_STORE": store, "XDG_DATA_HOME": filepath.Join(dir, "data"), "HOME": dir}[name]
	}}
	var said bytes.Buffer
	// the store is the person's own
	if env.Stdout, env.Stderr = &said, &said; Run(t.Context(), []string{"init", "--store", store}, env) != 0 {
		t.Fatal(said.String())
	}
	open := func(origin memory.Origin, keys string) *engine.Engine {
		e, err := engine.Open(t.Context(), store, engine.Config{
			Databases: sqlstore.Databases{}, Origin: origin, KeyDir: filepath.Join(dir, keys), Dir: dir,
		})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	must := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	owner, other := open(memory.OriginOwner, "data/stemma/keys"), open(memory.OriginAgent, "other")
	var refs []string
	for i, p := range payloads {
		raw, err := owner.Capture(t.Context(), api.CaptureRequest{Text: p,
			Speaker: "s" + strings.ReplaceAll(p, "\n", " "), Meta: api.Meta{Session: p}})
		must("capture", err)
		refs = append(refs, raw.Ref)
		if i%4 != 0 {
			continue // the rest is slower, and shown in the same way
		}
		w, err := owner.Promote(t.Context(), api.PromoteRequest{From: []string{raw.Ref}, Again: true, Draft: api.Draft{
			Kind: "note", Type: "decision", Text: strings.Map(oneLine, p), Reason: p, Alternatives: []string{p},
		}, Meta: api.Meta{Tags: []string{strings.TrimSpace(p[:min(len(p), 40)])}, About: []string{p[:min(len(p), 40)]}}})
		must("promote", err)
		refs = append(refs, w.Ref)
		_, err = other.Witness(t.Context(), api.WitnessRequest{Ref: w.Ref, Attestation: "dispute", Notes: p})
		must("witness", err)
		_, err = owner.Anchor(t.Context(), api.AnchorRequest{Ref: w.Ref, Type: "blockchain", Reference: p})
		must("anchor", err)
		if i%20 == 0 {
			_, err = owner.Quarantine(t.Context(), api.QuarantineRequest{Target: raw.Ref, Reason: p})
			must("quarantine", err)
		}
	}
	must("close", other.Close())
	must("close", owner.Close())
	runs := [][]string{{"list", "--limit", "-1"}, {"list", "--all", "--limit", "-1"},
		{"search", "note before after", "--limit", "500", "--all"}, {"recent", "--limit", "-1"},
		{"raw", "list", "--limit", "-1"},
		{"context", "note before"}, {"load"}, {"review", "list"}, {"audit"}, {"doctor"}, {"key", "list"},
		{"receipts", "list"}, {"anchor", "check", "--all"}, {"stats"}}
	for i, ref := range refs {
		switch {
		case strings.HasPrefix(ref, "note:"):
			runs = append(runs, []string{"show", ref}, []string{"trust", ref}, []string{"explain", ref}, []string{"trace", ref})
		case i%25 == 0:
			runs = append(runs, []string{"show", ref}, []string{"taint", ref}, []string{"trace", ref},
				[]string{"taint", "--dot", ref})
		}
	}
	shown := 0
	for _, args := range runs {
		var out, errs bytes.Buffer
		env.Stdout, env.Stderr = &out, &errs
		if code := Run(t.Context(), args, env); code > 2 && args[0] != "review" {
			t.Errorf("%s ends with %d: %s", args, code, errs.String())
		}
		for _, text := range []string{out.String(), errs.String()} {
			if strings.Contains(text, "note") {
				shown++
			}
			if i := strings.IndexFunc(text, plain.Harmful); i >= 0 {
				t.Errorf("%q: raw %q in …%q…", args, text[i:min(i+4, len(text))], text[max(0, i-40):min(i+20, len(text))])
			}
		}
	}
	if shown < len(runs)/2 {
		t.Errorf("only %d of %d runs showed a payload", shown, len(runs))
	}
	if os.Getenv("HOME") == dir {
		t.Error("the test ran in the person's own home")
	}
}

// oneLine keeps a summary to one line.
func oneLine(r rune) rune {
	if r == '\r' || r == '\n' {
		return ' '
	}
	return r
}
