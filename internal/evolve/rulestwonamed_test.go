package evolve_test

import (
	"testing"

	. "github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/memory"
)

// Two things of one kind, each with its name and its own value, say nothing of each other; one that has all that the
// other had may have taken it over.
func TestThingsOfAlikeNamesAreTwo(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{"The service lanlox listens on port 8005", "Service manrox listens on port 8006 now", "none"},
		{"The service lanlox listens on port 8005", "The service manrox listens on port 8006 now", "none"},
		{"The service lanlox listens on port 8005", "Service lanlox listens on port 8006 now", memory.Update},
		{"Service Falke listens on port 8005", "Service Falkner listens on port 8006 now", "none"},
		{"Queue amber retries 3 times", "Queue amberly retries 4 times now", "none"},
		{"Host elm runs Debian", "Host elder runs Fedora now", "none"},
		{"Host elm runs Debian", "Host elm runs Fedora now", memory.Update},
		{"The server port is 8080", "The server port is 9090 now", memory.Update},
		{"Team Alpha owns the gateway", "Team Beta owns the gateway now", memory.Update},
	} {
		got := "none"
		if r := Rules(Memory{Text: tt.new}, []Memory{{Text: tt.old}}); r != nil {
			got = r.Type
		}
		if got != tt.want {
			t.Errorf("%q → %q: %s, want %s", tt.old, tt.new, got, tt.want)
		}
	}
}

// Of a language that the rules do not read they tell only that a sentence is said with another figure at its end.
func TestAnotherFigureInAnyLanguage(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{"Der Dienst Falke lauscht auf Port 7101", "Der Dienst Falke lauscht auf Port 7201.", memory.Contradict},
		{"Der Dienst Falke lauscht auf Port 7101", "Der Dienst Falkner lauscht auf Port 7201.", "none"},
		{"Das Lager in Kiel öffnet um 6 Uhr", "Das Lager in Kiel öffnet um 11 Uhr", memory.Contradict},
		{"Das Zimmer 12 ist gesperrt", "Das Zimmer 14 ist gesperrt", "none"},
		{"El servicio Garza escucha en el puerto 7103", "El servicio Garza escucha en el puerto 7203", memory.Contradict},
		{"El nodo n1 guarda 30 días", "El nodo n2 guarda 40 días", "none"},
		{"El almacén de Lugo abre a las 8:20", "El almacén de Lugo abre a las 10:50", memory.Contradict},
		{"Le service écoute sur le port 81", "Le service écoute sur le port 82", memory.Contradict},
		{"Der Hund der Nachbarn ist braun", "Der Hund der Nachbarn ist alt", "none"},
	} {
		got := "none"
		if r := Rules(Memory{Text: tt.new}, []Memory{{Text: tt.old}}); r != nil {
			got = r.Type
		}
		if got != tt.want {
			t.Errorf("%q → %q: %s, want %s", tt.old, tt.new, got, tt.want)
		}
	}
}
