package audit

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// hub is somebody outside who signs checkpoints.
type hub struct {
	note.Signer
	line string // by which others know its key
	at   time.Time
	hash uint32
}

func newHub(t testing.TB, at time.Time) hub {
	t.Helper()
	private, public, err := note.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{77}, 100)), "hub.example.org")
	if err != nil {
		t.Fatal(err)
	}
	s := must(note.NewSigner(private))
	key := must(base64.StdEncoding.DecodeString(strings.SplitN(public, "+", 3)[2]))
	v := must(ledger.Cosigner("hub.example.org", key[1:]))
	key[0] = 4
	return hub{
		s, fmt.Sprintf("hub.example.org+%08x+%s", v.KeyHash(), base64.StdEncoding.EncodeToString(key)), at,
		v.KeyHash(),
	}
}

func (h hub) KeyHash() uint32 { return h.hash }

func (h hub) Sign(text []byte) ([]byte, error) { return ledger.Cosign(text, h.at, h.Signer.Sign) }

// cosign adds the hub's signature to a note.
func (h hub) cosign(t testing.TB, raw []byte) []byte {
	t.Helper()
	c, _, err := ledger.Read(raw)
	if err != nil {
		t.Fatal(err)
	}
	own := must(ledger.Sign(c, h))
	return append(bytes.Clone(raw), own[bytes.LastIndex(own, []byte("\n\n"))+2:]...)
}

func TestWhatAWitnessHolds(t *testing.T) {
	p := newPlay(t)
	at := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	h := newHub(t, at)
	held := h.cosign(t, p.note(p.ada.space, 5, p.agent))
	r := p.audit(Options{Witnesses: []string{h.line}, Checkpoints: [][]byte{held}})
	l := r.Logs[len(r.Logs)-1]
	if r.Exit() != report.ExitOK || l.Status != report.LogOK || l.Size != 5 || l.Records != 8 {
		t.Errorf("%s", show(r))
	}
	if want := "tamper-evident up to record 5 of " + p.ada.space +
		", held by hub.example.org at 2026-02-03T04:05:06Z"; !strings.HasPrefix(r.Horizon, want) {
		t.Errorf("horizon %q, want %q", r.Horizon, want)
	}

	// The same checkpoint against a history that was cut, and one that was rewritten.
	good := p.lines
	var cut []entry
	for _, e := range good {
		if e.space == p.ada.space && len(cut) == 4 || e.space == "" {
			continue
		}
		cut = append(cut, e)
	}
	p.lines = cut
	r = p.audit(Options{Witnesses: []string{h.line}, Checkpoints: [][]byte{held}})
	if l := r.Logs[len(r.Logs)-1]; r.Exit() != report.ExitFailed || l.Status != report.BehindWitness {
		t.Errorf("a history that was cut: %s", show(r))
	}
	p.lines = append([]entry{good[0], good[1], good[2], good[4], good[3]}, good[5:]...)
	r = p.audit(Options{Witnesses: []string{h.line}, Checkpoints: [][]byte{held}})
	if l := r.Logs[len(r.Logs)-1]; r.Exit() != report.ExitFailed || l.Status != report.Fork {
		t.Errorf("a history that was rewritten: %s", show(r))
	}
	p.lines = good

	other := []byte(strings.Replace(string(held), "example.org/did", "example.org/other", 1))
	r = p.audit(Options{Checkpoints: [][]byte{other}})
	if l := r.Logs[len(r.Logs)-1]; r.Exit() != report.ExitUnchecked || l.Status != report.LogUnchecked {
		t.Errorf("a checkpoint of another log: %s", show(r))
	}
	forged := bytes.Clone(held)
	forged[len(forged)-20] ^= 1
	r = p.audit(Options{Witnesses: []string{h.line}, Checkpoints: [][]byte{forged}})
	if l := r.Logs[len(r.Logs)-1]; r.Exit() != report.ExitFailed || l.Status != report.BadCheckpoint {
		t.Errorf("a checkpoint that was tampered with: %s", show(r))
	}
	if _, err := New(Options{Witnesses: []string{"nonsense"}}); err == nil {
		t.Error("a witness without a key")
	}
}

func TestWhoSignedACheckpoint(t *testing.T) {
	for name, tt := range map[string]struct {
		by     func(p *play) []actor
		status report.LogStatus
		exit   int
	}{
		"the owner":     {func(p *play) []actor { return []actor{p.ada} }, report.LogOK, report.ExitOK},
		"his agent":     {func(p *play) []actor { return []actor{p.agent} }, report.LogOK, report.ExitOK},
		"another owner": {func(p *play) []actor { return []actor{p.bob} }, report.LogUnchecked, report.ExitUnchecked},
		"another's agent": {
			func(p *play) []actor { return []actor{p.scene.agent(p.bob, 11, time.Time{})} }, report.LogUnchecked,
			report.ExitUnchecked,
		},
		"a stranger": {func(*play) []actor { return []actor{someone(9)} }, report.LogUnchecked,
			report.ExitUnchecked},
		"a stranger and he": {func(p *play) []actor { return []actor{someone(9), p.ada} }, report.LogOK, report.ExitOK},
		"the key of a thief": {func(p *play) []actor { p.stolen(); return []actor{p.agent} }, report.LogUnchecked,
			report.ExitFailed},
		"the owner, replaced": {func(p *play) []actor { return []actor{p.rotate(p.ada, someone(6), p.ada)} }, report.LogOK,
			report.ExitOK},
	} {
		p := newPlay(t)
		p.lines = p.lines[:8] // Ada's
		p.bob = p.owner(3, "Bob")
		by := tt.by(p)
		p.checkpoint(p.ada.space, by...)
		r := p.audit(Options{})
		var got report.LogStatus
		for _, l := range r.Logs {
			if l.Space == p.ada.space {
				got = l.Status
			}
		}
		if got != tt.status || r.Exit() != tt.exit {
			t.Errorf("%s: %s and exit %d, want %s and %d: %s", name, got, r.Exit(), tt.status, tt.exit, show(r))
		}
	}
}

// stolen says that the agent's key is somebody else's, and lets him write.
func (p *play) stolen() {
	p.add(p.ada, &memory.Key{Op: memory.OpRevoke, Key: p.agent.key.DID(), Reason: "compromised"})
	p.add(p.agent, words("I am the agent, of course."))
}

func TestTwoCheckpointsThatDiffer(t *testing.T) {
	p := newPlay(t)
	raw := string(p.note(p.bob.space, -1, p.bob))
	c, _, err := ledger.Read([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	c.Root[3] ^= 1
	signer := must(p.bob.key.NoteSigner("example.org/log"))
	p.other("checkpoint", map[string]any{"space": p.bob.space, "note": string(must(ledger.Sign(c, signer)))})
	r := p.audit(Options{})
	if r.Exit() != report.ExitFailed || r.Logs[2].Status != report.Fork {
		t.Errorf("%s", show(r))
	}
}

// part takes some records of a log out of a bundle, with proofs of the rest.
func part(p *play, keep func(i int) bool) {
	ids := p.ids(p.ada.space)
	tree := must(ledger.NewTree(ledger.IDs(ids), int64(len(ids))))
	var lines []entry
	i := -1
	var proofs []entry
	for _, e := range p.lines {
		if e.space != p.ada.space {
			lines = append(lines, e)
			continue
		}
		if i++; !keep(i) {
			continue
		}
		lines = append(lines, e)
		s := newScene(p)
		ref := memory.Ref{Kind: memory.KindRaw, ID: e.id}
		var kind struct{ Kind memory.Kind }
		if l, err := parseLine(e.raw); err == nil && l.envelope != nil {
			kind.Kind = must(memory.Decode(l.envelope.payload)).Header.Kind
			ref.Kind = kind.Kind
		}
		hashes := must(tree.Inclusion(int64(i), int64(len(ids)))).Strings()
		s.other("inclusion", map[string]any{"ref": ref, "space": p.ada.space, "index": i, "size": len(ids), "hashes": hashes})
		proofs = append(proofs, s.lines...)
	}
	p.lines = append(lines, proofs...)
}

func TestAPartOfALogIsProven(t *testing.T) {
	p := newPlay(t)
	part(p, func(i int) bool { return i != 5 && i != 7 }) // nothing cites the sixth and the last
	r := p.audit(Options{})
	if r.Exit() != report.ExitOK || r.Logs[0].Status != report.LogOK || r.Logs[0].Records != 6 ||
		!strings.Contains(r.Logs[0].Why, "a part of 8: each") {
		t.Errorf("%s", show(r))
	}
	good := p.lines
	at := func(prefix string) int {
		for i := len(good) - 1; i >= 0; i-- {
			if bytes.HasPrefix(good[i].raw, []byte(prefix)) {
				return i
			}
		}
		t.Fatal("no such line")
		return 0
	}
	for name, change := range map[string]func(){
		"a proof is missing":  func() { p.lines = good[:len(good)-1] },
		"a record is added":   func() { p.add(p.agent, words("Never there.")) },
		"a record is missing": func() { p.lines = append(append([]entry{}, good[:3]...), good[4:]...) },
		"a proof of another": func() {
			p.lines = append([]entry{}, good...)
			i := at(`{"inclusion"`)
			p.lines[i].raw = bytes.Replace(p.lines[i].raw, []byte(`"index":6`), []byte(`"index":5`), 1)
		},
		"no checkpoint of it": func() { p.lines = append(append([]entry{}, good[:6]...), good[7:]...) },
	} {
		p.lines = append([]entry{}, good...)
		if change(); len(p.lines) == len(good) && name != "a proof of another" {
			t.Errorf("%s: nothing changed", name)
		}
		if r := p.audit(Options{}); r.Exit() == report.ExitOK {
			t.Errorf("%s: %s", name, show(r))
		}
	}
	// A bit of every byte of a proof.
	p.lines = append([]entry{}, good...)
	i := at(`{"inclusion"`)
	for bit := 0; bit < len(good[i].raw)*8; bit += 7 * fewer {
		b := bytes.Clone(good[i].raw)
		b[bit/8] ^= 1 << (bit % 8)
		p.lines[i].raw = b
		if r := p.audit(Options{}); r.Exit() == report.ExitOK {
			t.Errorf("bit %d of byte %d flipped: %s", bit%8, bit/8, b)
		}
	}
}

func TestOwnersThatAreTrustedByName(t *testing.T) {
	p := newPlay(t)
	ada, bob := p.ada.key.DID(), p.bob.key.DID()
	for name, tt := range map[string]struct {
		trusted []string
		exit    int
		unknown int
	}{
		"both":     {[]string{ada, bob}, report.ExitOK, 0},
		"Ada":      {[]string{ada}, report.ExitUnchecked, 3},
		"neither":  {[]string{someone(9).key.DID()}, report.ExitUnchecked, 10},
		"her heir": {[]string{someone(6).key.DID(), bob}, report.ExitOK, 0},
	} {
		q := newPlay(t)
		if name == "her heir" {
			q.rotate(q.ada, someone(6), q.ada)
		}
		r := q.audit(Options{Trusted: tt.trusted})
		if r.Exit() != tt.exit || r.Counts[report.UnknownKey] != tt.unknown {
			t.Errorf(
				"%s: exit %d with %d unknown, want %d with %d: %s", name, r.Exit(), r.Counts[report.UnknownKey],
				tt.exit, tt.unknown, show(r),
			)
		}
	}
	if _, err := New(Options{Trusted: []string{"did:key:nonsense"}}); err == nil {
		t.Error("a trusted key that is none")
	}
}

func TestKeysThatWereReplaced(t *testing.T) {
	s := newScene(t)
	ada, spare, next := someone(1), someone(20), someone(21)
	s.add(
		ada,
		&memory.Key{Op: memory.OpInception, Key: ada.key.DID(), Name: "Ada", Next: state.Commitment(spare.key.DID())},
	)
	old := s.add(ada, words("before"))
	spare.space = ada.space
	next = s.rotate(ada, next, spare) // by the recovery key
	s.add(next, words("after"))
	of := old.Ref()
	s.add(next, &memory.Witness{Of: of, Attestation: "confirm"})
	r := s.audit(Options{})
	if r.Exit() != report.ExitOK || len(r.Roots) != 1 || r.Roots[0].DID != ada.key.DID() || r.Roots[0].Statements != 5 {
		t.Errorf("recovered: %s", show(r))
	}
	s.add(ada, words("by the thief, who has the old key"))
	if r := s.audit(Options{}); r.Counts[report.KeyRevoked] != 1 {
		t.Errorf("after it was recovered: %s", show(r))
	}
	s.add(spare, words("a recovery key says nothing but whose the keys are"))
	if r := s.audit(Options{}); r.Counts[report.UnknownKey] != 1 {
		t.Errorf("words of a recovery key: %s", show(r))
	}
	// The new key must agree.
	s = newScene(t)
	ada = s.owner(1, "Ada")
	h := s.header(ada)
	s.put(
		s.sign(must(memory.Write(h, &memory.Key{Op: memory.OpRotate, Key: next.key.DID(), Previous: ada.key.DID()})), ada),
	)
	next.space = ada.space
	s.add(next, words("I followed, I say"))
	if r := s.audit(Options{}); r.Counts[report.UnknownKey] != 1 {
		t.Errorf("a key that did not agree: %s", show(r))
	}
}

// Of two spaces a bundle does not say which record came first: their dates do.
func TestAKeyThatWasReplacedOnAnotherSpace(t *testing.T) {
	s := newScene(t)
	ada := s.owner(1, "Ada")
	work := ada
	work.space = ada.key.DID() + "/work"
	before := s.add(work, words("with the old key, while it was hers"))
	first := s.lines[len(s.lines)-1]
	s.lines = s.lines[:len(s.lines)-1]
	s.rotate(ada, someone(6), ada)
	s.lines = append(s.lines, first) // her other space comes after it in the file
	if r := s.audit(Options{}); r.Exit() != report.ExitOK {
		t.Errorf("%s came before the rotation: %s", before.Ref().Short(), show(r))
	}
	s.add(work, words("with the old key, afterwards"))
	if r := s.audit(Options{}); r.Counts[report.KeyRevoked] != 1 {
		t.Errorf("after the rotation: %s", show(r))
	}
}

func TestAWitnessWhoIsTheOwner(t *testing.T) {
	p := newPlay(t)
	own := must(keys.NoteKey("example.org/log", p.bob.key.DID()))
	if r := p.audit(Options{Witnesses: []string{own, own}}); r.Exit() != report.ExitOK ||
		r.Logs[1].Status != report.LogOK {
		t.Errorf("%s", show(r))
	}
}

func TestTheRestOfTheOffendersIsOnlyCounted(t *testing.T) {
	p := newPlay(t)
	for range 50 {
		p.add(someone(9), words("a stranger's"))
		p.lines = append(p.lines, entry{raw: []byte("garbage")})
	}
	for _, limit := range []int{0, 3, 1000} {
		r := p.audit(Options{Offenders: limit})
		want := map[int]int{0: 20, 3: 3, 1000: 100}[limit]
		if len(r.Offenders) != want || r.Counts[report.UnknownKey] != 50 || r.Counts[report.BadEnvelope] != 50 {
			t.Errorf("limit %d: %d shown, want %d", limit, len(r.Offenders), want)
		}
		for i := 1; i < len(r.Offenders); i++ {
			if r.Offenders[i].Line <= r.Offenders[i-1].Line {
				t.Errorf("limit %d: line %d after line %d", limit, r.Offenders[i].Line, r.Offenders[i-1].Line)
			}
		}
	}
}

func TestAnAuditEndsWhenItsContextDoes(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Bundle(ctx, bytes.NewReader(newPlay(t).bundle()), Options{}); err == nil {
		t.Error("no error")
	}
}
