package api

// Asked is a remote that a search asked.
type Asked struct {
	Remote  string `json:"remote"`
	MS      int64  `json:"ms"`
	Found   int    `json:"found"`             // what it gave
	New     int    `json:"new"`               // of that, what is in the answer and not held here
	Problem string `json:"problem,omitempty"` // why it gave nothing
}
