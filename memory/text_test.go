package memory

import (
	"encoding/json"
	"math"
	"testing"
	"time"
)

func TestTime(t *testing.T) {
	zone := time.FixedZone("east", 3600)
	got := At(time.Date(2026, 3, 1, 13, 0, 0, 1_999_999, zone))
	if want := "2026-03-01T12:00:00.001Z"; got.String() != want || string(must(json.Marshal(got))) != `"`+want+`"` {
		t.Errorf("At = %s, want %s", got, want)
	}
	if got, want := At(time.UnixMilli(got.Time().UnixMilli())), got; got != want {
		t.Errorf("At = %v, want %v", got, want)
	}
	if err := json.Unmarshal([]byte("null"), &got); err == nil {
		t.Error("null was taken for a time")
	}
	if (Time{}).String() != "" || !At(time.Time{}).IsZero() {
		t.Error("no time is not no time")
	}
	for _, bad := range []time.Time{
		{}, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		if text, err := (Time{bad}).MarshalText(); err == nil {
			t.Errorf("MarshalText(%v) = %s", bad, text)
		}
	}
}

func TestThousandths(t *testing.T) {
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -0.001, 1.001, 0.5004, 1e300} {
		if n, err := ParseConfidence(f); !names(err, "confidence") {
			t.Errorf("ParseConfidence(%v) = %d, %v", f, n, err)
		}
	}
	for c, want := range map[Confidence]string{0: "0.00", 5: "0.005", 290: "0.29", 1000: "1.00"} {
		if got := c.String(); got != want {
			t.Errorf("Confidence(%d) = %s, want %s", uint16(c), got, want)
		}
	}
}

func TestParseRef(t *testing.T) {
	good := refTo(KindBelief, 0xab)
	if got, err := ParseRef(good.String()); err != nil || got != good {
		t.Errorf("ParseRef(%s) = %v, %v", good, got, err)
	}
	if got, want := good.Short(), "belief:00000000"; got != want {
		t.Errorf("Short = %s, want %s", got, want)
	}
	id := good.ID.String()
	for _, s := range []string{
		"", "belief", "belief:", ":" + id, "Belief:" + id, "be lief:" + id, "belief:" + id[1:], "belief:" + id + "0",
		"belief:" + id[:62] + "AB", "belief:" + id[:62] + "zz", "belief: " + id, " belief:" + id,
	} {
		if got, err := ParseRef(s); err == nil {
			t.Errorf("ParseRef(%q) = %v", s, got)
		}
	}
	if got, err := (Ref{}).MarshalText(); err == nil {
		t.Errorf("the zero ref was written as %s", got)
	}
}
