package decisions

import (
	"slices"
	"strings"
	"testing"
)

func TestStrengthOfRealSubjects(t *testing.T) {
	for subject, want := range map[string]int{
		"Replace num_cpus with std::thread::available_parallelism":                          strong,
		"chore(deps): Replace `chrono` with `jiff`":                                         strong,
		"use importlib instead of pkgutil":                                                  strong,
		"Allocate Lua VM code with jemalloc instead of libc, and count it used memory":      strong,
		"all: switch key format to Bech32":                                                  strong,
		".github/workflows: switch from Travis CI to GitHub Actions":                        strong,
		"walk: Switch back to crossbeam-channel":                                            strong,
		"drop support for Python 3.8 (#5623)":                                               strong,
		"Reject out-of-range '@' Unix timestamp rather than panicking":                      strong,
		"Remove getopt in favor of clap":                                                    strong,
		`Revert "agessh: use filippo.io/edwards25519 for Ed25519 to Curve25519 conversion"`: strong,
		"SQLite statt JSON-Datei für Bestellungen":                                          strong,
		"Utiliser SQLite au lieu de JSON pour les commandes":                                strong,
		"Guardar pedidos en SQLite en lugar de JSON":                                        strong,
		"JSONファイルではなくSQLiteに注文を保存する":                                                        strong,
		"用 SQLite 取代 JSON 文件保存订单":                                                           strong,
		"build(deps): switch to eslint 9":                                                   strong,
		"Drop failing pnpm tests (#2015)":                                                   weak,
		"Stop ignore .git folders by default":                                               weak,
		"Don't use yaml.v2 2.3.0 which has a breaking change (#1259)":                       weak,
		"adopt: what was verified is remembered, so that the next reading is fast":          weak,

		"Bump golang.org/x/crypto from 0.1.0 to 0.2.0 instead of waiting":   none,
		"Merge pull request #12 from ada/replace-json-with-sqlite":          none,
		"Merge branch 'main' into drop-python":                              none,
		"Fix typo: use its instead of it's":                                 none,
		"Preparation for v8.5":                                              none,
		"Release 2.0 instead of 1.9":                                        none,
		"v1.2.0":                                                            none,
		"fixup! Replace JSON with SQLite":                                   none,
		"work on the parser":                                                none,
		"Raindrop icons in the header":                                      none,
		"Test with Go 1.24 (#2236)":                                         none,
		"Reverting to type is what testers do":                              none,
		"Refactor the per-slot dict-array db.c into a new kvstore (#12822)": none,
		"": none,
	} {
		if got := strength(subject); got != want {
			t.Errorf("strength(%q) = %d, want %d", subject, got, want)
		}
	}
}

func TestReasonsAreSentencesOfTheBody(t *testing.T) {
	for _, tt := range []struct{ message, want string }{
		{"Revert \"x\"\n\nThis reverts commit 225044b061de1f11e60ffe1bf460a6dbf3cdf061.\n\nThe extra dependency makes it " +
			"harder\n" +
			"to package age. Temporarily drop it.\n", "The extra dependency makes it harder to package age."},
		{"Revert \"z\"\n\nThe change broke imports, e.g. Those of St. Gallen, so it goes. Later more.\n",
			"The change broke imports, e.g. Those of St. Gallen, so it goes."},
		// it starts in small letters
		{"Revert \"y\"\n\nReason for revert: duplicate errors broke the build of others.\n", ""},
		{"Revert \"y\"\n\nReason for revert: Duplicate errors broke the build.\n\nFix #426", "Duplicate errors broke the " +
			"build."},
		{"Drop it\n\nFixes #12 because it is slow\nSigned-off-by: A B because <a@b>\n", ""},
		{"Drop it\n\n* Because of a list this is one sentence\n* fix lint\n", "Because of a list this is one sentence"},
		{"Drop it\n\n```\nThis is code because it is fenced.\n```\n    So is this because it is indented.\n", ""},
		{"Drop it\n\nSee https://example.org because it says why it is so.\n", ""},
		{"Drop it\n\nBecause " + strings.Repeat("very ", 40) + "long.\n", ""},
		{"Drop it\n\n# Reasons\nIt is slow, because it reads all.\n", "It is slow, because it reads all."},
		{"Drop it\n\n> Is it slow?\nIt is slow, because it reads all.\n", "It is slow, because it reads all."},
		{"Drop it, because it is slow", ""}, // the subject says it
		{"SQLite statt JSON\n\nWeil zwei Schreiber Bestellungen verlieren.\n", "Weil zwei Schreiber Bestellungen verlieren."},
		{"x\n\n同時書き込みで注文が失われるため、データベースを使います。次の文。\n", "同時書き込みで注文が失われるため、データベースを使います。"},
		{"x\n\nThis was never \x1b[31mneeded because of colours.\n", ""},
		{"x\r\n\r\nWindows lines are read too, because people have them.\r\n", "Windows lines are read too, because " +
			"people have them."},
	} {
		if got := reasonOf(tt.message); got != tt.want {
			t.Errorf("reasonOf(%q) = %q, want %q", tt.message, got, tt.want)
		}
	}
}

func TestReadIsTheInverseOfACapture(t *testing.T) {
	for text, want := range map[string]struct {
		message string
		files   []string
	}{
		"begin\n\nA a.go\nM näher/ü b.go":           {"begin", []string{"a.go", "näher/ü b.go"}},
		"merge\n\nMM a":                             {"merge", []string{"a"}},
		"s\n\nwhy it is\n\nM a\n… and 3 more files": {"s\n\nwhy it is", []string{"a"}},
		"s\n\nA reason":                             {"s", []string{"reason"}}, // such a body cannot be told apart
		"s\n\nwhy it is so":                         {"s\n\nwhy it is so", nil},
		"alone":                                     {"alone", nil},
		"":                                          {"", nil},
	} {
		message, files := Read(text)
		if message != want.message || !slices.Equal(files, want.files) {
			t.Errorf("Read(%q) = %q, %q, want %q, %q", text, message, files, want.message, want.files)
		}
	}
}
