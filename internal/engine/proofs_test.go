package engine_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// ordersPack is a recall with proofs of a store of its own, in which a person approved one note, rejected another and
// wrote a value.
func ordersPack(t *testing.T) (pack api.RecallReply, approved, rejected string) {
	t.Helper()
	e := open(t, filepath.Join(t.TempDir(), "memory.db"), engine.Config{Origin: memory.OriginOwner})
	agent, err := e.As(engine.Caller{Agent: "Robin"})
	if err != nil {
		t.Fatal(err)
	}
	add := func(text string) string {
		in := api.AddRequest{Draft: api.Draft{Kind: "note", Type: "decision", Text: text}}
		r, err := agent.Add(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		return r.Ref
	}
	approved = add("Orders are kept in PostgreSQL behind the gateway")
	rejected = add("Orders are kept in files by the gateway")
	add("Orders of the gateway are counted every night")
	capture(t, e, "The gateway sends orders to two places")
	yes := api.DecideRequest{Refs: []string{approved}, Reason: "agreed in May"}
	if _, err := e.Approve(t.Context(), yes); err != nil {
		t.Fatal(err)
	}
	no := api.DecideRequest{Refs: []string{rejected}, Reason: "files were lost"}
	if _, err := e.Reject(t.Context(), no); err != nil {
		t.Fatal(err)
	}
	pack, err = e.Recall(t.Context(), api.RecallRequest{
		Query: "where does the gateway keep orders", Budget: 5000, All: true, Proofs: true,
	})
	if err != nil || len(pack.Results) < 4 {
		t.Fatalf("%d results: %v", len(pack.Results), err)
	}
	return pack, approved, rejected
}

func audited(t *testing.T, pack any) report.Pack {
	t.Helper()
	raw, err := json.Marshal(pack)
	if err != nil {
		t.Fatal(err)
	}
	got, err := audit.Pack(t.Context(), bytes.NewReader(raw), nil, audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func entryOf(t *testing.T, p report.Pack, ref string) report.Entry {
	t.Helper()
	for _, e := range p.Entries {
		if e.Ref == ref {
			return e
		}
	}
	t.Fatalf("no entry %s", ref)
	return report.Entry{}
}

func result(t *testing.T, p *api.RecallReply, ref string) *api.Recalled {
	t.Helper()
	for i := range p.Results {
		if p.Results[i].Ref == ref {
			return &p.Results[i]
		}
	}
	t.Fatalf("no result %s", ref)
	return nil
}

func lines(t *testing.T, p *api.RecallReply) []string {
	t.Helper()
	zipped, err := base64.StdEncoding.DecodeString(p.Proofs)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(strings.TrimSuffix(string(raw), "\n"), "\n")
}

func zipped(lines []string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, strings.Join(lines, ""))
	w.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func TestPackSaysWhoDecided(t *testing.T) {
	pack, approved, rejected := ordersPack(t)
	got := audited(t, pack)
	if got.Exit() != report.ExitOK {
		t.Fatalf("exit %d: %+v", got.Exit(), got.Entries)
	}
	yes, no := entryOf(t, got, approved), entryOf(t, got, rejected)
	if d := yes.Decided; yes.Agent != "Robin" || d == nil || d.Act != "approve" || d.Why != "agreed in May" ||
		d.Agent != "" {
		t.Errorf("approved: %+v %+v", yes, d)
	}
	if d := no.Decided; d == nil || d.Act != "reject" || d.Why != "files were lost" {
		t.Errorf("rejected: %+v %+v", no, d)
	}
	said, err := json.Marshal(pack)
	if err != nil {
		t.Fatal(err)
	}
	of, err := audit.Pack(t.Context(), bytes.NewReader(said), strings.NewReader(
		"Orders are kept in files by the gateway. Orders are kept in PostgreSQL behind the gateway."), audit.Options{})
	if err != nil || len(of.Sentences) != 2 || of.Sentences[0].Rests || !of.Sentences[1].Rests {
		t.Errorf("%+v: %v", of.Sentences, err)
	}
}

// Whatever is changed in a pack, what it is shown to give is what its records say.
func TestChangedPack(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, p *api.RecallReply, approved, rejected string){
		"words": func(t *testing.T, p *api.RecallReply, approved, _ string) {
			result(t, p, approved).Text = "Orders are kept in SQLite behind the gateway"
		},
		"words cut": func(t *testing.T, p *api.RecallReply, approved, _ string) {
			result(t, p, approved).Text = "Orders are kept … behind the gateway"
		},
		"words put in at a cut": func(t *testing.T, p *api.RecallReply, approved, _ string) {
			result(t, p, approved).Text = "Orders are kept … never … behind the gateway"
		},
		"span": func(t *testing.T, p *api.RecallReply, approved, _ string) {
			result(t, p, approved).Proof.Span = "0-6"
		},
		"another's words": func(t *testing.T, p *api.RecallReply, approved, rejected string) {
			result(t, p, approved).Text = result(t, p, rejected).Text
		},
		"another's decision": func(t *testing.T, p *api.RecallReply, approved, rejected string) {
			result(t, p, rejected).Proof.Decided = result(t, p, approved).Proof.Decided
		},
		"an approval of what was rejected": func(t *testing.T, p *api.RecallReply, _, rejected string) {
			result(t, p, rejected).Review = "approved"
		},
		"an approval without a decision": func(t *testing.T, p *api.RecallReply, approved, _ string) {
			result(t, p, approved).Proof.Decided = ""
		},
		"another speaker": func(t *testing.T, p *api.RecallReply, approved, _ string) {
			result(t, p, approved).Speaker = "Ada"
		},
		"another store's proofs": func(t *testing.T, p *api.RecallReply, _, _ string) {
			other, _, _ := ordersPack(t)
			p.Proofs = other.Proofs
		},
		"no decision in the proofs": func(t *testing.T, p *api.RecallReply, approved, _ string) {
			var kept []string
			for _, l := range lines(t, p) {
				if !strings.Contains(l, `"kind":"mark"`) {
					kept = append(kept, l)
				}
			}
			p.Proofs = zipped(kept)
		},
		"no checkpoint": func(t *testing.T, p *api.RecallReply, _, _ string) {
			var kept []string
			for _, l := range lines(t, p) {
				if !strings.HasPrefix(l, `{"checkpoint"`) {
					kept = append(kept, l)
				}
			}
			p.Proofs = zipped(kept)
		},
	} {
		t.Run(name, func(t *testing.T) {
			pack, approved, rejected := ordersPack(t)
			change(t, &pack, approved, rejected)
			if got := audited(t, pack); got.Exit() != report.ExitFailed {
				t.Errorf("exit %d: %+v", got.Exit(), got.Entries)
			}
		})
	}
}

// A decision by somebody who may not decide about a memory approves nothing, although it is signed.
func TestForgedApproval(t *testing.T) {
	pack, _, rejected := ordersPack(t)
	thief := open(t, filepath.Join(t.TempDir(), "memory.db"), engine.Config{Origin: memory.OriginOwner})
	own := write(t, thief, api.AddRequest{Draft: api.Draft{Kind: "note", Text: "Mine"}, Meta: api.Meta{Approve: true}})
	theirs, err := thief.Recall(t.Context(), api.RecallRequest{Query: "mine", Proofs: true})
	if err != nil {
		t.Fatal(err)
	}
	by := result(t, &theirs, own).Proof.Decided
	var more []string
	for _, l := range lines(t, &theirs) {
		if strings.HasPrefix(l, `{"record"`) {
			more = append(more, strings.TrimSuffix(l, "\n")+"\n")
		}
	}
	pack.Proofs = zipped(append(more, lines(t, &pack)...))
	result(t, &pack, rejected).Review, result(t, &pack, rejected).Proof.Decided = "approved", by
	if got := audited(t, pack); entryOf(t, got, rejected).Status != "changed" || got.Exit() != report.ExitFailed {
		t.Errorf("%+v", entryOf(t, got, rejected))
	}
}

// One byte that changes anywhere in the proofs is found, or changes nothing that is shown.
func TestFlippedProofs(t *testing.T) {
	pack, _, _ := ordersPack(t)
	sound := audited(t, pack)
	want, err := json.Marshal(sound.Entries)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(lines(t, &pack), "")
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 400 {
		at := r.IntN(len(all))
		raw := []byte(all)
		raw[at] ^= 1 << r.IntN(7)
		pack.Proofs = zipped([]string{string(raw)})
		text, err := json.Marshal(pack)
		if err != nil {
			t.Fatal(err)
		}
		got, err := audit.Pack(t.Context(), bytes.NewReader(text), nil, audit.Options{})
		if err != nil || got.Exit() != report.ExitOK {
			found++
			continue
		}
		if is, _ := json.Marshal(got.Entries); string(is) != string(want) {
			t.Fatalf("byte %d: %s", at, is)
		}
	}
	if found < 380 { // what is not found is no part of a proof, as a blank between two lines
		t.Errorf("%d of 400 found", found)
	}
}

// The words and the choice of a pack are the same with proofs and without.
func TestProofsChangeNothing(t *testing.T) {
	e := open(t, filepath.Join(t.TempDir(), "memory.db"), engine.Config{Receipts: ""})
	for _, text := range []string{"The gateway keeps orders", "Orders wait behind the gateway", "Orders are counted"} {
		capture(t, e, text)
	}
	in := api.RecallRequest{Query: "gateway orders"}
	bare, err := e.Recall(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	in.Proofs = true
	with, err := e.Recall(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if with.Proofs == "" {
		t.Fatal("no proofs")
	}
	with.Proofs, with.Receipt, bare.Receipt = "", "", ""
	for i := range with.Results {
		with.Results[i].Proof = nil
	}
	a, _ := json.Marshal(bare)
	b, _ := json.Marshal(with)
	if string(a) != string(b) {
		t.Errorf("%s\n%s", a, b)
	}
	if _, err := e.Recall(t.Context(), api.RecallRequest{Proofs: true}); err == nil {
		t.Error("proofs without a question")
	}
}
