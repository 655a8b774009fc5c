package connection

import (
	"slices"
	"strings"
	"testing"

	"agora/internal/test/must"
)

func TestAddressesAreParsed(t *testing.T) {
	tests := []struct {
		text    string
		hosts   string // joined by blanks
		cluster bool
		master  string
		user    string
		db      int
	}{
		{"redis://u:p@x:1/3", "", false, "", "u", 3},
		{"unix:///run/redis.sock?db=2", "", false, "", "", 2},
		{"redis+cluster://a,b:7001,[::1]:7002", "a:6379 b:7001 [::1]:7002", true, "", "", 0},
		{"rediss+cluster://u:p%40q@a:7000,b:7001?read_timeout=2s", "a:7000 b:7001", true, "", "u", 0},
		{"redis+sentinel://s1,s2:26380/site", "s1:26379 s2:26380", false, "site", "", 0},
		{"redis+sentinel://u:p@s1/site/4?sentinel_password=x&dial_timeout=1s", "s1:26379", false, "site", "u", 4},
	}
	for _, tt := range tests {
		a, err := parseAddress(tt.text)
		wantOK(t, tt.text, err)
		if !slices.Equal(a.hosts, strings.Fields(tt.hosts)) || a.cluster != tt.cluster || a.master != tt.master ||
			a.options.Username != tt.user || a.options.DB != tt.db {
			t.Errorf("%s = %+v, %+v; want %+v", tt.text, a, a.options, tt)
		}
		if tls := a.options.TLSConfig; len(a.hosts) > 0 && tls != nil && tls.ServerName != "" {
			t.Errorf("%s: the certificates of all hosts must be valid for %s", tt.text, tls.ServerName)
		}
	}
	sentinel := must.Do(parseAddress("redis+sentinel://s1/site?sentinel_username=w&sentinel_password=x%2Fy"))(t)
	if sentinel.sentinelUser != "w" || sentinel.sentinelPassword != "x/y" {
		t.Errorf("the Sentinels' user and password are %q and %q", sentinel.sentinelUser, sentinel.sentinelPassword)
	}
}

// No error contains the password.
func TestBadAddressesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"redis+cluster://u:hidden@":             "a host is missing",
		"redis+cluster://u:hidden@a,,b":         "a host is missing",
		"redis+cluster://u:hidden@a/1":          "only database 0",
		"redis+sentinel://u:hidden@s1":          "name of the master",
		"redis+sentinel://u:hidden@s1/":         "name of the master",
		"redis+sentinel://u:hidden@s1/m/x":      "database",
		"redis+cluster://u:hidden@a?unknown=1":  "unknown",
		"http+cluster://u:hidden@a":             "scheme",
		"redis://u:hidden%@a":                   "invalid URL",
		"redis+cluster://u:hidden%zz@a:1,b:2,c": "invalid URL",
	} {
		_, err := parseAddress(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %v; want an error with %q and no password", text, err, want)
		}
	}
}
