package model

import (
	"errors"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/llm"
)

func TestOne(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	tests := []struct{ name, answer, want string }{
		{"object", ` {"a":1} `, `{"a":1}`},
		{"fence", "```json\n{\"a\":\"}\"}\n```\n", `{"a":"}"}`},
		{"fence without a word", "```\n{}\n```", `{}`},
		{"32 levels", deep(32), deep(32)},
		{"brackets in strings", `{"a":"` + strings.Repeat("[", 99) + `\""}`, `{"a":"` + strings.Repeat("[", 99) + `\""}`},
		{"one key in two objects", `{"a":{"b":1},"c":[{"b":2},{"b":3}]}`, `{"a":{"b":1},"c":[{"b":2},{"b":3}]}`},
		{"a value that is like a key", `{"a":"a","b":["a","a"]}`, `{"a":"a","b":["a","a"]}`},

		{"33 levels", deep(33), ""},
		{"a million levels", strings.Repeat(`{"a":[`, 20000), ""},
		{"two objects", `{"a":1}{"a":1}`, ""},
		{"two objects on lines", "{\"a\":1}\n{\"a\":1}", ""},
		{"text before", `Sure: {"a":1}`, ""},
		{"text behind", `{"a":1} as you asked`, ""},
		{"text beside the fence", "Sure:\n```json\n{}\n```", ""},
		{"text behind the fence", "```json\n{}\n``` done", ""},
		{"two fences", "```\n```json\n{}\n```\n```", ""},
		{"two fenced objects", "```\n{}\n```\n```\n{}\n```", ""},
		{"open fence", "```json\n{}", ""},
		{"words in the fence's line", "```json please\n{}\n```", ""},
		{"fence of one line", "```{}```", ""},
		{"array", `[{"a":1}]`, ""},
		{"string", `"{}"`, ""},
		{"null", `null`, ""},
		{"nothing", ``, ""},
		{"half", `{"a":`, ""},
		{"key twice", `{"a":1,"a":2}`, ""},
		{"key twice, escaped", `{"a":1,"\u0061":2}`, ""},
		{"key twice, in another case", `{"relation":"none","Relation":"update"}`, ""},
		{"key twice, in a case of its own", `{"k":1,"` + "\u212a" + `":2}`, ""},
		{"key twice, deep", `{"a":[{"b":{"c":1,"c":2}}]}`, ""},
		{"key twice, behind an object", `{"a":{"x":1},"a":2}`, ""},
		{"vast", `{"a":"` + strings.Repeat("x", maxAnswer) + `"}`, ""},
		{"not UTF-8", "{\"a\":\"\xff\"}", ""},
		{"NaN", `{"a":NaN}`, ""},
	}
	for _, tt := range tests {
		got, err := One(tt.answer)
		if string(got) != tt.want || (err == nil) != (tt.want != "") || err != nil && !errors.Is(err, llm.ErrNonsense) {
			t.Errorf("%s: got %.80s, %v, want %.80s", tt.name, got, err, tt.want)
		}
	}
}

func TestObjectRefusesWhatWasCut(t *testing.T) {
	if got, err := Object(llm.Answer{Text: `{}`, Cut: true}); !errors.Is(err, llm.ErrNonsense) {
		t.Errorf("got %s, %v, want ErrNonsense", got, err)
	}
	if got, err := Object(llm.Answer{Text: `{}`}); err != nil || string(got) != `{}` {
		t.Errorf("got %s, %v, want {}", got, err)
	}
}
