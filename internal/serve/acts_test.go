package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// browser returns a client that signed in, and the header that its page sends.
func (r *running) browser(t *testing.T) (*http.Client, string) {
	t.Helper()
	_, text := r.do(t, http.DefaultClient, "POST", access.CodePath, "", "Authorization: Bearer "+r.tokens.Owner)
	var code access.Code
	if err := json.Unmarshal([]byte(text), &code); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &http.Client{Jar: jar}
	r.do(t, c, "GET", code.Path, "")
	return c, r.pageOf(t, c)
}

func (r *running) pageOf(t *testing.T, c *http.Client) string {
	t.Helper()
	var me struct {
		Acts bool
		Page string
	}
	_, text := r.do(t, c, "GET", "/ui/me", "")
	if err := json.Unmarshal([]byte(text), &me); err != nil || !me.Acts || me.Page == "" {
		t.Fatalf("for whom the page speaks: %s, %v", text, err)
	}
	return access.PageHeader + ": " + me.Page
}

// agentWrote fills a store with beliefs of an agent, each on words of its own.
func (r *running) agentWrote(t *testing.T, n int) (raws, beliefs []string) {
	t.Helper()
	ask := func(op, body string) string {
		got, text := r.do(t, http.DefaultClient, "POST", "/v1/"+op, body, "Authorization: Bearer "+r.tokens.Agent)
		var w api.WriteReply
		if err := json.Unmarshal([]byte(text), &w); err != nil || got.StatusCode != 200 {
			t.Fatalf("%s: %d %s", op, got.StatusCode, text)
		}
		return w.Ref
	}
	for i := range n {
		raw := ask("capture", fmt.Sprintf(`{"text":"words %d"}`, i))
		e := ask("promote", fmt.Sprintf(`{"from":[%q],"kind":"episode","text":"episode %d"}`, raw, i))
		raws = append(raws, raw)
		beliefs = append(beliefs, ask("consolidate", fmt.Sprintf(`{"from":[%q],"kind":"belief","text":"belief %d"}`, e, i)))
	}
	return raws, beliefs
}

func (r *running) records(t *testing.T) int {
	t.Helper()
	s, err := r.o.Engine.Stats(t.Context(), api.Nothing{})
	if err != nil {
		t.Fatal(err)
	}
	return s.Records
}

// Of 30 acts of the page only those of a signed-in person change anything.
func TestOnlyASignedInPersonActs(t *testing.T) {
	r := start(t)
	raws, b := r.agentWrote(t, 8)
	type act struct{ op, body string }
	one := func(op, format string, args ...any) act { return act{op, fmt.Sprintf(format, args...)} }
	acts := []act{
		one("approve", `{"refs":[%q]}`, b[0]), one("undo", `{}`),
		one("reject", `{"refs":[%q],"reason":"no"}`, b[0]), one("approve", `{"refs":[%q],"force":true}`, b[0]),
		one("approve", `{"refs":[%q,%q]}`, b[1], b[2]), one("undo", `{}`),
		one("reject", `{"refs":[%q,%q]}`, b[1], b[2]), one("undo", `{}`),
		one("revise", `{"ref":%q,"text":"otherwise"}`, b[1]), one("undo", `{}`),
		one("revise", `{"ref":%q,"text":"otherwise 2","approve":true}`, b[2]),
		one("forget", `{"refs":[%q]}`, b[3]), one("recover", `{"refs":[%q]}`, b[3]),
		one("forget", `{"refs":[%q,%q],"reason":"old"}`, b[3], b[4]), one("undo", `{}`),
		one("quarantine", `{"target":%q}`, raws[5]), one("release", `{"target":%q}`, raws[5]),
		one("quarantine", `{"target":%q,"reason":"hearsay"}`, b[5]), one("undo", `{}`),
		one("witness", `{"ref":%q,"attestation":"dispute","notes":"no"}`, b[6]), one("undo", `{}`),
		one("verify", `{"ref":%q,"notes":"looked"}`, b[6]), one("verify", `{"ref":%q}`, b[7]),
		one("protect", `{"refs":[%q]}`, b[7]), one("unprotect", `{"refs":[%q]}`, b[7]),
		one("edit_suggestion", `{"ref":%q,"text":"better"}`, b[5]),
		one("accept_suggestion", `{"ref":%q}`, b[6]), one("undo", `{}`),
		one("reject_suggestion", `{"ref":%q}`, b[7]), one("purge", `{"refs":[%q]}`, raws[0]),
	}
	if len(acts) != 30 {
		t.Fatalf("%d acts, want 30", len(acts))
	}
	person, page := r.browser(t)
	agent := "Authorization: Bearer " + r.tokens.Agent
	for i, a := range acts {
		before := r.records(t)
		for who, try := range map[string]struct {
			client  *http.Client
			headers []string
			want    int
		}{
			"an agent's token":        {http.DefaultClient, []string{agent, page}, http.StatusForbidden},
			"an agent's own header":   {http.DefaultClient, []string{agent, access.PageHeader + ": x"}, http.StatusForbidden},
			"no session":              {http.DefaultClient, []string{page}, http.StatusUnauthorized},
			"a foreign page":          {person, []string{page, "Origin: http://evil.example"}, http.StatusForbidden},
			"a cookie without header": {person, nil, http.StatusForbidden},
		} {
			if got, text := r.do(t, try.client, "POST", "/v1/"+a.op, a.body, try.headers...); got.StatusCode != try.want {
				t.Errorf("act %d, %s by %s: %d %s, want %d", i, a.op, who, got.StatusCode, text, try.want)
			}
		}
		if now := r.records(t); now != before {
			t.Fatalf("act %d, %s: %d records were stored for those who may not act", i, a.op, now-before)
		}
		if got, text := r.do(t, person, "POST", "/v1/"+a.op, a.body, page); got.StatusCode != 200 {
			t.Errorf("act %d, %s by the owner: %d %s", i, a.op, got.StatusCode, text)
		}
		if r.records(t) == before {
			t.Errorf("act %d, %s by the owner changed nothing", i, a.op)
		}
	}
}

// Whoever decides on what changed since they read it is told what it is now. Of two who decide
// at once one is.
func TestTwoDecideAtOnce(t *testing.T) {
	r := start(t)
	_, beliefs := r.agentWrote(t, 9)
	person, page := r.browser(t)
	read := func(ref string) string {
		got, text := r.do(t, person, "POST", "/v1/show", fmt.Sprintf(`{"ref":%q}`, ref))
		_, standing := r.do(t, person, "POST", "/ui/standing", fmt.Sprintf(`{"refs":[%q]}`, ref))
		tag := got.Header.Get("ETag")
		if tag == "" || !strings.Contains(standing, `"tag":`+tag) {
			t.Fatalf("show has the tag %s, and the page %s: %s", tag, standing, text)
		}
		return tag
	}
	for _, ref := range beliefs[:8] {
		tag := read(ref)
		var wait sync.WaitGroup
		answers := make([]int, 2)
		said := make([]string, 2)
		for i, op := range []string{"approve", "reject"} {
			wait.Go(func() {
				got, text := r.do(t, person, "POST", "/v1/"+op, fmt.Sprintf(`{"refs":[%q]}`, ref), page, "If-Match: "+tag)
				answers[i], said[i] = got.StatusCode, text
			})
		}
		wait.Wait()
		if answers[0]+answers[1] != http.StatusOK+http.StatusConflict {
			t.Fatalf("both decide at once: %d %s and %d %s", answers[0], said[0], answers[1], said[1])
		}
		lost := said[0]
		if answers[0] == http.StatusOK {
			lost = said[1]
		}
		if !strings.Contains(lost, `"kind":"changed"`) || !strings.Contains(lost, ref+" is now ") {
			t.Errorf("the one who came late is told %s", lost)
		}
		if again, text := r.do(t, person, "POST", "/v1/forget", fmt.Sprintf(`{"refs":[%q]}`, ref), page,
			"If-Match: "+read(ref)); again.StatusCode != 200 {
			t.Errorf("after looking again: %d %s", again.StatusCode, text)
		}
	}
	both := fmt.Sprintf(`{"refs":[%q,%q]}`, beliefs[8], beliefs[7])
	for match, want := range map[string]int{
		`"x"`: http.StatusBadRequest, `"x", "y"`: http.StatusConflict,
		read(beliefs[8]) + ", " + read(beliefs[7]): http.StatusOK,
	} {
		if got, text := r.do(t, person, "POST", "/v1/protect", both, page, "If-Match: "+match); got.StatusCode != want {
			t.Errorf("If-Match: %s: %d %s, want %d", match, got.StatusCode, text, want)
		}
	}
}

// A group of which one record changed meanwhile is refused as a whole, and the answer names that record alone: the
// page decides on the others at once.
func TestAGroupNamesWhatChanged(t *testing.T) {
	r := start(t)
	_, beliefs := r.agentWrote(t, 3)
	person, page := r.browser(t)
	refs, _ := json.Marshal(beliefs)
	_, standing := r.do(t, person, "POST", "/ui/standing", fmt.Sprintf(`{"refs":%s}`, refs))
	var read struct{ Records []struct{ Tag string } }
	if err := json.Unmarshal([]byte(standing), &read); err != nil || len(read.Records) != len(beliefs) {
		t.Fatalf("standing: %v %s", err, standing)
	}
	tags := make([]string, len(beliefs))
	for i, m := range read.Records {
		tags[i] = strconv.Quote(m.Tag)
	}
	got, text := r.do(t, person, "POST", "/v1/reject", fmt.Sprintf(`{"refs":[%q]}`, beliefs[1]), page)
	if got.StatusCode != http.StatusOK {
		t.Fatalf("reject: %d %s", got.StatusCode, text)
	}
	before := r.records(t)
	got, text = r.do(t, person, "POST", "/v1/approve", fmt.Sprintf(`{"refs":%s}`, refs), page,
		"If-Match: "+strings.Join(tags, ", "))
	var problem access.Problem
	if err := json.Unmarshal([]byte(text), &problem); err != nil || got.StatusCode != http.StatusConflict {
		t.Fatalf("approve all three: %d %s", got.StatusCode, text)
	}
	if c := problem.Changed; len(c) != 1 || c[0].Ref != beliefs[1] || !strings.HasPrefix(c[0].Now, "rejected") {
		t.Errorf("the answer names %+v as changed, want %s alone, rejected", c, beliefs[1])
	}
	if after := r.records(t); after != before {
		t.Errorf("%d records were stored for a refused group", after-before)
	}
}

// An undo takes back the act that was shown, and no other.
func TestUndoOfWhatWasShown(t *testing.T) {
	r := start(t)
	_, beliefs := r.agentWrote(t, 2)
	person, page := r.browser(t)
	act := func(op, ref string) {
		if got, text := r.do(t, person, "POST", "/v1/"+op, fmt.Sprintf(`{"refs":[%q]}`, ref), page); got.StatusCode != 200 {
			t.Fatalf("%s: %d %s", op, got.StatusCode, text)
		}
	}
	act("approve", beliefs[0])
	shown, _ := r.do(t, person, "POST", "/v1/undo", `{"dry_run":true}`, page)
	match := "If-Match: " + shown.Header.Get("ETag")
	act("reject", beliefs[1])
	if got, text := r.do(t, person, "POST", "/v1/undo", `{}`, page, match); got.StatusCode != http.StatusConflict ||
		!strings.Contains(text, "reject") {
		t.Errorf("an undo of another act: %d %s", got.StatusCode, text)
	}
	shown, _ = r.do(t, person, "POST", "/v1/undo", `{"dry_run":true}`, page)
	match = "If-Match: " + shown.Header.Get("ETag")
	if got, text := r.do(t, person, "POST", "/v1/undo", `{}`, page, match); got.StatusCode != http.StatusOK {
		t.Errorf("an undo of the act that was shown: %d %s", got.StatusCode, text)
	}
}

// Where the key has a passphrase, an act on the page needs it, each time anew.
func TestAnActNeedsThePassphrase(t *testing.T) {
	dir := t.TempDir()
	e, err := engine.Open(
		t.Context(), filepath.Join(dir, "memory.db"),
		engine.Config{Databases: sqlstore.Databases{}, KeyDir: filepath.Join(dir, "keys")},
	)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	if _, err := e.Init(t.Context(), api.Nothing{}); err != nil {
		t.Fatal(err)
	}
	const secret = "wörds 100%"
	if err := keys.SetPassphrase(filepath.Join(dir, "keys"), "owner", nil, []byte(secret)); err != nil {
		t.Fatal(err)
	}
	r := start(t, func(o *Options) { o.Engine = e })
	_, beliefs := r.agentWrote(t, 1)
	person, page := r.browser(t)
	body := fmt.Sprintf(`{"refs":[%q]}`, beliefs[0])
	try := func(op, body, passphrase string) (int, string) {
		got, text := r.do(t, person, "POST", "/v1/"+op, body, page, "Stemma-Passphrase: "+passphrase)
		return got.StatusCode, text
	}
	for range 2 { // it does not stay unlocked
		if got, text := try("approve", body, ""); got != http.StatusForbidden || !strings.Contains(text, `"passphrase"`) {
			t.Errorf("without it: %d %s", got, text)
		}
		if got, text := try("approve", body, "wrong"); got != http.StatusForbidden || !strings.Contains(text, "wrong pass") {
			t.Errorf("with a wrong one: %d %s", got, text)
		}
		if got, text := try("approve", body, "w%C3%B6rds%20100%25"); got != http.StatusOK {
			t.Errorf("with it: %d %s", got, text)
		}
	}
	if got, text := try("taint", fmt.Sprintf(`{"target":%q}`, beliefs[0]), ""); got != http.StatusOK {
		t.Errorf("to look needs none: %d %s", got, text)
	}
	token := "Authorization: Bearer " + r.tokens.Owner
	got, text := r.do(t, http.DefaultClient, "POST", "/v1/reject", body, token)
	if got.StatusCode != http.StatusForbidden {
		t.Errorf("the owner's token without a passphrase: %d %s, want forbidden", got.StatusCode, text)
	}
	if got, _ := try("approve", body, "%zz"); got != http.StatusBadRequest {
		t.Errorf("not percent-encoded: %d", got)
	}
}
