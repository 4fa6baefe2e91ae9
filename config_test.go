package stemma

import (
	"context"
	"os"
	"reflect"
	"testing"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/llm/llmtest"
	"github.com/stemma-memory/stemma/memory"
)

// leaves calls do with each field that is no group of others.
func leaves(v reflect.Value, name string, do func(name string, v reflect.Value)) {
	for i := range v.NumField() {
		f, is := v.Field(i), v.Type().Field(i)
		if group := f.Kind() == reflect.Struct && is.Type.PkgPath() == v.Type().PkgPath(); group {
			leaves(f, name+is.Name+".", do)
			continue
		}
		do(name+is.Name, f)
	}
}

// fill gives a field a value that is not its zero.
func fill(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Func:
		v.Set(reflect.MakeFunc(v.Type(), func([]reflect.Value) []reflect.Value { return nil }))
	case reflect.Struct:
		fill(t, name, v.Field(0))
	case reflect.Interface:
		for _, is := range []any{llmtest.Hashed(8, 1), llmtest.Sim(1), zeros{}} {
			if reflect.TypeOf(is).AssignableTo(v.Type()) {
				v.Set(reflect.ValueOf(is))
				return
			}
		}
		t.Fatalf("%s: nothing to fill it with", name)
	default:
		t.Fatalf("%s: a kind of field that this test does not know", name)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

// changed names the fields in which a configuration differs from that of the zero Config.
func changed(c engine.Config) []string {
	var names []string
	v, zero := reflect.ValueOf(c), reflect.ValueOf(Config{}.inner())
	for i := range v.NumField() {
		if f := v.Field(i); isZero(f) != isZero(zero.Field(i)) {
			names = append(names, v.Type().Field(i).Name)
		}
	}
	return names
}

// isZero looks into what opens stores, which is always there.
func isZero(v reflect.Value) bool {
	_, opens := v.Interface().(sqlstore.Databases)
	return v.IsZero() || opens && v.Elem().IsZero()
}

// Each field of Config reaches the engine, and each another one there.
func TestEachFieldOfConfigReachesTheEngine(t *testing.T) {
	var all []string
	leaves(reflect.ValueOf(&Config{}).Elem(), "", func(name string, _ reflect.Value) { all = append(all, name) })
	by := make(map[string]string)
	for _, name := range all {
		var c Config
		leaves(reflect.ValueOf(&c).Elem(), "", func(n string, v reflect.Value) {
			if n == name {
				fill(t, n, v)
			}
		})
		got := changed(c.inner())
		if len(got) != 1 {
			t.Errorf("%s changes %v of the engine's configuration, want one field", name, got)
			continue
		}
		if other := by[got[0]]; other != "" {
			t.Errorf("%s and %s both set %s", other, name, got[0])
		}
		by[got[0]] = name
	}
	if len(all) < 30 {
		t.Errorf("Config has %d fields, which is fewer than it had: %v", len(all), all)
	}
}

// A store in memory needs nothing else: its keys are in memory too.
func TestAStoreInMemoryNeedsNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx := context.Background()
	e, err := Open(ctx, "mem", Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	said, err := e.Capture(ctx, CaptureRequest{Text: "We deploy on Fridays"})
	if err != nil {
		t.Fatal(err)
	}
	owner, err := e.As(Caller{Origin: memory.OriginOwner})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := owner.Show(ctx, RefRequest{Ref: said.Ref}); err != nil || got.Headline != "We deploy on Fridays" {
		t.Errorf("%+v, %v", got, err)
	}
	left, err := os.ReadDir(".")
	if err != nil || len(left) > 0 {
		t.Errorf("a store in memory left files: %v, %v", left, err)
	}
}
