package session

import (
	"fmt"
	"testing"
)

// TestColumn asks what becomes of the values of a column.
func TestColumn(t *testing.T) {
	args := []any{1, []byte("a"), int64(2), []byte(nil), 3, nil}
	if got, err := column[int64](args, 0, 2); fmt.Sprint(got, err) != "[1 2 3] <nil>" {
		t.Errorf("numbers: %v, %v", got, err)
	}
	got, err := column[[]byte](args, 1, 2)
	if all, is := got.([]*[]byte); err != nil || !is || string(*all[0]) != "a" || *all[1] != nil || all[2] != nil {
		t.Errorf("bytes, of which one is null: %#v, %v", got, err)
	}
	if got, err := column[string](args, 0, 2); err == nil {
		t.Errorf("numbers as texts: %v", got)
	}
}
