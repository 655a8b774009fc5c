package forum

import (
	"slices"
	"strings"
	"testing"
	_ "time/tzdata"
)

func TestLoadZoneAcceptsOnlyIANANames(t *testing.T) {
	tests := []struct{ name, want string }{ // want is in the error; "" is no error
		{
			"UTC",
			"",
		}, {"Europe/Berlin", ""}, {"America/Argentina/Buenos_Aires", ""}, {"Asia/Calcutta", ""}, {"Etc/GMT+5", ""},
		{"EST5EDT", ""},
		{
			"",
			"not an IANA",
		}, {"Local", "not an IANA"}, {"local", "not an IANA"}, {"localtime", "not an IANA"}, {"Factory", "not an IANA"},
		{"posixrules", "not an IANA"},
		{
			"posix/Europe/Berlin",
			"not an IANA",
		}, {"right/Europe/Berlin", "not an IANA"}, {"zone.tab", "not an IANA"}, {"Europe", "not an IANA"},
		{
			"../zoneinfo/Europe/Berlin",
			"not an IANA",
		}, {"/usr/share/zoneinfo/UTC", "not an IANA"}, {"Europe//Berlin", "not an IANA"}, {"./UTC", "not an IANA"},
		{"Europe/Berlin/", "not an IANA"}, {" UTC", "not an IANA"}, {"Europe/Berlin\x00", "not an IANA"},
		{"Europe\\Berlin", "not an IANA"},
		{"utc", "did you mean UTC?"}, {"europe/berlin", "did you mean Europe/Berlin?"},
		{"EUROPE/BERLIN", "did you mean Europe/Berlin?"},
	}
	for _, tt := range tests {
		zone, err := LoadZone(tt.name)
		if tt.want == "" && (err != nil || zone.String() != tt.name) {
			t.Errorf("LoadZone(%q) = %v, %v; want it", tt.name, zone, err)
		}
		if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("LoadZone(%q) = %v, %v; want an error with %q", tt.name, zone, err, tt.want)
		}
	}
}

func TestListOfZonesIsSortedAndLoads(t *testing.T) {
	names := zoneNames()
	if len(names) < 500 || !slices.IsSorted(names) {
		t.Fatalf("there are %d zones, sorted: %t", len(names), slices.IsSorted(names))
	}
	for i := 0; i < len(names); i += 25 { // each takes 15 ms
		name := names[i]
		if _, err := LoadZone(name); err != nil {
			t.Errorf("LoadZone(%q): %v", name, err)
		}
	}
}
