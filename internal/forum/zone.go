package forum

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// zoneList holds the names of all zones and links of the IANA time zone database, one a
// line, sorted. Source: lib/time/zoneinfo.zip of Go 1.26, without Factory.
//
//go:embed zones.txt
var zoneList string

var zoneNames = sync.OnceValue(func() []string { return strings.Fields(zoneList) })

// LoadZone returns the IANA time zone of a name such as Europe/Berlin. Unlike time.LoadLocation it
// rejects names whose meaning depends on the machine: Local, "", files that only some machines
// have, other spellings.
func LoadZone(name string) (*time.Location, error) {
	names := zoneNames()
	if _, ok := slices.BinarySearch(names, name); ok {
		return time.LoadLocation(name)
	}
	at := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
	if at >= 0 {
		return nil, fmt.Errorf("%q is not an IANA time zone; did you mean %s?", name, names[at])
	}
	return nil, fmt.Errorf("%q is not an IANA time zone; use one like Europe/Berlin or UTC", name)
}
