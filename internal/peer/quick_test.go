package peer

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// written returns one of each that is written quickly, and the type to read it into.
func written(t testing.TB) (all []any) {
	line := Line(
		`{"payload":"eyJhIjoxfQ==","payloadType":"application/x+json","signatures":[{"keyid":"did:key:a","sig":"c2ln"},` +
			`{"keyid":"b","sig":""}]}`,
	)
	one, two := memory.ID{1}, memory.ID{2, 31: 255}
	head := Head{Size: 2, Root: "cm9vdA==", Note: "stemma/<&>\n\u2014 é\n"}
	return []any{
		Push{
			"did:key:a/main", []Line{line, line},
		}, Push{"", []Line{line}}, Lines{Lines: []Line{line}}, Lines{[]Line{line, line}, true},
		LogPage{
			Entries: []Entry{{Ref: memory.Ref{Kind: "belief", ID: one}}, {memory.Ref{Kind: "raw", ID: two}, Gone}},
			Lines:   []Line{line, line}, Head: head,
		},
		LogPage{
			Entries: []Entry{{memory.Ref{Kind: "raw", ID: two}, Filtered}}, Head: head, Page: []string{"a", "b"},
			Held: []string{"c"},
		},
		Offer{
			"did:key:a/main", []memory.ID{one, two},
		}, Fetch{"did:key:a/main", []memory.ID{one}}, Wanted{[]memory.ID{two, one}},
		Acks{Stored: []memory.ID{one, two}},
	}
}

// others are such as go to encoding/json.
func others() []any {
	one := memory.ID{1}
	line := Line(`{"payload":"eyJhIjoxfQ==","payloadType":"a&b","signatures":[{"keyid":"a","sig":"c2ln"}]}`)
	return []any{
		Push{}, Push{"a\"b", nil}, Push{"a", []Line{line}}, Push{
			"a", []Line{Line(`{ "payload": 1 }`)},
		}, Lines{}, Lines{More: true}, LogPage{}, LogPage{Head: Head{Size: 1}},
		Offer{}, Offer{"", []memory.ID{one}}, Offer{"<", []memory.ID{one}}, Fetch{}, Fetch{"", []memory.ID{one}},
		Wanted{}, Acks{}, Acks{Held: []memory.ID{one}},
		Acks{
			Stored: []memory.ID{one}, Held: []memory.ID{one}, Refused: []Refusal{{Line: 1, Why: "<"}},
		}, KeyList{[]memory.ID{one}},
	}
}

// quickly reports whether a text is read without encoding/json.
func quickly(raw []byte, into any) bool {
	t := &text{rest: raw}
	ok := false
	switch v := into.(type) {
	case *Push:
		ok = t.push(v)
	case *LogPage:
		ok = t.page(v)
	case *Lines:
		ok = t.fetched(v)
	case *Offer, *Fetch:
		_, _, ok = t.spaceIDs()
	case *Wanted:
		_, ok = t.onlyIDs("ids")
	case *Acks:
		_, ok = t.onlyIDs("stored")
	}
	return ok
}

// agrees asks that a text is read as encoding/json reads it, and what was read written
// as it writes it.
func agrees(t *testing.T, raw []byte, of any) {
	t.Helper()
	got, want := reflect.New(reflect.TypeOf(of)), reflect.New(reflect.TypeOf(of))
	err, wantErr := Decode(raw, got.Interface()), json.Unmarshal(raw, want.Interface())
	if (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(got.Interface(), want.Interface()) {
		t.Fatalf("%q is read as %+v, %v; encoding/json reads %+v, %v", raw, got.Elem(), err, want.Elem(), wantErr)
	}
	if err == nil {
		same(t, want.Elem().Interface())
	}
}

func same(t *testing.T, v any) {
	t.Helper()
	got, err := Encode(v)
	want, wantErr := json.Marshal(v)
	if (err == nil) != (wantErr == nil) || string(got) != string(want) {
		t.Fatalf("%+v is written %s, %v; encoding/json writes %s, %v", v, got, err, want, wantErr)
	}
}

// What is sent is what encoding/json would send, and is read without it.
func TestQuick(t *testing.T) {
	for _, v := range append(written(t), others()...) {
		same(t, v)
	}
	for _, v := range written(t) {
		raw, err := Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		agrees(t, raw, v)
		if into := reflect.New(reflect.TypeOf(v)).Interface(); !quickly(raw, into) {
			t.Errorf("%s is not read quickly", raw)
		}
	}
	line := string(written(t)[0].(Push).Lines[0])
	if raw, ok := (Push{"a", []Line{Line(line)}}).quick(); !ok || !strings.Contains(string(raw), line) {
		t.Errorf("a push is not written quickly")
	}
}

// changes are made to what is sent, each to all of it.
var changes = []string{
	`{"|{ "`, `":[|": [`, `]}|],"more":false}`, `]}|],"more":true}`, `]}|],"lines":null}`, `]}|],"LINES":[]}`,
	`]}|],"entries":[]}`, `]}|],"ids":null}`, `]}|,]}`, `]}|]} `, `]}|]}}`,
	`,"head"|,"entries":null,"head"`, `,"head"|,"Lines":[1],"head"`, `,"head":{|,"head":null,"x":{`,
	`"lines"|"Lines"`, `payload"|payload" `, `eyJh|ey\nJh`, "eyJh|ey\x01Jh", "eyJh|\xff",
	`did:key:a|`, `did:key:a|\u0061`, "did:key:a|\u00e9", `belief:0|belief:A`, `belief:0|:0`, `"belief|null,"`,
	`010|01`, `010|0A0`, `"skip":"|"skip":"\`, `}]}|}`, `},{|}{`, `}],|}],}`, `"0100|null,"0100`,
	`0100000000000000000000000000000000000000000000000000000000000000|` +
		`0000000000000000000000000000000000000000000000000000000000000000`, `c2ln"}|c2ln","sig":"x"}`, `"stored"|"held"`,
	`,"head":|,"skip":1,"head":`, `],"head":{|],`,
}

func TestQuickChanged(t *testing.T) {
	for _, v := range written(t) {
		raw, err := Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range changes {
			old, now, _ := strings.Cut(change, "|")
			agrees(t, []byte(strings.Replace(string(raw), old, now, 1)), v)
			if at := strings.LastIndex(string(raw), old); at >= 0 {
				agrees(t, []byte(string(raw[:at])+now+string(raw[at+len(old):])), v)
			}
		}
		for n := range raw {
			agrees(t, raw[:n], v)
		}
	}
}

func FuzzQuick(f *testing.F) {
	all := written(f)
	for i, v := range append(all, others()...) {
		raw, err := json.Marshal(v)
		if err != nil {
			continue
		}
		f.Add(i, raw)
		for _, change := range changes {
			old, now, _ := strings.Cut(change, "|")
			f.Add(i, []byte(strings.Replace(string(raw), old, now, 1)))
		}
	}
	f.Fuzz(func(t *testing.T, i int, raw []byte) {
		agrees(t, raw, all[int(uint(i)%uint(len(all)))])
	})
}
