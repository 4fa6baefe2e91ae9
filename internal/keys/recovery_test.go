package keys

import (
	"bytes"
	"encoding/hex"
	"regexp"
	"strings"
	"testing"
)

func TestARecoveryPhraseGivesItsKeyBack(t *testing.T) {
	shape := regexp.MustCompile(`^stemma-recovery(-[a-z2-7]{4}){14}$`)
	for n := range byte(20) {
		phrase, did, err := NewRecovery(source(n))
		if err != nil {
			t.Fatal(err)
		}
		if !shape.MatchString(phrase) {
			t.Errorf("phrase %s, want %s", phrase, shape)
		}
		if want := newKey(t, n).DID(); did != want {
			t.Errorf("the recovery key is %s, want %s", did, want)
		}
		for _, typed := range []string{
			phrase, strings.ToUpper(phrase), " " + strings.ReplaceAll(phrase, "-", " ") + "\r\n",
			strings.ReplaceAll(phrase, "-", ""),
			strings.TrimPrefix(phrase, recoveryPrefix), strings.ReplaceAll(phrase, "-", " - \n\t"),
		} {
			key, err := ParseRecovery(typed)
			if err != nil || key.DID() != did {
				t.Errorf("ParseRecovery(%q) = %v, %v, want %s", typed, key, err, did)
			}
		}
	}
	if _, _, err := NewRecovery(bytes.NewReader(make([]byte, 31))); err == nil {
		t.Error("a recovery key of 31 bytes")
	}
}

// Every one of them, not a sample: a phrase is typed when there is nothing else left.
func TestEveryMistypedCharacterOfAPhraseIsNoticed(t *testing.T) {
	phrase, _, err := NewRecovery(source(1))
	if err != nil {
		t.Fatal(err)
	}
	const typeable = "abcdefghijklmnopqrstuvwxyz0123456789!?.,_/"
	taken, tried := 0, 0
	refused := func(what, other string) {
		t.Helper()
		tried++
		key, err := ParseRecovery(other)
		if err == nil {
			taken++
			t.Errorf("%s: %s gives %s", what, other, key.DID())
		} else if strings.Contains(err.Error(), phrase[20:24]) {
			t.Errorf("%s: the error shows the phrase: %v", what, err)
		}
	}
	for i := range phrase {
		if phrase[i] == '-' {
			continue
		}
		for _, c := range []byte(typeable) {
			if c != phrase[i] {
				refused("changed", phrase[:i]+string(c)+phrase[i+1:])
			}
		}
		refused("left out", phrase[:i]+phrase[i+1:])
		refused("doubled", phrase[:i]+phrase[i:i+1]+phrase[i:])
		if i > 0 && phrase[i-1] != '-' && phrase[i-1] != phrase[i] {
			refused("swapped", phrase[:i-1]+phrase[i:i+1]+phrase[i-1:i]+phrase[i+1:])
		}
	}
	groups := strings.Split(strings.TrimPrefix(phrase, recoveryPrefix), "-")
	for i := range groups {
		for j := range groups[:i] {
			groups[i], groups[j] = groups[j], groups[i]
			refused("groups swapped", recoveryPrefix+strings.Join(groups, "-"))
			groups[i], groups[j] = groups[j], groups[i]
		}
	}
	if least := 56 * (len(typeable) - 1); tried < least || taken != 0 {
		t.Errorf("%d of %d taken, want 0 of at least %d", taken, tried, least)
	}
	for _, other := range []string{"", "-", recoveryPrefix, "stemma-backup-" + phrase[len(recoveryPrefix):],
		phrase + phrase, strings.Repeat("a", 56),
		strings.Repeat("a", 1<<20), strings.Repeat("\xff", 56), strings.ReplaceAll(phrase, "k", "\u212a") + " ",
		"\x00" + phrase} {
		if other != phrase+" " {
			refused("nonsense", other)
		}
	}
}

func TestPhraseIsAsItAlwaysWas(t *testing.T) {
	seed, err := hex.DecodeString("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60") // TEST 1 of RFC 8032
	if err != nil {
		t.Fatal(err)
	}
	const want = "stemma-recovery-tvq3-dhpp-7vng-boue-jl2j-f3bm-yrce-trlj-pmzg-sglq-howa-ghfo-p5qb-c6sr"
	if got := phraseOf(seed); got != want {
		t.Errorf("phrase %s, want %s", got, want)
	}
	// The check value of CRC-24/OPENPGP, for the digits 1 to 9.
	if got, want := crc24([]byte("123456789")), uint32(0x21cf02); got != want {
		t.Errorf("crc24 = %06x, want %06x", got, want)
	}
}

func TestCommitmentIsTheHashOfTheName(t *testing.T) {
	// printf %s did:key:z6Mk… | sha256sum
	const did, want = "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK",
		"8551f404ecfe6403c2fe960ab267cd8c74a9a0701628ce24b1753946f2ebb16e"
	if got := Commitment(did); got != want {
		t.Errorf("Commitment(%s) = %s, want %s", did, got, want)
	}
}

func FuzzParseRecovery(f *testing.F) {
	phrase, _, err := NewRecovery(source(1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(phrase)
	f.Add(strings.ToUpper(strings.ReplaceAll(phrase, "-", " ")))
	f.Fuzz(func(t *testing.T, text string) {
		key, err := ParseRecovery(text)
		if err != nil {
			return
		}
		if again, err := ParseRecovery(phraseOf(key.private().Seed())); err != nil || again.DID() != key.DID() {
			t.Errorf("%q gives %s, whose phrase gives %v (%v)", text, key, again, err)
		}
	})
}
