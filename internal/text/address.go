package text

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// address is an absolute http or https URL as browsers read it. Source: the URL standard, https://url.spec.whatwg.org/.
type address struct {
	scheme string
	// user reports whether it has a user name or password.
	user bool
	// host is in ASCII and lower case.
	host string
	// port is empty, or a colon and digits; rest is what follows, unchanged but for tabs and line breaks.
	port, rest string
}

// parseAddress parses what `new URL` accepts as an http or https URL; false for anything else. What follows the host is
// never a reason to refuse.
func parseAddress(s string) (a address, ok bool) {
	scheme, s, _ := strings.Cut(trimmed(s), ":")
	if a.scheme = asciiLower(scheme); a.scheme != "http" && a.scheme != "https" {
		return a, false
	}
	s = strings.TrimLeft(s, `/\`)
	end := len(s)
	if i := strings.IndexAny(s, `/\?#`); i >= 0 {
		end = i
	}
	host := s[:end]
	a.rest = s[end:]
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		a.user = strings.Trim(host[:at], ":") != ""
		host = host[at+1:]
	}
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host, a.port = host[:i], host[i:]
		if _, err := strconv.ParseUint("0"+a.port[1:], 10, 16); err != nil {
			return a, false
		}
	}
	a.host, ok = parseHost(host)
	return a, ok
}

// String returns the address in the form in which all programs read it as browsers do.
func (a address) String() string {
	path, query := a.rest, ""
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path, query = path[:i], path[i:]
	}
	var b strings.Builder
	b.WriteString(a.scheme + "://" + a.host + a.port)
	for _, r := range strings.ReplaceAll(path, `\`, "/") + query {
		if mustEncode(r) {
			b.WriteString(url.PathEscape(string(r)))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// mustEncode reports whether r must be percent-encoded in an address that is shown to readers and read by programs.
func mustEncode(r rune) bool {
	return notInLink(r) || unicode.IsControl(r) || unicode.Is(unicode.Noncharacter_Code_Point, r)
}

// trimmed returns an address without what browsers take out of it: control characters and spaces at its ends, tabs and
// line breaks.
func trimmed(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, strings.TrimFunc(s, func(r rune) bool { return r <= ' ' }))
}

// parseHost returns the host that browsers make of one in a URL.
func parseHost(s string) (string, bool) {
	if inner, is6 := strings.CutPrefix(s, "["); is6 {
		inner, closed := strings.CutSuffix(inner, "]")
		ip, err := netip.ParseAddr(inner)
		if !closed || err != nil || !ip.Is6() || ip.Zone() != "" {
			return "", false
		}
		if b := ip.As16(); ip.Is4In6() {
			return fmt.Sprintf("[::ffff:%x:%x]", int(b[12])<<8|int(b[13]), int(b[14])<<8|int(b[15])), true
		}
		return "[" + ip.String() + "]", true
	}
	s, ok := domainToASCII(decoded(s))
	if !ok || strings.ContainsFunc(s, forbiddenInDomain) {
		return "", false
	}
	return parseIPv4(s)
}

// decoded returns s with its percent-encoded bytes; what is no such byte stays.
func decoded(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if i+3 <= len(s) {
			if c, err := url.PathUnescape(s[i : i+3]); err == nil && s[i] == '%' {
				b.WriteString(c)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// browsers maps domains as the URL standard says: UTS 46 without the rules of STD 3, for the length of names and for
// hyphens.
var browsers = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.VerifyDNSLength(false), idna.StrictDomainName(false),
	idna.ValidateLabels(true), idna.CheckHyphens(false), idna.CheckJoiners(true), idna.Transitional(false))

// domainToASCII returns the domain that browsers look up; false if it is none. One in ASCII is not checked.
func domainToASCII(s string) (string, bool) {
	lower := asciiLower(s)
	if isASCII(lower) && !strings.Contains("."+lower, ".xn--") {
		return lower, lower != ""
	}
	ascii, err := browsers.ToASCII(s)
	if err != nil || !utf8.ValidString(s) {
		return "", false
	}
	for label := range strings.SplitSeq(lower+"."+ascii, ".") {
		if name, encoded := strings.CutPrefix(label, "xn--"); encoded && (name == "" || strings.HasSuffix(name, "-")) {
			return "", false // it would decode to ASCII
		}
	}
	return ascii, ascii != ""
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

// forbiddenInDomain reports whether no domain may have r.
func forbiddenInDomain(r rune) bool {
	return r <= ' ' || r == 0x7f || strings.ContainsRune(`#%/:<>?@[\]^|`, r)
}

// parseIPv4 returns a domain, or if its last label is a number, the IPv4 address that it is.
func parseIPv4(s string) (string, bool) {
	parts := strings.Split(strings.TrimSuffix(s, "."), ".")
	last := parts[len(parts)-1]
	if _, number := ipv4Number(last); !number && (last == "" || strings.Trim(last, "0123456789") != "") {
		return s, true
	}
	if len(parts) > 4 {
		return "", false
	}
	var ip uint64
	for i, part := range parts {
		n, ok := ipv4Number(part)
		bits := 8 // the last part has all that are left
		if i == len(parts)-1 {
			bits = 8 * (4 - i)
		}
		if !ok || n>>bits != 0 {
			return "", false
		}
		ip = ip<<bits | n
	}
	return netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}).String(), true
}

// ipv4Number parses a part of an IPv4 address: decimal, octal after 0, hexadecimal after 0x. Larger numbers than any part
// may be are the largest one.
func ipv4Number(s string) (n uint64, ok bool) {
	base, digits := 10, s
	switch {
	case strings.HasPrefix(s, "0x"):
		base, digits = 16, s[2:]
	case len(s) > 1 && s[0] == '0':
		base, digits = 8, s[1:]
	}
	if digits == "" {
		return 0, s != "" // "0x"
	}
	n, err := strconv.ParseUint(digits, base, 64)
	return n, err == nil || errors.Is(err, strconv.ErrRange)
}
