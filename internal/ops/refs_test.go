package ops

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// A ref that is given and empty is an error that names it, in every operation that
// takes refs: never the last one, and never everything.
func TestNoRefIsEmpty(t *testing.T) {
	e, err := engine.Open(t.Context(), "mem", engine.Config{KeyDir: t.TempDir() + "/keys"})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Capture(t.Context(), api.CaptureRequest{Text: "words"}); err != nil {
		t.Fatal(err)
	}
	var tried int
	for _, op := range All {
		for _, member := range refMembers(op.In) {
			list := false
			if f, ok := op.In.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, member) }); ok {
				list = f.Type.Kind() == reflect.Slice
			}
			for _, value := range []string{`""`, `"  "`} {
				if list {
					value = fmt.Sprintf("[%s]", value)
				}
				request := fmt.Sprintf(`{"%s":%s}`, member, value)
				_, err := op.Do(t.Context(), e, []byte(request))
				if !errors.Is(err, api.ErrInvalid) || !strings.Contains(fmt.Sprint(err), member+": is empty") {
					t.Errorf("%s %s: %v", op.Name, request, err)
				}
				tried++
			}
		}
	}
	if tried < 100 {
		t.Errorf("%d requests were tried: the members with refs are not found", tried)
	}
	t.Logf("%d requests", tried)
}

// A ref that stands where it need not is left out, or is null.
func TestRefsLeftOut(t *testing.T) {
	for request, want := range map[string]bool{
		`{}`: true, `{"ref":null}`: true, `{"refs":[]}`: true, `{"ref":"a"}`: true, ``: true, `{"text":""}`: true,
		`{"Ref":""}`: false, `{"refs":["a",""]}`: false, "{\"ref\":\"\\t\"}": false,
	} {
		if err := emptyRef([]byte(request), []string{"ref", "refs"}); (err == nil) != want {
			t.Errorf("%s: %v", request, err)
		}
	}
}
