package canon

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"testing"
)

func double(t testing.TB, bits string) float64 {
	t.Helper()
	u, err := strconv.ParseUint(bits, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return math.Float64frombits(u)
}

// RFC 8785, Appendix B. Five of its rows are integers beyond what Transform
// takes: they are formatted as the appendix says, and refused as text.
func TestAppendixB(t *testing.T) {
	refused := map[string]bool{
		"9007199254740992": true, "-9007199254740992": true, "295147905179352830000": true,
		"999999999999999700000": true, "999999999999999900000": true,
	}
	var table struct {
		Rows []struct {
			IEEE754 string
			JSON    *string
		}
	}
	if err := json.Unmarshal(read(t, "rfc8785/appendix_b_numbers.json"), &table); err != nil {
		t.Fatal(err)
	}
	if got, want := len(table.Rows), 26; got != want {
		t.Fatalf("%d rows, want %d", got, want)
	}
	for _, row := range table.Rows {
		f := double(t, row.IEEE754)
		marshalled, err := Marshal(f)
		if row.JSON == nil {
			if err == nil {
				t.Errorf("Marshal(%v) = %s, want an error", f, marshalled)
			}
			continue
		}
		want := *row.JSON
		if got := string(appendNumber(nil, f)); got != want {
			t.Errorf("appendNumber(%s) = %s, want %s", row.IEEE754, got, want)
		}
		if refused[want] {
			if !errors.Is(err, ErrNumber) {
				t.Errorf("Marshal(%s) = %s, %v, want %v", want, marshalled, err, ErrNumber)
			}
			continue
		}
		if err != nil || string(marshalled) != want {
			t.Errorf("Marshal(%s) = %s, %v", want, marshalled, err)
		}
		if err := Check([]byte(want)); err != nil {
			t.Errorf("Check(%s) = %v, want nil", want, err)
		}
	}
}

func TestECMAScriptSequence(t *testing.T) {
	const most = 100_000
	var published struct {
		First  []string
		SHA256 []struct {
			Lines, Bytes int
			Hash         string
		}
	}
	if err := json.Unmarshal(read(t, "rfc8785/es6_sequence.json"), &published); err != nil {
		t.Fatal(err)
	}
	var lines []byte
	n := 0
	for bits := range sequence(t, published.First) {
		lines = fmt.Appendf(lines, "%x,", bits)
		lines = append(appendNumber(lines, math.Float64frombits(bits)), '\n')
		n++
		for _, want := range published.SHA256 {
			if want.Lines != n {
				continue
			}
			sum := sha256.Sum256(lines)
			if got := hex.EncodeToString(sum[:]); got != want.Hash || len(lines) != want.Bytes {
				t.Errorf("first %d lines: %d bytes, hash %s, want %d, %s", n, len(lines), got, want.Bytes, want.Hash)
			}
		}
		if n == most {
			return
		}
	}
}

// sequence yields the numbers that start it, 2,000 neighbours of the smallest
// normal double, then for ever what SHA-256 makes of its own last result, read
// as four little-endian doubles, without zeros and what is not finite.
func sequence(t testing.TB, first []string) func(yield func(uint64) bool) {
	const neighbours, smallestNormal = 2000, 0x0010000000000000
	return func(yield func(uint64) bool) {
		for _, bits := range first {
			if !yield(math.Float64bits(double(t, bits))) {
				return
			}
		}
		for i := range uint64(neighbours) {
			if !yield(smallestNormal + i) {
				return
			}
		}
		var block [sha256.Size]byte
		for {
			block = sha256.Sum256(block[:])
			for i := 0; i < len(block); i += 8 {
				bits := binary.LittleEndian.Uint64(block[i:])
				f := math.Float64frombits(bits)
				if f == 0 || math.IsNaN(f) || math.IsInf(f, 0) {
					continue
				}
				if !yield(bits) {
					return
				}
			}
		}
	}
}

func TestNumbers(t *testing.T) {
	tests := []struct {
		in, want string
		err      error
	}{
		{in: "0", want: "0"},
		{in: "-0", want: "0"},
		{in: "-0.0", want: "0"},
		{in: "0e5", want: "0"},
		{in: "1.0", want: "1"},
		{in: "10e-1", want: "1"},
		{in: "1E5", want: "100000"},
		{in: "1e-6", want: "0.000001"},
		{in: "1e-7", want: "1e-7"},
		{in: "1e-10", want: "1e-10"},
		{in: "1e-100", want: "1e-100"},
		{in: "1e21", want: "1e+21"},
		{in: "1e100", want: "1e+100"},
		{in: "1e-999", want: "0"},
		{in: "9007199254740991", want: "9007199254740991"},
		{in: "-9007199254740991", want: "-9007199254740991"},
		{in: "9007199254740992", err: ErrNumber},
		{in: "-9007199254740992", err: ErrNumber},
		{in: "9007199254740993", err: ErrNumber},
		{in: "100000000000000000000000", err: ErrNumber},
		{in: "18446744073709551617", err: ErrNumber}, // 1 in 64 bits
		{in: "9007199254740993.0", err: ErrNumber},
		{in: "9007199254740992e0", err: ErrNumber},
		{in: "1e20", err: ErrNumber}, // would be written as an integer
		{in: "-1e20", err: ErrNumber},
		{in: "1e400", err: ErrNumber},
		{in: "-1e400", err: ErrNumber},
		{in: "01", err: ErrSyntax},
		{in: "-", err: ErrSyntax},
		{in: "1.", err: ErrSyntax},
		{in: "1e", err: ErrSyntax},
		{in: "+1", err: ErrSyntax},
		{in: "0x1", err: ErrSyntax},
		{in: "1_0", err: ErrSyntax},
	}
	for _, tt := range tests {
		got, err := Transform([]byte(tt.in))
		if string(got) != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("Transform(%s) = %s, %v, want %s, %v", tt.in, got, err, tt.want, tt.err)
		}
		want := tt.err
		if want == nil && tt.in != tt.want {
			want = ErrNotCanonical
		}
		if err := Check([]byte(tt.in)); !errors.Is(err, want) {
			t.Errorf("Check(%s) = %v, want %v", tt.in, err, want)
		}
	}
}

// A number keeps its spelling only if that is the one Transform writes.
func TestCheckKnowsTheOneSpelling(t *testing.T) {
	for bits := range uint64(1000) {
		f := math.Float64frombits(bits * 0x9E3779B97F4A7C15)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		want := appendNumber(nil, f)
		if abs := math.Abs(f); abs > maxInteger && abs < exponentFrom {
			continue
		}
		if err := Check(want); err != nil {
			t.Errorf("Check(%s) = %v, want nil", want, err)
		}
		longer := strconv.AppendFloat(nil, f, 'e', 20, 64)
		if got, err := Transform(longer); err != nil || !bytes.Equal(got, want) {
			t.Errorf("Transform(%s) = %s, %v, want %s", longer, got, err, want)
		}
	}
}
