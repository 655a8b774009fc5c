package importer

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"agora/internal/forum"
	"agora/internal/text"
)

// origin is what is known of the other site besides its files.
type origin struct {
	// now is the time of the import, which no post is later than.
	now forum.Time
	// url is the site's address, with a slash at the end of its path; nil if it is not known.
	url *url.URL
}

// homes are the addresses of formats that only one site has.
var homes = map[Format]string{V2EX: "https://www.v2ex.com/", HackerNews: "https://news.ycombinator.com/"}

// hostPattern matches the name of a source that is a host.
var hostPattern = regexp.MustCompile(`^([A-Za-z0-9-]+\.)+[A-Za-z]{2,}$`)

// locate sets the address of the site: the one of the options, or that of a source which is named
// after its host, or that of the format.
func (o *Options) locate() error {
	address := o.SourceURL
	if address == "" && hostPattern.MatchString(o.Source) {
		address = "https://" + o.Source + "/"
	}
	if address = cmp.Or(address, homes[o.Format]); address == "" {
		return nil
	}
	_, err := text.Link(nil, address)
	u, parseErr := url.Parse(address)
	if err = errors.Join(err, parseErr); err != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("the source's URL %q must be an http or https URL like https://forum.example.org/", address)
	}
	if !strings.HasSuffix(u.Path, "/") {
		u.Path, u.RawPath = u.Path+"/", ""
	}
	o.origin.url = u
	return nil
}

// known returns a time, or 0 if it is missing, implausible or later than now.
func (o origin) known(m moment) forum.Time {
	if m < earliest || forum.Time(m) > o.now {
		return 0
	}
	return forum.Time(m)
}

// must returns the time of a post, or an error if it is missing, implausible or later than now.
func (o origin) must(m moment, field string) (forum.Time, error) {
	switch {
	case m == 0:
		return 0, fmt.Errorf("%s is missing", field)
	case m >= earliest && m < latest && forum.Time(m) > o.now:
		return 0, fmt.Errorf("%s is later than now", field)
	case o.known(m) == 0:
		return 0, fmt.Errorf("%s is not a time between 1990 and now", field)
	}
	return forum.Time(m), nil
}
