package fsck

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/test/must"
)

// shownKey matches the keys with what readers are shown of objects: the slot, the object, and what it is of that.
var shownKey = regexp.MustCompile(`^(\{(?:p[0-9a-f]{2}|cat|mod|ix:g\d+)\}:)((?:[tcum]:\d+)|tag)(:case|:text)?$`)

// shown returns what readers are shown of objects, by the names by which scripts say that it has changed. An
// account that is not active is shown to nobody.
func shown(keys map[string]frozenKey) map[string]string {
	all := map[string]string{}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		parts := shownKey.FindStringSubmatch(k)
		if parts == nil {
			continue
		}
		name := parts[1] + parts[2]
		if parts[3] == ":text" {
			text, _ := keys[k].value.(string)
			all[name] += text
			continue
		}
		is, _ := keys[k].value.(map[string]string)
		switch {
		case parts[3] == ":case":
			name = parts[1] + "r:" + strings.ReplaceAll(parts[2], ":", "")
		case parts[2] == "tag":
			all[name] = is["name"]
			continue
		case parts[2][0] == 'u' && is["state"] != catalogue.UserActive:
			continue
		}
		all[name] += fmt.Sprint(is)
	}
	return all
}

// aloud runs a repair, and fails the test if that changes what readers are shown of an object and does not say so. It
// returns the data before and after, too.
func (x *checkSite) aloud(repair func() *Report) (_ *Report, damaged, left map[string]frozenKey) {
	x.t.Helper()
	ps := x.rdb.PSubscribe(x.ctx, key.ChangesChannels)
	defer ps.Close()
	must.Do(ps.Receive(x.ctx))(x.t)
	damaged = x.freeze()
	r := repair()
	must.OK(x.t, x.rdb.Publish(x.ctx, key.ChangesChannel(key.Categories), "").Err())
	said := map[string]bool{}
	for m := must.Do(ps.ReceiveMessage(x.ctx))(x.t); m.Payload != ""; m = must.Do(ps.ReceiveMessage(x.ctx))(x.t) {
		for object, change := range catalogue.ChangesIn(m.Payload) {
			said[key.SlotPrefix(m.Channel)+object] = said[key.SlotPrefix(m.Channel)+object] ||
				!catalogue.IsQuiet(change)
		}
	}
	left = x.freeze()
	before, after := shown(damaged), shown(left)
	for name, is := range after {
		if is != before[name] && !said[name] {
			x.t.Errorf("the repair has made %s\n%s of\n%s, and said nothing", name, is, before[name])
		}
	}
	for name, was := range before {
		if after[name] == "" && was != "" && !said[name] {
			x.t.Errorf("the repair has removed %s, and said nothing", name)
		}
	}
	return r, damaged, left
}
