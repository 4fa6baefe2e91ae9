package cli

import "testing"

func TestSpaceNames(t *testing.T) {
	const ann, bob = "did:key:z6MkivPzk17Ta7PYM5MDN9", "did:key:z6MkjcPi3v24LVA6kYDfm3"
	name := spaceNames([]string{ann + "/main", bob + "/main", ann + "/team", ann + "/team", "alone"})
	for space, want := range map[string]string{
		ann + "/main": "main of z6MkivPzk17T", bob + "/main": "main of z6MkjcPi3v24", ann + "/team": "team",
		"alone": "alone", bob + "/a\x1b[2Jb": `a\u{1b}[2Jb`,
	} {
		if got := name(space); got != want {
			t.Errorf("%q is called %q, want %q", space, got, want)
		}
	}
}
