package minilm

// Unrelated is how near the vectors of two texts are that have nothing to do with each other: the mean of pairs of
// short notes of several projects is .06, and a third of them are nearer than this.
func (e *Embedder) Unrelated() float64 { return 0.1 }
