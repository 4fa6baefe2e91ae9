package ops

import (
	"slices"
	"testing"
)

// Every operation has an effect or says that it has none.
func TestEffects(t *testing.T) {
	for _, o := range All {
		e := o.Effects()
		switch {
		case len(e) == 0:
			t.Errorf("%s: say what it does to memories in effects, or None", o.Name)
		case slices.Contains(e, None) && len(e) > 1:
			t.Errorf("%s: it has no effect, and one: %v", o.Name, e)
		case !o.Writes && effects[o.Name] != nil:
			t.Errorf("%s reads and has the effect %v", o.Name, effects[o.Name])
		}
	}
	for name := range effects {
		if o, ok := Find(name); !ok || o.Name != name {
			t.Errorf("there is no operation %q", name)
		}
	}
}
