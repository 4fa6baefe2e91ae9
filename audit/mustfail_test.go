package audit

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/memory"
)

// What must fail by the list in dsse_ed25519.json: each as a change to what was
// signed, which the signature finds, and as something that was signed so, which
// is found although the signature holds.
func TestWhatMustFailFailsWhetherItIsSignedOrNot(t *testing.T) {
	for _, tt := range []struct {
		name     string
		old, new string
	}{
		{"a space added", `"body":{`, `"body": {`},
		{"members in another order", `"confidence":800,`, ``},
		{"a verdict flipped in another order", `{"attestation":"dispute",`, `{"notes":"","attestation":"confirm",`},
		{"a member twice", `"body":{`, `"body":{},"body":{`},
		{"a member in capitals beside it", `"body":{`, `"Body":{},"body":{`},
		{"a member in capitals", `"body":{`, `"Body":{`},
		{"a confidence that is no integer", `"confidence":800`, `"confidence":0.80`},
		{"a number that no double holds", `"confidence":800`, `"confidence":9007199254740993`},
		{"a newline after it", `"v":1}`, "\"v\":1}\n"},
		{"a time with an offset", `.000Z"`, `.000+00:00"`},
		{"a time without milliseconds", `.000Z"`, `Z"`},
		{"half a surrogate pair", `"dispute"`, `"\ud800"`},
		{"an escape without need", `"dispute"`, `"\u0064ispute"`},
	} {
		s := newScene(t)
		ada := s.owner(1, "Ada")
		agent := s.agent(ada, 2, time.Time{})
		of := s.add(agent, words("We ship on Fridays.")).Ref()
		r := s.add(agent, &memory.Witness{Of: of, Attestation: "dispute"})
		s.lines = s.lines[:len(s.lines)-1]
		payload := string(r.Bytes)
		if !strings.Contains(payload, tt.old) {
			t.Fatalf("%s: no %s in %s", tt.name, tt.old, payload)
		}
		bad := strings.Replace(payload, tt.old, tt.new, 1)
		if tt.new == "" {
			bad = strings.Replace(bad, `"v":1}`, `"v":1,`+strings.TrimSuffix(tt.old, ",")+`}`, 1)
		}
		changed := changed(r, func(w *wire) { w.Payload = []byte(bad) })
		signed := resigned(agent, bad, "application/vnd.stemma.witness.v1+json")
		for want, raw := range map[report.Status][]byte{report.BadSignature: changed, report.NotCanonical: signed} {
			s.lines = append(s.lines, entry{raw: raw})
			if r := s.audit(Options{}); r.Exit() != report.ExitFailed || r.Counts[want] != 1 || r.Counts[report.OK] != 3 {
				t.Errorf("%s: want %s: %s", tt.name, want, show(r))
			}
			s.lines = s.lines[:len(s.lines)-1]
		}
	}
}

// Good statements of another project are not ours, and under our types they are
// not what was signed.
func TestStatementsOfOthersAreNotOurs(t *testing.T) {
	raw, err := os.ReadFile("../internal/keys/testdata/dsse_ed25519.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			Name        string `json:"name"`
			PayloadType string `json:"payloadType"`
			Payload     string `json:"payload_utf8"`
			KeyID       string `json:"keyid"`
			Sig         string `json:"sig_base64"`
		} `json:"vectors"`
	}
	if err := json.Unmarshal(raw, &file); err != nil || len(file.Vectors) != 5 {
		t.Fatalf("%d statements (%v), want 5", len(file.Vectors), err)
	}
	for _, v := range file.Vectors {
		sig := must(base64.StdEncoding.DecodeString(v.Sig))
		w := wire{[]byte(v.Payload), v.PayloadType, []wireSig{{v.KeyID, sig}}}
		for _, tt := range []struct {
			payloadType string
			want        report.Status
		}{{v.PayloadType, report.Unsupported}, {"application/vnd.stemma.witness.v1+json", report.BadSignature}} {
			w.PayloadType = tt.payloadType
			r := audit(t, must(json.Marshal(w)), Options{})
			if r.Counts[tt.want] != 1 || r.Exit() == report.ExitOK {
				t.Errorf("%s as %s: want %s: %s", v.Name, tt.payloadType, tt.want, show(r))
			}
		}
	}
}
