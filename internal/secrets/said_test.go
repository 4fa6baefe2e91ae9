package secrets

import "testing"

// The name of a rule says how sure it is of what a sentence means.
func TestASentenceIsJudgedByHowSureItIs(t *testing.T) {
	for text, want := range map[string]string{
		"the password for staging is blue" + "bird42":               "password-said",
		"Das Passwort lautet \"Regen" + "bogen\", danke.":           "password-said",
		"The password is tangerine" + "dream.":                      "password-perhaps",
		"Mot de passe : crois" + "sant":                             "password-perhaps",
		"The password is tangerine" + "dream for most of the time.": "",
		"the password is unrecoverable.":                            "",
		"Das Passwort ist vorgeschrieben.":                          "",
		"the clave of the song is 3-2":                              "",
		"PIN 4 of the connector is ground":                          "",
		"the spin is 1234567":                                       "",
		"the password is 12 characters long":                        "",
		"reset the password to the default":                         "",
	} {
		got := ""
		if found := Find(text); len(found) > 0 {
			got = found[0].Rule
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A name is read as a whole: what it ends with counts, and what stands before that.
func TestNamesSayWhatTheirValueIs(t *testing.T) {
	for text, want := range map[string]bool{
		"DB_PASS=blue" + "river": true, "PGPASSWORD=winter" + "fell": true, "dbPassword: 'Tango" + "Foxtrot'": true,
		"- name: DB_PASSWORD\n  value: mari" + "gold\n":  true,
		"- name: DB_PASSWORD\n  valueFrom: marigold\n":   false,
		"password=1234" + "5678":                         true,
		"MAX_PASSWD = 1024":                              false,
		"WIN_64KEY = 0x00100":                            false,
		"export API_KEY=\"not-needed...\"":               false,
		"TOKEN_LIMIT=unlimited":                          false,
		"hasPassword: 'certainly'":                       false,
		"const STORAGE_KEY = 'preferences'":              false,
		"password: string":                               false,
		"connect(user=user, password=entered)":           false,
		"Password: cfg.Database.Password,":               false,
		"if token == 'endOfExpression' {":                false,
		"{\"next_token\": \"aaaaBBBBccccDDDDeeee\"}":     false,
		"secret: \"" + "open sesame 42\"":                true,
		"errors: { password: 'Das Kennwort ist falsch'}": false,
	} {
		if got := len(Find(text)) > 0; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
