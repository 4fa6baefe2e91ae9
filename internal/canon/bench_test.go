package canon

import "testing"

func bench(b *testing.B, raw []byte, do func([]byte) error) {
	b.ReportAllocs()
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if err := do(raw); err != nil {
			b.Fatal(err)
		}
	}
}

func transform(raw []byte) error {
	_, err := Transform(raw)
	return err
}

func BenchmarkTransform(b *testing.B) {
	record := read(b, "record.json")
	sorted, err := Transform(record)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("sorted", func(b *testing.B) { bench(b, sorted, transform) })
	b.Run("unsorted", func(b *testing.B) { bench(b, record, transform) })
}

func BenchmarkCheck(b *testing.B) {
	record, err := Transform(read(b, "record.json"))
	if err != nil {
		b.Fatal(err)
	}
	bench(b, record, Check)
}
