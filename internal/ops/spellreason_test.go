package ops

import "testing"

// A reason is understood as why, and why as a reason, where a request has one of them; a verdict's are its notes.
func TestReasonsHaveTwoNames(t *testing.T) {
	for _, tt := range []struct{ op, in, want string }{
		{"approve", `{"why":"w"}`, `{"reason":"w"}`},
		{"approve", `{"reason":"w"}`, `{"reason":"w"}`},
		{"correct", `{"reason":"w"}`, `{"why":"w"}`},
		{"witness", `{"why":"w"}`, `{"notes":"w"}`},
		{"verify", `{"reason":"w"}`, `{"notes":"w"}`},
		{"revise", `{"why":"w"}`, `{"trigger":"w"}`},
		{"revise", `{"reason":"w"}`, `{"reason":"w"}`},
		{"undo", `{"why":"w"}`, `{"reason":"w"}`},
		{"show", `{"why":"w"}`, `{"why":"w"}`},
		{"approve", `{"why":"w","reason":"v"}`, ""},
	} {
		op, ok := Find(tt.op)
		if !ok {
			t.Fatalf("there is no operation %s", tt.op)
		}
		got, err := op.Spelled([]byte(tt.in))
		if string(got) != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%s %s is read as %s, %v; want %s", tt.op, tt.in, got, err, tt.want)
		}
	}
}
