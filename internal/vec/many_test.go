//go:build !race

package vec

import (
	"path/filepath"
	"slices"
	"testing"
)

// Of the ten nearest, at least .99 are among the first forty found.
func TestRecall(t *testing.T) {
	const n, queries = 20_000, 5
	for _, tt := range []struct {
		name string
		make func(seed uint64, n, dims int) []Vector
	}{{"random", random}, {"clustered", clustered}} {
		all := tt.make(3, n+queries, 384)
		vs, asked := all[:n], all[n:]
		x := inMemory(t, 384, vs)
		var among10, among40 int
		for _, q := range asked {
			want := exact(vs, q.Values, 10)
			got := keysOf(find(t, x, q.Values, 40, nil))
			for _, key := range want {
				if slices.Contains(got, key) {
					among40++
				}
				if slices.Contains(got[:10], key) {
					among10++
				}
			}
		}
		t.Logf(
			"%s: recall@10 %.3f, of 40 rescored %.3f", tt.name, float64(among10)/(10*queries),
			float64(among40)/(10*queries),
		)
		if got := float64(among40) / (10 * queries); got < .99 {
			t.Errorf("%s: recall@10 of 40 rescored = %.3f, want .99", tt.name, got)
		}
	}
}

func TestWhatIsWrittenIsFound(t *testing.T) {
	for _, n := range []int{0, 1, 7, 500} {
		path := filepath.Join(t.TempDir(), "v")
		vs := random(1, n, 32)
		write(t, path, small, 9, vs)
		same(t, path, small, 9, vs)
	}
	path := filepath.Join(t.TempDir(), "v")
	wide := Header{"m", 1<<15 - lane} // 128 in a block
	vs, more := random(1, 131, wide.Dims), random(2, 131, wide.Dims)
	write(t, path, wide, 9, slices.Concat(vs, more[:50]))
	same(t, path, wide, 9, slices.Concat(more[:50], vs[50:]))
	noLeftovers(t, path, wide)
	write(t, path, wide, 9, vs)
	same(t, path, wide, 9, vs)
	noLeftovers(t, path, wide)
	appendTo(t, path, wide, 10, more[100:], 5, 6)
	same(t, path, wide, 10, slices.Concat(vs[:5], vs[7:100], more[100:]))
}
