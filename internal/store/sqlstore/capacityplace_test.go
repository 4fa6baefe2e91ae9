package sqlstore_test

import (
	"cmp"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
)

// A Placing is how spaces came to lie on nodes.
type Placing struct {
	How    string
	Nodes  int
	Pieces int     // that can be moved
	Bytes  float64 // of the fullest node, in parts of the mean
	Load   float64 // of the hottest node, in parts of the mean
	Moved  float64 // of all bytes, when a tenth more nodes come
	Busier int     // pieces with more work than one core does
}

// A piece is what lies on one node and moves as a whole.
type piece struct{ bytes, load float64 }

// shardsPerNode is how many shards a node has where spaces are hashed onto them.
const shardsPerNode = 32

// load is the processor, in cores, that a space of n records takes at the peak.
func (m *Model) load(n float64) float64 {
	return n * m.appendsPerRecord() * (m.AppendMS() + m.SearchesPerAppend*m.SearchMS(n)) / 1000
}

// hashed lays spaces onto shards by a hash of their numbers. Those with more than
// alone of a node's mean bytes have a shard of their own; 0 is none.
func (m *Model) hashed(sizes []float64, nodes int, alone float64) []piece {
	shards := make([]piece, nodes*shardsPerNode)
	var total float64
	for _, n := range sizes {
		total += m.Bytes(n)
	}
	for no, n := range sizes {
		p := piece{m.Bytes(n), m.load(n)}
		if alone > 0 && p.bytes > alone*total/float64(nodes) {
			shards = append(shards, p)
			continue
		}
		h := fnv.New32a()
		_, _ = h.Write([]byte(strconv.Itoa(no)))
		s := &shards[int(h.Sum32())%(nodes*shardsPerNode)]
		s.bytes += p.bytes
		s.load += p.load
	}
	return shards
}

// ranged cuts the log of all spaces, one after the other, into ranges. A space that is
// longer is in several, and its load with it by parts.
func (m *Model) ranged(sizes []float64) []piece {
	var out []piece
	var last piece
	for _, n := range sizes {
		for left := m.Bytes(n); left > 0; {
			part := min(left, m.RangeBytes-last.bytes)
			last.bytes += part
			last.load += m.load(n) * part / m.Bytes(n)
			left -= part
			if last.bytes >= m.RangeBytes {
				out, last = append(out, last), piece{}
			}
		}
	}
	return append(out, last)
}

// Place plays how spaces lie on nodes: hashed onto shards that were dealt out to the
// nodes in turn; the same with great spaces by themselves, each where there is most
// room; and in ranges, each where there is most room.
func (m *Model) Place(total float64, nodes int) []Placing {
	sizes := m.Draw(total)
	dealt := func(pieces []piece) []int {
		at := make([]int, len(pieces))
		for i := range at {
			at[i] = i % nodes
		}
		return at
	}
	hashed, apart, ranges := m.hashed(sizes, nodes, 0), m.hashed(sizes, nodes, 0.01), m.ranged(sizes)
	return []Placing{
		placing("hash of the space", nodes, hashed, dealt(hashed)),
		placing("hash, spaces above 1 % of a node apart", nodes, apart, roomiest(apart, nodes)),
		placing("ranges of the key", nodes, ranges, roomiest(ranges, nodes)),
	}
}

// roomiest puts each piece where least is, the greatest first.
func roomiest(pieces []piece, nodes int) []int {
	order := make([]int, len(pieces))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(pieces[b].bytes, pieces[a].bytes) })
	at, full := make([]int, len(pieces)), make([]float64, nodes)
	for _, i := range order {
		at[i] = least(full)
		full[at[i]] += pieces[i].bytes
	}
	return at
}

func placing(how string, nodes int, pieces []piece, at []int) Placing {
	p := Placing{How: how, Nodes: nodes, Pieces: len(pieces)}
	bytes, load := make([]float64, nodes), make([]float64, nodes)
	var allBytes, allLoad float64
	for i, x := range pieces {
		bytes[at[i]] += x.bytes
		load[at[i]] += x.load
		allBytes, allLoad = allBytes+x.bytes, allLoad+x.load
		if x.load > 1 {
			p.Busier++
		}
	}
	p.Bytes, p.Load = slices.Max(bytes)*float64(nodes)/allBytes, slices.Max(load)*float64(nodes)/allLoad
	p.Moved = moved(pieces, at, bytes, allBytes) / allBytes
	return p
}

// moved adds a tenth more nodes and gives the bytes that go to them: from the fullest
// each time, until the new ones have their share.
func moved(pieces []piece, at []int, bytes []float64, all float64) (sum float64) {
	more := max(1, len(bytes)/10)
	share := all / float64(len(bytes)+more)
	held := make([][]int, len(bytes))
	for i, node := range at {
		held[node] = append(held[node], i)
	}
	for range more {
		for got := 0.0; got < share; {
			from := most(bytes)
			if bytes[from] <= share || len(held[from]) == 0 {
				break
			}
			i := held[from][len(held[from])-1]
			held[from] = held[from][:len(held[from])-1]
			bytes[from] -= pieces[i].bytes
			got, sum = got+pieces[i].bytes, sum+pieces[i].bytes
		}
	}
	return sum
}

func least(of []float64) int {
	at, is := 0, math.Inf(1)
	for i, x := range of {
		if x < is {
			at, is = i, x
		}
	}
	return at
}

func most(of []float64) int {
	at := 0
	for i, x := range of {
		if x > of[at] {
			at = i
		}
	}
	return at
}
