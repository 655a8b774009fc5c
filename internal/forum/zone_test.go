package forum

import (
	"slices"
	"strings"
	"testing"
	_ "time/tzdata"
)

func TestLoadZoneTakesNamesOfZonesOnly(t *testing.T) {
	tests := []struct{ name, want string }{ // want is in the error; "" is no error
		{
			"UTC",
			"",
		}, {"Europe/Berlin", ""}, {"America/Argentina/Buenos_Aires", ""}, {"Asia/Calcutta", ""}, {"Etc/GMT+5", ""},
		{"EST5EDT", ""},
		{
			"",
			"no IANA",
		}, {"Local", "no IANA"}, {"local", "no IANA"}, {"localtime", "no IANA"}, {"Factory", "no IANA"},
		{"posixrules", "no IANA"},
		{
			"posix/Europe/Berlin",
			"no IANA",
		}, {"right/Europe/Berlin", "no IANA"}, {"zone.tab", "no IANA"}, {"Europe", "no IANA"},
		{
			"../zoneinfo/Europe/Berlin",
			"no IANA",
		}, {"/usr/share/zoneinfo/UTC", "no IANA"}, {"Europe//Berlin", "no IANA"}, {"./UTC", "no IANA"},
		{"Europe/Berlin/", "no IANA"}, {" UTC", "no IANA"}, {"Europe/Berlin\x00", "no IANA"}, {"Europe\\Berlin", "no IANA"},
		{"utc", "write it UTC"}, {"europe/berlin", "write it Europe/Berlin"}, {"EUROPE/BERLIN", "write it Europe/Berlin"},
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
