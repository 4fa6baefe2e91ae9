package engine_test

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// BenchmarkTaint measures what rests on one record, a fifth of a store in which
// every memory but the first has two sources. STEMMA_LONG makes it 1,000,000
// arrows, of which 200,000 lead to the 100,000 that are affected.
func BenchmarkTaint(b *testing.B) {
	n := 50_000
	if os.Getenv("STEMMA_LONG") != "" {
		n = 500_000
	}
	path := filepath.Join(b.TempDir(), "memory.db")
	root := grove(b, path, n)
	e := open(b, path, engine.Config{})
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		reply, err := e.Taint(b.Context(), api.TaintRequest{Target: root})
		took = append(took, time.Since(began))
		if err != nil || reply.AffectedCount != n/5 || len(reply.Affected) == 0 {
			b.Fatalf("%d affected, want %d: %v", reply.AffectedCount, n/5, err)
		}
	}
	b.ReportMetric(slices.Min(took).Seconds(), "s/taint")
	b.ReportMetric(float64(2*n), "arrows")
}

// grove makes a store of n memories that each rest on two earlier ones: five woods
// of n/5, each with two raws at its beginning; of one of them it gives the root, on
// which all of its wood rests.
func grove(b *testing.B, path string, n int) (root string) {
	b.Helper()
	st, err := sqlstore.Open(b.Context(), path, sqlstore.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	key, err := keys.Generate(bytes.NewReader(make([]byte, 64)))
	if err != nil {
		b.Fatal(err)
	}
	made := 0
	record := func(body memory.Body, from ...memory.Ref) *memory.Record {
		var nonce [16]byte
		made++
		binary.BigEndian.PutUint64(nonce[:], uint64(made))
		h := memory.Header{
			Space: key.DID() + "/main", Author: key.DID(), Origin: memory.OriginOwner,
			At: memory.At(time.UnixMilli(int64(made))), Confidence: memory.Certain,
			Provenance: memory.Provenance{
				Via: memory.ViaPromote, From: from,
			}, Nonce: base64.RawURLEncoding.EncodeToString(nonce[:]),
		}
		r, err := memory.New(h, body)
		if err != nil {
			b.Fatal(err)
		}
		return r
	}
	var batch []*memory.Record
	flush := func() {
		if _, err := st.Append(b.Context(), store.Batch{Records: batch}); err != nil {
			b.Fatal(err)
		}
		batch = batch[:0]
	}
	for wood := range 5 {
		first := record(&memory.Raw{Text: fmt.Sprintf("the root of wood %d", wood)})
		if wood == 2 {
			root = first.Ref().String()
		}
		batch = append(batch, first)
		grown := []memory.Ref{first.Ref()}
		for i := range n / 5 {
			// eight rest on each, and the second is near the first
			from := []memory.Ref{grown[i/8], grown[min(i/8+1, len(grown)-1)]}
			if i/8+1 >= len(grown) {
				from = from[:1]
			}
			r := record(&memory.Note{Type: "insight", Summary: fmt.Sprintf("what grew in wood %d: %d", wood, i)}, from...)
			grown = append(grown, r.Ref())
			if batch = append(batch, r); len(batch) >= 5000 {
				flush()
			}
		}
	}
	flush()
	return root
}

// BenchmarkCaptureSigned measures what signatures and the log's tree add to a
// durable capture, turn by turn in one run. The capture without them makes the same
// record, looks for secrets in it and stores it in a store of its own, unsigned; the
// tree, which cannot be left out, is measured beside it and taken off: the same
// statement with the same bytes in a transaction that is open already. The times are
// medians.
func BenchmarkCaptureSigned(b *testing.B) {
	dir := b.TempDir()
	with := open(b, filepath.Join(dir, "with.db"), engine.Config{})
	without := open(b, filepath.Join(dir, "without.db"), engine.Config{})
	capture(b, with, "the first, which makes the keys")
	capture(b, without, "the first, which makes the keys")
	ctx := b.Context()
	db, err := sql.Open(
		"sqlite",
		filepath.Join(dir, "tree.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate",
	)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(
		"CREATE TABLE spaces (no INTEGER PRIMARY KEY, last INTEGER, tree BLOB); INSERT INTO spaces VALUES (1, 0, NULL)",
	); err != nil {
		b.Fatal(err)
	}
	tx, err := db.Begin()
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	update, err := tx.Prepare("UPDATE spaces SET tree = ? WHERE no = ?")
	if err != nil {
		b.Fatal(err)
	}
	var log ledger.Frontier
	for i := range 100_000 {
		log.Append(ledger.Hash{0: byte(i), 1: byte(i >> 8)})
	}
	kept, err := log.MarshalBinary()
	if err != nil {
		b.Fatal(err)
	}
	var signed, bare, tree []time.Duration
	ways := []func(){
		func() {
			began := time.Now()
			if _, err := with.Capture(ctx, api.CaptureRequest{Text: hundred}); err != nil {
				b.Fatal(err)
			}
			signed = append(signed, time.Since(began))
		},
		func() {
			began := time.Now()
			if err := enginetest.CaptureUnsigned(ctx, without, hundred); err != nil {
				b.Fatal(err)
			}
			bare = append(bare, time.Since(began))
		},
	}
	for turn := 0; b.Loop(); turn++ {
		ways[turn%2]() // by turns, since what comes second finds warm caches
		ways[1-turn%2]()
		t2 := time.Now()
		var f ledger.Frontier
		if err := f.UnmarshalBinary(kept); err != nil {
			b.Fatal(err)
		}
		f.Append(ledger.Hash{})
		if kept, err = f.MarshalBinary(); err != nil {
			b.Fatal(err)
		}
		if _, err := update.Exec(kept, 1); err != nil {
			b.Fatal(err)
		}
		tree = append(tree, time.Since(t2))
	}
	plain := median(bare) - median(tree)
	b.ReportMetric(micros(median(signed)), "signed_µs")
	b.ReportMetric(micros(plain), "without_µs")
	b.ReportMetric(micros(median(tree)), "tree_µs")
	b.ReportMetric(float64(median(signed))/float64(plain), "ratio")
}

// BenchmarkAuditStore compares the audit of a store with the checks of its
// signatures alone, by as many processors, turn by turn in one run: the ratio is the
// median of the turns, the times are the least. STEMMA_LONG makes it 100,000 records.
func BenchmarkAuditStore(b *testing.B) {
	n := 10_000
	if os.Getenv("STEMMA_LONG") != "" {
		n = 100_000
	}
	e := open(b, filepath.Join(b.TempDir(), "memory.db"), engine.Config{})
	if _, err := e.Ingest(b.Context(), foreigners(n), nil); err != nil {
		b.Fatal(err)
	}
	var bundle bytes.Buffer
	if _, err := e.Export(b.Context(), &bundle, api.ExportRequest{}); err != nil {
		b.Fatal(err)
	}
	var all []envelope
	for line := range bytes.Lines(bundle.Bytes()) {
		var one envelope
		if err := json.Unmarshal(line, &one); err != nil {
			b.Fatal(err)
		}
		if len(one.Signatures) == 1 {
			all = append(all, one)
		}
	}
	var whole, alone, ratios []float64
	for b.Loop() {
		began := time.Now()
		reply, err := e.Audit(b.Context(), api.AuditRequest{})
		whole = append(whole, time.Since(began).Seconds())
		if err != nil || reply.Counts[report.OK] != len(all) || len(all) < n {
			b.Fatalf("%d of %d are fine, %v", reply.Counts[report.OK], len(all), err)
		}
		began = time.Now()
		checkAll(b, all)
		alone = append(alone, time.Since(began).Seconds())
		ratios = append(ratios, whole[len(whole)-1]/alone[len(alone)-1])
	}
	slices.Sort(ratios)
	b.ReportMetric(slices.Min(whole), "s/audit")
	b.ReportMetric(slices.Min(alone), "s/signatures")
	b.ReportMetric(ratios[len(ratios)/2], "ratio")
}

type envelope struct {
	Payload     []byte `json:"payload"`
	PayloadType string `json:"payloadType"`
	Signatures  []struct {
		KeyID string `json:"keyid"`
		Sig   []byte `json:"sig"`
	} `json:"signatures"`
}

// checkAll verifies signatures and does nothing else.
func checkAll(b *testing.B, all []envelope) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(all); i = int(next.Add(1)) - 1 {
				r := &all[i]
				if err := keys.Verify(r.Signatures[0].KeyID, r.PayloadType, r.Payload, r.Signatures[0].Sig); err != nil {
					b.Error(err)
				}
			}
		})
	}
	workers.Wait()
}
