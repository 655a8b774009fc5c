// Package version says which version of Agora this is. It reads it from the changelog: nothing else states it.
package version

import (
	"regexp"
	"strconv"
	"strings"
)

// Log is what a changelog says of versions.
type Log struct {
	// Newest is the newest release, such as "0.1.0"; empty if there is none.
	Newest string
	// Unreleased is what has changed since, in Markdown.
	Unreleased string

	major, minor int
}

// heading is the heading of a release.
var heading = regexp.MustCompile(`(?m)^## \[((\d+)\.(\d+)\.\d+)\] - \d{4}-\d\d-\d\d$`)

// Read reads a changelog in the format of Keep a Changelog.
func Read(changelog string) Log {
	var l Log
	if at := heading.FindStringSubmatchIndex(changelog); at != nil {
		number := func(i int) int {
			n, _ := strconv.Atoi(changelog[at[2*i]:at[2*i+1]]) // digits, as the expression says
			return n
		}
		l.Newest, l.major, l.minor = changelog[at[2]:at[3]], number(2), number(3)
		changelog = changelog[:at[0]]
	}
	_, l.Unreleased, _ = strings.Cut(changelog, "\n## [Unreleased]\n")
	return l
}

// Current returns the version that the changelog describes: the newest release, or, if something has changed since then,
// the next minor one with "-dev", such as "0.2.0-dev".
func (l Log) Current() string {
	if l.Newest != "" && !strings.Contains(l.Unreleased, "\n- ") {
		return l.Newest
	}
	return strconv.Itoa(l.major) + "." + strconv.Itoa(l.minor+1) + ".0-dev"
}
