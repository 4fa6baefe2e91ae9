package engine_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// TestSecretsByChannel: what is set binds everybody but hooks, which are always
// redacted.
func TestSecretsByChannel(t *testing.T) {
	c := canaries(99)[0]
	for _, tt := range []struct {
		origin memory.Origin
		source string
		policy string
		want   string // redacted, blocked or kept
	}{
		{memory.OriginOwner, "cli", "", "redacted"}, {memory.OriginAgent, "mcp", "", "redacted"}, {
			memory.OriginImport, "import", "", "redacted",
		},
		{memory.OriginTool, "hook", "", "redacted"},
		{memory.OriginOwner, "cli", engine.SecretsBlock, "blocked"},
		{memory.OriginAgent, "mcp", engine.SecretsBlock, "blocked"},
		{memory.OriginImport, "import", engine.SecretsBlock, "blocked"},
		{memory.OriginTool, "hook", engine.SecretsBlock, "redacted"},
		{memory.OriginOwner, "cli", engine.SecretsAllow, "kept"},
		{memory.OriginAgent, "mcp", engine.SecretsAllow, "kept"},
		{memory.OriginImport, "import", engine.SecretsAllow, "kept"},
		{memory.OriginTool, "api", engine.SecretsAllow, "redacted"},
		{memory.OriginAgent, "hook", engine.SecretsAllow, "redacted"},
	} {
		e := open(t, "mem", engine.Config{Origin: tt.origin, Secrets: tt.policy})
		r, err := e.Capture(t.Context(), api.CaptureRequest{Text: c.text, Source: tt.source})
		got := "kept"
		switch {
		case errors.Is(err, api.ErrInvalid):
			got = "blocked"
		case err != nil:
			t.Fatal(err)
		case len(r.Redacted) > 0:
			got = "redacted"
		}
		if kept := strings.Contains(r.Headline, c.secret); got != tt.want || kept != (tt.want == "kept") {
			t.Errorf("%s by %s under %q: %s, want %s", tt.origin, tt.source, tt.policy, got, tt.want)
		}
	}
	if _, err := engine.Open(t.Context(), "mem", engine.Config{Secrets: "perhaps"}); !errors.Is(err, api.ErrInvalid) {
		t.Errorf("a policy there is not: err = %v, want ErrInvalid", err)
	}
}

// TestHarmlessWordsStay byte for byte, and nothing is said of them.
func TestHarmlessWordsStay(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	for _, text := range []string{
		"the password must have at least 12 characters",
		"see raw:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"api_key = os.Getenv(\"API_KEY\")\r\n\ttabs,  blanks \n\n", "é\u0301 [REDACTED:github-pat] 日本語",
		"commit 1f0c5d3e9b8a7f6e5d4c3b2a19080f7e6d5c4b3a",
		"https://example.net:8443/path?next=a@b.example",
	} {
		r, err := e.Capture(t.Context(), api.CaptureRequest{Text: text})
		if err != nil || len(r.Redacted) > 0 {
			t.Fatalf("%q: %v, %v", text, r.Redacted, err)
		}
		got, err := e.Show(t.Context(), api.RefRequest{Ref: r.Ref})
		if err != nil {
			t.Fatal(err)
		}
		if got.Content["text"] != text {
			t.Errorf("%q became %q", text, got.Content["text"])
		}
	}
	blob := append([]byte("AWS_SECRET_ACCESS_KEY="), 0xff, 0xfe)
	r, err := e.Capture(t.Context(), api.CaptureRequest{Blob: blob})
	if err != nil || len(r.Redacted) > 0 {
		t.Errorf("bytes that are not text: %v, %v", r.Redacted, err)
	}
}

// TestSecretsAmongMembers: of what is kept of an original, the value beside a name
// goes, or the piece of it that is secret; its members stay. A name by which it
// would be found again is refused.
func TestSecretsAmongMembers(t *testing.T) {
	c, other := canaries(7)[36], canaries(7)[0]
	e := open(t, "mem", engine.Config{})
	ingest := func(alias string, ext any) error {
		raw, err := json.Marshal(ext)
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Ingest(t.Context(), func(yield func(api.Foreign, error) bool) {
			yield(api.Foreign{Alias: []string{alias}, Ext: raw, Body: &memory.Raw{Text: "words"}}, nil)
		}, nil)
		return err
	}
	ext := map[string]any{
		"db_password": c.secret, "n": 4711, "said": "we took \"" + other.secret + "\" \u2028 of old",
		"list": []any{true, nil},
	}
	if err := ingest("a", ext); err != nil {
		t.Fatal(err)
	}
	var bundle bytes.Buffer
	if _, err := e.Export(t.Context(), &bundle, api.ExportRequest{}); err != nil {
		t.Fatal(err)
	}
	got := everyPayload(t, bundle.Bytes())
	for _, want := range []string{
		`"n":4711`, `"list":[true,null]`, `we took \"[REDACTED:`, ` of old"`, `"db_password":"[REDACTED:`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	if strings.Contains(got, c.secret) || strings.Contains(got, other.secret) {
		t.Errorf("a secret stays in %s", got)
	}
	if err := ingest("the id "+other.secret, nil); !errors.Is(err, api.ErrInvalid) ||
		strings.Contains(err.Error(), other.secret) {
		t.Errorf("a secret for a name: err = %v, want it refused", err)
	}
}

// everyPayload returns the signed bytes of a bundle.
func everyPayload(t *testing.T, bundle []byte) string {
	t.Helper()
	var all strings.Builder
	for line := range bytes.Lines(bundle) {
		var l struct {
			Payload []byte `json:"payload"`
		}
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		all.Write(l.Payload)
		all.WriteByte('\n')
	}
	return all.String()
}

// TestSignedSecretsAreReported and kept as they came: somebody else's signature
// stands on them.
func TestSignedSecretsAreReported(t *testing.T) {
	from := open(t, "mem", engine.Config{Secrets: engine.SecretsAllow})
	c := canaries(3)[0]
	ref := capture(t, from, c.text)
	var bundle bytes.Buffer
	if _, err := from.Export(t.Context(), &bundle, api.ExportRequest{}); err != nil {
		t.Fatal(err)
	}
	to := open(t, "mem", engine.Config{Secrets: engine.SecretsBlock})
	r, err := to.Import(t.Context(), &bundle, nil)
	if err != nil || r.Added == 0 || len(r.Secrets) != 1 {
		t.Fatalf("import: %+v, %v, want one rule counted", r, err)
	}
	d, err := to.Doctor(t.Context(), api.DoctorRequest{})
	if err != nil || len(d.Secrets) != 1 || d.Secrets[0].Ref != ref ||
		!strings.HasPrefix(d.Secrets[0].Fix, "`purge raw:") || d.Secrets[0].Found[0].Field != "text" {
		t.Errorf("doctor: %+v, %v", d.Secrets, err)
	}
}
