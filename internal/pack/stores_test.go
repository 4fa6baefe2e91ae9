package pack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var formats = []Format{Text, Markdown, JSON}

// some are what the texts of made-up stores consist of; some are hard on a budget.
var some = strings.Fields(`the store keeps a record of each decision and its reason use bun:sqlite for database ` +
	`run tests
	before commit never push to main FTS5 needs escaping handleUserInput src/stores/connection.ts ERR_CONN_RESET v1.2.3
	3f9a22c1d8e0 aGVsbG8gd29ybGQgdGhpcw== 数据库迁移前先备份 日本語のテキスト 안녕하세요 Бюджет مرحبا 🚫 👩‍👩‍👧 https://example.org/a?b=c
	"quoted" <tag> a|b [link](x) 1234567890 supercalifragilistic`)

func phrase(r *rand.Rand, most int) string {
	n := 1 + r.IntN(most)
	picked := make([]string, n)
	for i := range picked {
		picked[i] = some[r.IntN(len(some))]
	}
	return strings.Join(picked, " ")
}

// madeUp returns a store as a caller would hand it over.
func madeUp(r *rand.Rand, layout Layout) Request {
	tiers := []string{"grounded", "observed", "inferred", "hypothesis", ""}
	req := Request{Layout: layout, Query: phrase(r, 12), Fancy: r.IntN(2) == 0}
	size := []int{0, 1, 5, 30, 120}[r.IntN(5)]
	for i := range size {
		e := Entry{
			Ref:     fmt.Sprintf("note:%08x", r.Uint32()),
			Section: layout.Sections[r.IntN(len(layout.Sections))].Name,
			Kind:    "note", Type: "decision", Tier: tiers[r.IntN(len(tiers))],
			Text:  phrase(r, 1+r.IntN(50)),
			Score: float64(r.IntN(100)) / 100, Priority: r.IntN(3),
			Store: []string{"", "project", "user"}[r.IntN(3)], Agent: r.IntN(8) == 0,
		}
		if i%3 == 0 {
			e.Path, e.Why = phrase(r, 2), phrase(r, 6)
		}
		if r.IntN(20) == 0 && i > 0 {
			e.Ref = req.Entries[i-1].Ref
		}
		req.Entries = append(req.Entries, e)
	}
	for range r.IntN(4) {
		req.Omitted = append(req.Omitted, Omission{Section: layout.Sections[r.IntN(len(layout.Sections))].Name,
			Reason: []string{"not approved", "rejected", "duplicate", "hidden"}[r.IntN(4)], Count: 1 + r.IntN(2000)})
	}
	return req
}

func build(t testing.TB, req Request) *Pack {
	t.Helper()
	p, err := Build(req)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// stores calls f with made-up stores of both layouts.
func stores(n int, f func(seed uint64, r *rand.Rand, req Request)) {
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 1))
		req := madeUp(r, []Layout{Context, Load}[seed%2])
		req.Omitted = append(req.Omitted, Omission{Reason: LessRelevant, Count: 9}) // guesses are counted with it
		f(seed, r, req)
	}
}

// checkCounts compares what was given with what is shown and what is said to be left out.
func checkCounts(t *testing.T, seed uint64, f Format, req Request, page Page) {
	t.Helper()
	got, want, sum := map[string]int{}, map[string]int{}, 0
	for _, o := range page.Left {
		if o.Reason == "" || o.Count <= 0 {
			t.Fatalf("seed %d, %s: an omission without a reason: %+v", seed, f, o)
		}
		got[o.Section] += o.Count
		sum += o.Count
	}
	shown := map[string]bool{}
	for _, ref := range page.Shown {
		shown[ref] = true
		if !bytes.Contains(page.Body, []byte(ref)) {
			t.Fatalf("seed %d, %s: %s is not shown", seed, f, ref)
		}
	}
	seen := map[string]bool{}
	for _, e := range req.Entries {
		if seen[e.Ref] || !shown[e.Ref] {
			want[e.Section]++
		}
		if !shown[e.Ref] && bytes.Contains(page.Body, []byte(e.Ref)) {
			t.Fatalf("seed %d, %s: %s is shown and not said to be", seed, f, e.Ref)
		}
		seen[e.Ref] = true
	}
	for _, o := range req.Omitted {
		want[o.Section] += o.Count
	}
	// of two entries with one ref in two sections, either may be the duplicate
	total := 0
	for _, n := range want {
		total += n
	}
	if total != sum {
		t.Fatalf("seed %d, %s: left out %v, want %v", seed, f, got, want)
	}
	if in := leftIn(t, f, page.Body); in != sum {
		t.Fatalf("seed %d, %s: the text says %d left out, want %d\n%s", seed, f, in, sum, page.Body)
	}
}

var leftLine = regexp.MustCompile(`\n… left out: (.*)\n$`)

// leftIn reads from a printed pack how much was left out.
func leftIn(t *testing.T, f Format, body []byte) int {
	t.Helper()
	sum := 0
	if f == JSON {
		for _, o := range decode(t, body).Omitted {
			sum += o.Count
		}
		return sum
	}
	m := leftLine.FindSubmatch(body)
	if m == nil {
		return 0
	}
	said := regexp.MustCompile(`\([^)]*\)`).ReplaceAll(m[1], nil)
	for _, digits := range regexp.MustCompile(`\d+`).FindAll(said, -1) {
		n, err := strconv.Atoi(string(digits))
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	return sum
}

type decoded struct {
	Query     string
	Level     Level
	Budget    int
	Used      int
	Estimator string
	Sections  []struct {
		Name    string
		Entries []item
	}
	Omitted []Omission
}

func decode(t *testing.T, body []byte) decoded {
	t.Helper()
	var d decoded
	if err := json.Unmarshal(body, &d); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return d
}
