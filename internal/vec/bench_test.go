package vec

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
	"unsafe"
)

const benchDims = 384

// ofCodes is an index of n vectors whose codes are noise: a scan takes as long
// for these as for any.
func ofCodes(tb testing.TB, n int) *Index {
	tb.Helper()
	x, err := New(Header{Model: "noise", Dims: benchDims})
	if err != nil {
		tb.Fatal(err)
	}
	r := rand.NewChaCha8([32]byte{1})
	b := &batch{x: x, keep: true, write: func([]byte) error { return nil }}
	codes := make([]byte, x.stride)
	for key := range n {
		r.Read(codes)
		if err := b.add(int64(key), 1, codes); err != nil {
			tb.Fatal(err)
		}
	}
	if err := b.flush(false); err != nil {
		tb.Fatal(err)
	}
	return x
}

// read reads memory as fast as this machine can, with some processors.
func read(b []byte, workers int) {
	var wg sync.WaitGroup
	sums := make([]uint64, workers)
	for i := range workers {
		wg.Go(func() {
			part := b[len(b)/workers*i:][:len(b)/workers&^127]
			if fast {
				sums[i] = sumFast(part)
				return
			}
			words := unsafe.Slice((*uint64)(unsafe.Pointer(&part[0])), len(part)/8)
			for ; len(words) >= 4; words = words[4:] {
				sums[i] += words[0] + words[1] + words[2] + words[3]
			}
		})
	}
	wg.Wait()
}

func took(f func()) time.Duration {
	began := time.Now()
	f()
	return time.Since(began)
}

// BenchmarkScan times Top beside plain reading of memory, in turns, since other
// work on a machine slows both. x-read is how many times longer a scan takes
// than reading the same number of bytes; the bar is 2.
func BenchmarkScan(b *testing.B) {
	const big = 1 << 30
	memory := make([]byte, big)
	for i := 0; i < big; i += 4096 {
		memory[i] = 1 // so that it is there
	}
	query := make([]float32, benchDims)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range query {
		query[i] = float32(r.NormFloat64())
	}
	for _, n := range []int{100_000, 1_000_000} {
		x := ofCodes(b, n)
		size := n * (x.stride + 4)
		for _, procs := range slices.Compact([]int{1, runtime.GOMAXPROCS(0)}) {
			for _, plain := range []bool{false, true} {
				name := fmt.Sprintf("vectors=%d/procs=%d/%s", n, procs, map[bool]string{true: "plain", false: "fast"}[plain])
				b.Run(name, func(b *testing.B) {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
					x.plain = plain
					var scans, reads []time.Duration
					for b.Loop() {
						scans = append(scans, took(func() { x.Top(query, 200, nil) }))
						reads = append(reads, took(func() { read(memory, procs) }))
					}
					scan := float64(slices.Min(scans).Nanoseconds())
					bandwidth := big / float64(slices.Min(reads).Nanoseconds())
					b.ReportMetric(0, "ns/op")
					b.ReportMetric(scan/float64(n), "ns/vector")
					b.ReportMetric(scan/1e6, "ms/scan")
					b.ReportMetric(float64(size)/scan, "GB/s")
					b.ReportMetric(bandwidth, "GB/s-read")
					b.ReportMetric(scan*bandwidth/float64(size), "x-read")
				})
			}
		}
	}
}

// BenchmarkOpen is a cold start: a file opened and searched once.
func BenchmarkOpen(b *testing.B) {
	path, h := benchFile(b)
	query := random(1, 1, benchDims)[0].Values
	for _, searched := range []bool{false, true} {
		b.Run(fmt.Sprintf("searched=%t", searched), func(b *testing.B) {
			for b.Loop() {
				x, err := Open(path, h)
				if err != nil {
					b.Fatal(err)
				}
				if searched {
					find(b, x, query, 40, nil)
				}
				closeIt(b, x)
			}
		})
	}
}

// BenchmarkAppend adds 300 vectors to a file of 100,000: of new keys, and of
// keys it must look for.
func BenchmarkAppend(b *testing.B) {
	path, h := benchFile(b)
	vs := random(2, 300, benchDims)
	for _, again := range []bool{false, true} {
		b.Run(fmt.Sprintf("again=%t", again), func(b *testing.B) {
			key := int64(1 << 40)
			for b.Loop() {
				for i := range vs {
					if key++; again {
						key = int64(i * 333)
					}
					vs[i].Key = key
				}
				appendTo(b, path, h, 1, vs)
			}
		})
	}
}

func benchFile(b *testing.B) (path string, h Header) {
	b.Helper()
	x := ofCodes(b, 100_000)
	path = filepath.Join(b.TempDir(), "v")
	if err := replace(path, x.header, 1, func(b *batch) error { return x.each(b.add) }); err != nil {
		b.Fatal(err)
	}
	return path, x.header
}

func BenchmarkQuantise(b *testing.B) {
	v, codes := random(3, 1, benchDims)[0].Values, make([]byte, benchDims)
	for b.Loop() {
		if _, err := quantise(codes, v, benchDims); err != nil {
			b.Fatal(err)
		}
	}
}
