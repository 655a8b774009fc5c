package process

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/must"
)

// mirrored are the keys of what the feed covers, as in an export, and of texts of these.
var mirrored = regexp.MustCompile(`^\{(?:p[0-9a-f]{2}|cat|mod)\}:[tcum]:\d+(?::case|:text)?$`)

// exported returns what an export of the site has of what the feed covers.
func (m *mirror) exported(s *killSite) mirrorCopy {
	t := m.t
	t.Helper()
	file := filepath.Join(t.TempDir(), "site.jsonl")
	if out, code := s.command("export", "--out", file); code != 0 {
		t.Fatalf("export: %s", out)
	}
	f := must.Do(os.Open(file))(t)
	defer f.Close()
	all := mirrorCopy{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var line struct {
			Key    string
			Hash   map[string]string
			String *string
		}
		must.OK(t, json.Unmarshal(lines.Bytes(), &line))
		if !mirrored.MatchString(line.Key) {
			continue
		}
		if line.String != nil {
			line.Hash = map[string]string{"": *line.String}
		}
		if all[line.Key] == nil {
			all[line.Key] = map[string]string{}
		}
		maps.Copy(all[line.Key], line.Hash) // a big hash has several lines
	}
	must.OK(t, lines.Err())
	return all
}

// shown returns what a key has that is shown to anybody: of an account that is deleted only that, and nothing of a
// registration that is not complete, or not approved.
func (c mirrorCopy) shown(key string) map[string]string {
	if strings.Contains(key, ":u:") && !strings.HasSuffix(key, ":case") {
		switch c[key]["state"] {
		case "DELETED":
			return map[string]string{"state": "DELETED"}
		case "PENDING", "GONE", "APPLIED":
			return nil
		}
	}
	return c[key]
}

// compare reports what differs between the copy and an export.
func (m *mirror) compare(what string, want mirrorCopy) {
	m.t.Helper()
	got, wrong := m.clone(), 0
	keys := slices.Sorted(maps.Keys(want))
	for key := range got {
		if want[key] == nil {
			keys = append(keys, key)
		}
	}
	kinds := map[string]int{}
	for _, key := range keys {
		kinds[kindOf(key)]++
		if !maps.Equal(got.shown(key), want.shown(key)) {
			if wrong++; wrong <= 20 {
				m.t.Errorf("%s: %s differs: %s; told: %+v", what, key, difference(got.shown(key), want.shown(key)), m.told[key])
			}
		}
	}
	if wrong > 20 {
		m.t.Errorf("%s: %d keys differ", what, wrong)
	}
	m.t.Logf("%s: %d keys are compared: %v; %d calls, %d changes, %d of them again", what, len(keys), kinds, m.calls, m.changes,
		m.again)
}

// kindOf returns what of a key's name is neither partition nor number.
func kindOf(key string) string {
	parts := strings.Split(key, ":")
	if strings.HasPrefix(parts[0], "{p") {
		parts[0] = "{p}"
	}
	return strings.Join(slices.Delete(parts, 2, 3), ":")
}

// difference says how contents differ.
func difference(got, want map[string]string) string {
	var all []string
	for _, field := range slices.Sorted(maps.Keys(want)) {
		if v, ok := got[field]; v != want[field] || !ok {
			all = append(all, fmt.Sprintf("%s is %.60q, want %.60q", field, v, want[field]))
		}
	}
	for _, field := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[field]; !ok {
			all = append(all, fmt.Sprintf("%s is %.60q, want nothing", field, got[field]))
		}
	}
	return strings.Join(all, "; ")
}

// ownWords are the words of changes that never become one: see docs/architecture/writing.md.
var ownWords = []string{"CREATED", "CATEGORY", "STATE", "DELETED", "ARRIVED", "HELD"}

// checkTold checks that the words of changes that never become one have come that must have, by what an object is.
func (m *mirror) checkTold(what string, want mirrorCopy) {
	m.t.Helper()
	for _, key := range slices.Sorted(maps.Keys(want)) {
		told := m.told[key]
		if strings.HasSuffix(key, ":text") || strings.HasSuffix(key, ":case") || strings.HasPrefix(key, "{cat}:c") ||
			strings.HasPrefix(key, "{cat}:t") || want.shown(key) == nil || told == nil || told.walked {
			continue
		}
		is := want[key]
		account := strings.Contains(key, ":u:")
		for word, must := range map[string]bool{
			"CREATED": (!account || is["state"] == "ACTIVE") && !slices.Contains(told.own, "HELD"), // others may not be approved
			"STATE":   is["hidden"] != "" && is["deleted"] == "" && is["state"] != "HELD",
			"DELETED": is["deleted"] != "" || account && is["state"] == "DELETED",
		} {
			if must && !slices.Contains(told.own, word) {
				m.t.Errorf("%s: %s, which is %v, came with %v; want %s", what, key, is, told.own, word)
			}
		}
	}
}

// mirrorHeard listens to what scripts say, beside the feed.
type mirrorHeard struct {
	mu   sync.Mutex
	said map[string][]string // the words that never become one, by key of the object
	n    int
}

// listen hears what is said until ctx ends; some is not heard while Redis is away.
func (h *mirrorHeard) listen(ctx context.Context, rdb *redis.Client) {
	h.said = map[string][]string{}
	sub := rdb.PSubscribe(ctx, "{*}:changes")
	defer context.AfterFunc(ctx, func() { sub.Close() })()
	for ctx.Err() == nil {
		message, err := sub.ReceiveMessage(ctx)
		if err != nil {
			continue
		}
		slot := strings.TrimSuffix(message.Channel, "changes")
		words := strings.Fields(message.Payload)
		h.mu.Lock()
		for i := 0; i+1 < len(words); i += 2 {
			if slices.Contains(ownWords, words[i+1]) && mirrored.MatchString(slot+words[i]) {
				h.said[slot+words[i]] = append(h.said[slot+words[i]], words[i+1])
				h.n++
			}
		}
		h.mu.Unlock()
	}
}

// check checks that the mirror was told all that was heard, in this order.
func (h *mirrorHeard) check(m *mirror) {
	m.t.Helper()
	for key, said := range h.said {
		rest := said
		told := m.told[key]
		if told == nil {
			told = &mirrorTold{}
		}
		for _, word := range told.own {
			if len(rest) > 0 && rest[0] == word {
				rest = rest[1:]
			}
		}
		if len(rest) > 0 {
			m.t.Errorf("of %s was said %v; the mirror was told %v", key, said, told.own)
		}
	}
	m.t.Logf("%d changes were heard that never become one, of %d objects", h.n, len(h.said))
}
