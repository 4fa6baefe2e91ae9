package prov

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

var update = flag.Bool("update", false, "write the golden files anew")

const (
	owner = "did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw"
	agent = "did:key:z6MkiaMbhXHNA4eJVCCj8dbzKzTgYDKf6crKgHVHid1F1WCT"
)

func ref(kind memory.Kind, n byte) memory.Ref { return memory.Ref{Kind: kind, ID: memory.ID{n}} }

// trace is a belief that replaces another and was consolidated from an episode,
// which was promoted from a raw and one that is not held; and a witness.
func trace() Graph {
	root, older := ref(memory.KindBelief, 1), ref(memory.KindBelief, 2)
	episode, raw := ref(memory.KindEpisode, 3), ref(memory.KindRaw, 4)
	at := memory.At(time.UnixMilli(1_770_000_000_000))
	return Graph{Root: root, Records: []Record{
		{
			Ref: root, V: 1, Headline: "the secret is <out>\nand more", At: at, Author: agent, Agent: "planner",
			Owner: owner, Origin: memory.OriginAgent,
			Via: memory.ViaConsolidate, Run: "the run of Ada", From: []memory.Ref{older, episode},
			Supersedes: []memory.Ref{older},
			Signature:  bytes.Repeat([]byte{1}, 64),
		},
		{
			Ref: older, V: 1, Headline: "before", At: at, Author: agent, Agent: "writer", Owner: owner,
			Via: memory.ViaConsolidate, Run: "the run of Ada", From: []memory.Ref{episode},
		},
		{
			Ref: episode, V: 1, Headline: "episode", At: at, Author: agent, Via: memory.ViaPromote,
			From: []memory.Ref{raw, ref(memory.KindRaw, 5)},
		},
		{
			Ref: raw, V: 1, Headline: "raw words", At: at, Author: owner, Owner: owner,
			Origin: memory.OriginOwner, Via: memory.ViaDirect,
		},
		{Ref: ref(memory.KindRaw, 5), Missing: true, Headline: "must not be shown"},
		{
			Ref: ref(memory.KindWitness, 6), V: 1, At: at, Author: owner, Via: memory.ViaDirect,
			About: []memory.Ref{root}, Says: "confirm",
		},
		{Ref: ref(memory.KindNote, 7), V: 1, At: at, Author: owner, Via: memory.ViaInference, From: []memory.Ref{root}},
	}}
}

// faces are the two ways to write a graph.
var faces = map[string]func(Graph) ([]byte, error){"prov": PROVJSON, "intoto": InToto}

func TestGolden(t *testing.T) {
	for name, write := range faces {
		got, err := write(trace())
		if err != nil {
			t.Fatal(err)
		}
		golden := "testdata/" + name + ".golden.json"
		if *update {
			if err := os.WriteFile(golden, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s gives\n%s\nwant\n%s", name, got, want)
		}
	}
}

func TestWordsOnlyIfAsked(t *testing.T) {
	for name, write := range faces {
		for _, asked := range []bool{false, true} {
			g := trace()
			g.Words = asked
			out, err := write(g)
			if err != nil {
				t.Fatal(err)
			}
			for _, said := range []string{"the secret is <out>", "raw words", "the run of Ada"} {
				if got := bytes.Contains(out, []byte(said)); got != asked {
					t.Errorf("%s, asked for words %v: has %q %v", name, asked, said, got)
				}
			}
			if bytes.Contains(out, []byte("must not be shown")) {
				t.Errorf("%s shows words of a record that is missing", name)
			}
		}
	}
}

func TestTheOrderOfTheRecordsIsNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, write := range faces {
		want, err := write(trace())
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			g := trace()
			r.Shuffle(len(g.Records), func(i, j int) { g.Records[i], g.Records[j] = g.Records[j], g.Records[i] })
			if got, err := write(g); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s of shuffled records = %s, %v, want %s", name, got, err, want)
			}
		}
	}
}

func TestWhatIsRefused(t *testing.T) {
	tests := []struct {
		name, want string
		spoil      func(*Graph)
	}{
		{"another root", "not among the records", func(g *Graph) { g.Root = ref(memory.KindNote, 9) }},
		{"the root is missing", "not among the records", func(g *Graph) { g.Records[0].Missing = true }},
		{"no author", "no did:keys", func(g *Graph) { g.Records[1].Author = "" }},
		{"an author that breaks names", "no did:keys", func(g *Graph) { g.Records[1].Author = "did:key:z6 x" }},
		{"an owner that is no key", "no did:keys", func(g *Graph) { g.Records[0].Owner = "Ada" }},
		{"a ref to nothing", "is not a ref", func(g *Graph) { g.Records[1].Ref = ref(memory.KindNote, 0) }},
		{"a kind that breaks names", "is not a ref", func(g *Graph) { g.Records[1].From = []memory.Ref{ref("a b", 1)} }},
	}
	for _, tt := range tests {
		g := trace()
		tt.spoil(&g)
		for name, write := range faces {
			if out, err := write(g); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %s = %s, %v, want an error with %q", tt.name, name, out, err, tt.want)
			}
		}
	}
}

func TestOf(t *testing.T) {
	nonce := strings.Repeat("A", 22)
	h := memory.Header{
		Space: owner + "/main", Author: agent, Agent: "planner", Origin: memory.OriginAgent, At: memory.At(time.UnixMilli(1)),
		Nonce:      nonce,
		Provenance: memory.Provenance{Via: memory.ViaDirect, Run: "r"},
	}
	r, err := memory.New(h, &memory.Witness{Of: ref(memory.KindNote, 1), Attestation: "dispute"})
	if err != nil {
		t.Fatal(err)
	}
	r.Sigs = []memory.Signature{{Key: owner, Sig: []byte{1}}, {Key: agent, Sig: []byte{2}}}
	got := Of(r)
	if got.Ref != r.Ref() || got.V != 1 || got.Says != "dispute" || got.About[0].ID != (memory.ID{1}) ||
		got.Author != agent ||
		got.Run != "r" || !bytes.Equal(got.Signature, []byte{2}) {
		t.Errorf("Of = %+v", got)
	}
}

// TestAnyGraphResolves writes random graphs, with cycles and refs to nothing that
// no store would give, and holds what comes out to the rules of both formats.
func TestAnyGraphResolves(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 3))
		kinds := slices.Concat(memory.Memories(), memory.Claims())
		some := func() []memory.Ref {
			var out []memory.Ref
			for range r.IntN(4) {
				out = append(out, anyRef(r, kinds))
			}
			return append(out, memory.Ref{})
		}
		g := Graph{Words: r.IntN(2) == 0}
		for range 1 + r.IntN(20) {
			g.Records = append(g.Records, Record{
				Ref: anyRef(r, kinds), Missing: len(g.Records) > 0 && r.IntN(5) == 0, Headline: "h\xff", Author: owner,
				Owner: agent,
				Agent: fmt.Sprint(r.IntN(3)), Run: fmt.Sprint(r.IntN(3)), Via: memory.ViaDirect, From: some(),
				Supersedes: some(), About: some(),
			})
		}
		g.Root = g.Records[0].Ref
		out, err := PROVJSON(g)
		if err != nil {
			t.Fatal(err)
		}
		resolves(t, out)
		out, err = InToto(g)
		if err != nil {
			t.Fatal(err)
		}
		attests(t, out, g.Root)
	}
}

func anyRef(r *rand.Rand, kinds []memory.Kind) memory.Ref {
	return ref(kinds[r.IntN(len(kinds))], byte(1+r.IntN(20)))
}

// ends are the relations of PROV-JSON that we use, with the sections where what
// they name must stand.
var ends = map[string]map[string]string{
	"wasGeneratedBy":    {"prov:entity": "entity", "prov:activity": "activity"},
	"used":              {"prov:entity": "entity", "prov:activity": "activity"},
	"wasDerivedFrom":    {"prov:generatedEntity": "entity", "prov:usedEntity": "entity", "prov:activity": "activity"},
	"wasAttributedTo":   {"prov:entity": "entity", "prov:agent": "agent"},
	"wasAssociatedWith": {"prov:activity": "activity", "prov:agent": "agent"},
	"actedOnBehalfOf":   {"prov:delegate": "agent", "prov:responsible": "agent"},
	"wasInfluencedBy":   {"prov:influencee": "entity", "prov:influencer": "entity"},
}

// resolves holds PROV-JSON to its structure: every prefix is declared, every
// relation has its ends, and they exist.
func resolves(t *testing.T, raw []byte) {
	t.Helper()
	var doc map[string]map[string]json.RawMessage
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	declared := func(qualified string) {
		prefix, local, ok := strings.Cut(qualified, ":")
		if _, there := doc["prefix"][prefix]; !ok || local == "" || !there && prefix != "prov" && prefix != "xsd" &&
			prefix != "_" {
			t.Errorf("%q is no qualified name with a declared prefix", qualified)
		}
	}
	for section, things := range doc {
		if section == "prefix" {
			continue
		}
		wanted, relation := ends[section]
		if !relation && section != "entity" && section != "agent" && section != "activity" {
			t.Errorf("there is no section %q in PROV-JSON", section)
		}
		for id, thing := range things {
			declared(id)
			if relation != strings.HasPrefix(id, "_:") {
				t.Errorf("%s %s: only relations have no name of their own", section, id)
			}
			var attributes map[string]any
			if err := json.Unmarshal(thing, &attributes); err != nil {
				t.Fatal(err)
			}
			for attribute, value := range attributes {
				declared(attribute)
				if typed, ok := value.(map[string]any); ok {
					declared(typed["$"].(string))
					declared(typed["type"].(string))
				}
			}
			for end, in := range wanted {
				other, _ := attributes[end].(string)
				if doc[in][other] == nil {
					t.Errorf("%s %s: %s is %q, which is no %s", section, id, end, other, in)
				}
			}
		}
	}
}

// attests holds an in-toto statement to its structure: every resource has a
// digest, the subject is the memory, and every ref cited is described.
func attests(t *testing.T, raw []byte, root memory.Ref) {
	t.Helper()
	var s struct {
		Type          string `json:"_type"`
		PredicateType string
		Subject       []descriptor
		Predicate     predicate
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	if s.Type != StatementType || s.PredicateType != PredicateType || len(s.Subject) != 1 ||
		s.Subject[0].Name != root.String() {
		t.Errorf("statement of type %s, %s about %v", s.Type, s.PredicateType, s.Subject)
	}
	known := map[string]bool{}
	all := slices.Concat(s.Subject, s.Predicate.Sources, s.Predicate.Claims, s.Predicate.Derived)
	for _, d := range all {
		if known[d.Name] || !strings.HasSuffix(d.Name, ":"+d.Digest["sha256"]) {
			t.Errorf("%s stands there twice or has the digest %v", d.Name, d.Digest)
		}
		known[d.Name] = true
	}
	cited := slices.Concat(s.Predicate.From, s.Predicate.Supersedes)
	for _, d := range all {
		if d.Annotations != nil {
			cited = slices.Concat(cited, d.Annotations.From, d.Annotations.Supersedes, d.Annotations.About)
		}
	}
	for _, r := range cited {
		if !known[r.String()] {
			t.Errorf("%s is cited and not described", r)
		}
	}
}
