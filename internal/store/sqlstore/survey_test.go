//go:build !race

package sqlstore

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// plain hides what a store can do at once.
type plain struct{ store.Store }

type nought struct{}

func (nought) Read(p []byte) (int, error) { return len(p), nil }

// What a survey gives at once is what lists and usage give, over more than one page
// and more than one space; claims are not among it; and it can be left at any time.
func TestSurvey(t *testing.T) { databases(t, testSurvey) }

func testSurvey(t *testing.T, spec string) {
	key, err := keys.Generate(nought{})
	if err != nil {
		t.Fatal(err)
	}
	st := open(t, spec, Options{})
	const n = 5000
	var records []*memory.Record
	make := func(i int, body memory.Body) *memory.Record {
		var nonce [16]byte
		binary.BigEndian.PutUint64(nonce[:], uint64(i))
		r, err := memory.New(memory.Header{
			Space: fmt.Sprintf(
				"%s/space%d", key.DID(), i%2,
			), Author: key.DID(), Origin: memory.OriginOwner, At: memory.At(time.UnixMilli(int64(i + 1))),
			Confidence: memory.Certain, Provenance: memory.Provenance{Via: memory.ViaDirect},
			Nonce: base64.RawURLEncoding.EncodeToString(nonce[:]),
		}, body)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
		return r
	}
	var read []memory.ID
	for i := range n {
		r := make(i, &memory.Raw{Text: fmt.Sprint("turn ", i)})
		if i%7 == 0 {
			read = append(read, r.ID)
			ref := r.Ref()
			make(n+i, &memory.Mark{Of: &ref, Verb: memory.Forget})
		}
	}
	if _, err := st.Append(t.Context(), store.Batch{Records: records}); err != nil {
		t.Fatal(err)
	}
	if err := st.Touch(t.Context(), time.UnixMilli(9000), append(read, read[0])...); err != nil {
		t.Fatal(err)
	}
	gather := func(s store.Store) map[memory.ID]store.Surveyed {
		out := map[memory.ID]store.Surveyed{}
		for it, err := range store.Survey(t.Context(), s, time.Time{}) {
			if err != nil {
				t.Fatal(err)
			}
			it.Record = &memory.Record{ID: it.Record.ID, Header: it.Record.Header, Body: it.Record.Body}
			out[it.Ref.ID] = it
		}
		return out
	}
	got, want := gather(st), gather(plain{st})
	if len(got) != n || len(want) != n {
		t.Errorf("%d surveyed, %d listed, want %d", len(got), len(want), n)
	}
	for id, w := range want {
		if g := got[id]; !reflect.DeepEqual(g, w) {
			t.Fatalf("surveyed %+v, want %+v", g, w)
		}
	}
	for range store.Survey(t.Context(), st, time.Time{}) {
		break
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	err = nil
	for _, err = range store.Survey(ended, st, time.Time{}) {
		if err != nil {
			break
		}
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a survey nobody wants: %v, want it cancelled", err)
	}
}
