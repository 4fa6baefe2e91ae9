package cli

import (
	"os"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
)

// TestMain makes the days of replies those of UTC, wherever the tests run.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// The zone of a computer has its name, however it was set.
func TestTheZoneHasItsName(t *testing.T) {
	local := time.FixedZone("Local", 3600)
	for _, tt := range []struct {
		zone *time.Location
		file string
		want string
	}{
		{time.UTC, "", "UTC"},
		{local, "/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"},
		{local, "/var/db/timezone/zoneinfo/Europe/Berlin", "Europe/Berlin"},
		{local, "/usr/share/zoneinfo/Etc/UTC", "UTC"},
		{local, "/usr/share/zoneinfo/No/Such", "Local"},
		{local, "", "Local"},
		{time.FixedZone("Asia/Tokyo", 9*3600), "/usr/share/zoneinfo/Europe/Berlin", "Asia/Tokyo"},
	} {
		if got := zoneOf(tt.zone, tt.file).String(); got != tt.want {
			t.Errorf("zoneOf(%s, %q) = %s, want %s", tt.zone, tt.file, got, tt.want)
		}
	}
}

// An answer names the zone of its days once, and the day of the record where that is another one.
func TestTheZoneIsNamedOnce(t *testing.T) {
	var a app
	m := api.Memory{At: "2026-01-02T23:30:00.000Z", CreatedAt: "2026-05-05T12:00:00.000Z"}
	if got, want := a.saidOn(&m), "2026-01-02 UTC, recorded 2026-05-05"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	m.CreatedAt = m.At
	if got, want := a.saidOn(&m)+" "+a.at(m.At)+a.on(""), "2026-01-02 2026-01-02 23:30"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
