package peer

import "testing"

// What a peer showed before and must show is missed where it does not, and is forgotten
// when a person accepts that.
func TestExpectedLogs(t *testing.T) {
	t.Parallel()
	c := newCon(t, 5)
	c.a.mustSync(t, c.remote)
	w, err := c.remote.Hello(t.Context(), Hello{Version: Version})
	if err != nil {
		t.Fatal(err)
	}
	gone := Vanished(Pin{w.Name, w.Key})
	only := func(o *Options) { o.Push, o.Expect = false, []string{c.space} }
	code := func(change ...func(*Options)) string {
		t.Helper()
		r, err := c.a.sync(t, gone, change...)
		if err != nil || len(r.Spaces) > 1 {
			t.Fatalf("%+v, %v", r, err)
		}
		for _, s := range r.Spaces {
			return s.Code + " " + s.Space
		}
		return ""
	}
	if got, want := code(only), "history_rewritten "+c.space; got != want {
		t.Errorf("what is not shown any more: %q, want %q", got, want)
	}
	if got := code(only, func(o *Options) { o.Choose = func(string) bool { return false } }); got != "" {
		t.Errorf("what was not chosen: %q", got)
	}
	if got, want := code(only, func(o *Options) { o.Accept = true }), " "+c.space; got != want {
		t.Errorf("accepted: %q, want %q", got, want)
	}
	if got, want := code(only), " "+c.space; got != want {
		t.Errorf("after it was accepted: %q, want %q", got, want)
	}
	if h := c.held(); h.Size != 0 {
		t.Errorf("a log of %d records is held of what was given up", h.Size)
	}
	c.a.mustSync(t, c.remote) // it is back
}
