package takeout

import (
	"slices"
	"strings"
	"testing"

	"agora/internal/store/catalogue"
)

// kept says of each key and field that the store keeps about a user which file of a take-out has it, or why none does.
var kept = map[string]string{
	"u:<id>":          "account",
	"u:<id>:internal": "account: the e-mail; the others are hashes, claims, counts and what is under way",
	"u:<id>:profile":  "topics", "u:<id>:votes": "votes", "u:<id>:following": "follows", "u:<id>:subjects": "follows",
	"u:<id>:blocked": "blocks", "u:<id>:bookmarks": "bookmarks", "u:<id>:bookmarks:hidden": "bookmarks",
	"u:<id>:followers": "-of others, who follow: everybody sees them", "u:<id>:blockers": "-of others: only they may know",
	"u:<id>:listed": "-of others: only they may know", "u:<id>:marked": "read-marks", "u:<id>:marks": "read-marks",
	"u:<id>:watching": "watched", "u:<id>:notes:unread": "notifications", "u:<id>:tokens": "tokens",
	"u:<id>:home": "-follows from what the user follows", "u:<id>:lists": "lists", "u:<id>:lists:names": "lists",
	"u:<id>:karma": "-follows from the votes of others", "u:<id>:notes": "notifications",
	"u:<id>:note": "notifications", "u:<id>:followers:ended": "-of others", "u:<id>:blockers:ended": "-of others",
	"u:<id>:listed:ended": "-of others", "u:<id>:acts": "-the public office of the user, in the log of the site",
	"u:<id>:record": "moderation", "u:<id>:door": "-hashes for a day", "u:<id>:approved": "moderation",
	"u:<id>:home:ev": "-for a day", "u:<id>:profile:ev": "-for a day", "u:<id>:bookmarks:ev": "-for a day",
	"u:<id>:external": "sign-in-accounts", "u:<id>:invitations": "invitations", "u:<id>:sessions": "sessions",
	"u:<id>:takeout": "-this download", "u:<id>:rel": "-empty at rest", "u:<id>:devices": "-pseudonyms of addresses",
	"u:<id>:reporters": "-of others: only moderators may know",
	"u:<id>:reports":   "reports: those that the user made; others are not the user's",
	"u:<id>:case":      "-of moderators", "u:<id>:evidence": "-of moderators; the acts that came of it are in moderation",
	"u:<id>:comments:created": "comments", "u:<id>:comments:gone": "-bookkeeping", "u:<id>:comments:rev": "-bookkeeping",
	"l:<id>": "lists", "l:<id>:members": "list-members", "l:<id>:ev": "-for a day",
}

// Each kind of key of a user, and of the user's lists, is in a file of the take-out, or kept has a reason.
func TestEveryKeyOfAUserIsInATakeout(t *testing.T) {
	files := pages(&reader{})
	var seen []string
	for _, k := range catalogue.Kinds {
		for _, p := range k.Keys {
			for _, shape := range p.Shapes() {
				_, name, _ := strings.Cut(shape, "}:")
				if !strings.HasPrefix(name, "u:<") && !strings.HasPrefix(name, "l:<") {
					continue
				}
				name = strings.Replace(strings.Replace(name, "<user>", "<id>", 1), "l:<list>", "l:<id>", 1)
				seen = append(seen, name)
				if kept[name] == "" {
					t.Errorf("neither a file nor a reason for %s (%s)", name, k.Name)
				}
			}
		}
	}
	queried := []string{"account", "notifications", "moderation", "invitations", "sessions", "tokens"}
	for name, file := range kept {
		if !slices.Contains(seen, name) {
			t.Errorf("%s is no key", name)
		}
		file, _, _ = strings.Cut(file, ":")
		if !strings.HasPrefix(file, "-") && files[file] == nil && !slices.Contains(queried, file) {
			t.Errorf("%s: there is no file %s", name, file)
		}
	}
}
