package layout

// passes is how often nodes are drawn towards their neighbours.
const passes = 6

// place assigns each node its position: near its neighbours in the adjacent layers, in
// the order of its layer, and never nearer to the next than their rooms allow.
func (d *drawing) place() {
	for _, row := range d.rows {
		d.fit(row, nil)
	}
	for pass := range passes {
		if pass%2 == 0 {
			for l := 1; l < len(d.rows); l++ {
				d.fit(d.rows[l], &d.down)
			}
		} else {
			for l := len(d.rows) - 2; l >= 0; l-- {
				d.fit(d.rows[l], &d.up)
			}
		}
	}
}

// A block is nodes that stand as near to each other as they may.
type block struct {
	sum   float64 // of where they would like to stand, less their offsets
	count float64
	nodes int
}

func (b block) mean() float64 { return b.sum / b.count }

// fit places a row by the least squares of how far each node is from the middle of
// its neighbours: where two would stand in the wrong order or too near, they move
// as one.
func (d *drawing) fit(row []int32, to *links) {
	blocks := make([]block, 0, len(row))
	offset := 0.0
	for i, v := range row {
		if i > 0 {
			offset += (d.room(row[i-1]) + d.room(v)) / 2
		}
		want, weight := d.at[v], 0.01
		if to == nil {
			want = offset
		} else if near := to.of(v); len(near) > 0 {
			want, weight = 0, 1
			for _, u := range near {
				want += d.at[u]
			}
			want /= float64(len(near))
		}
		b := block{(want - offset) * weight, weight, 1}
		for len(blocks) > 0 && blocks[len(blocks)-1].mean() > b.mean() {
			last := blocks[len(blocks)-1]
			blocks = blocks[:len(blocks)-1]
			b = block{b.sum + last.sum, b.count + last.count, b.nodes + last.nodes}
		}
		blocks = append(blocks, b)
	}
	i, offset := 0, 0.0
	for _, b := range blocks {
		for range b.nodes {
			if i > 0 {
				offset += (d.room(row[i-1]) + d.room(row[i])) / 2
			}
			d.at[row[i]] = b.mean() + offset
			i++
		}
	}
}
