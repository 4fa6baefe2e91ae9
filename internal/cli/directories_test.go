package cli

import "testing"

// A program without a home has a data directory beside the store that it is given, and none without a store.
func TestDataDirectoryWithoutAHome(t *testing.T) {
	for _, row := range []struct{ store, home, xdg, want string }{
		{"/srv/a/m.db", "", "", "/srv/a/.stemma-data"}, {"sqlite:/srv/a/m.db", "", "", "/srv/a/.stemma-data"},
		{"/srv/a/m.db", "/home/ada", "", "/home/ada/.local/share/stemma"}, {"/srv/a/m.db", "", "/x", "/x/stemma"},
		{"postgres://db/x", "", "", ""}, {"", "", "", ""}, {"~/m.db", "", "", ""},
	} {
		a := &app{env: Env{Getenv: func(name string) string {
			return map[string]string{"STEMMA_STORE": row.store, "HOME": row.home, "XDG_DATA_HOME": row.xdg}[name]
		}}}
		got, err := a.dataDir()
		if got != row.want || (err == nil) != (row.want != "") {
			t.Errorf("store %q, HOME %q, XDG_DATA_HOME %q: %q, %v, want %q", row.store, row.home, row.xdg, got, err, row.want)
		}
	}
}
