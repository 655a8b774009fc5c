package process

import (
	"math/rand/v2"
)

const (
	opWarn  = `mutation($i: WarnInput!) { r: warn(input: $i) { act { id } errors { code } } }`
	opBan   = `mutation($i: BanInput!) { r: ban(input: $i) { act { id } changed errors { code } } }`
	opUnban = `mutation($i: UnbanInput!) { r: unban(input: $i) { act { id } changed errors { code } } }`
	opLog   = `query($after: String) { r: moderationLog(user: {login: "mallory"}, first: 100, after: $after) {
		nodes { id action } pageInfo { endCursor hasNextPage } } }`
	opBanned = `{ r: user(by: {login: "mallory"}) { id isBanned } }`
)

// seenLog is a page of the moderation log.
type seenLog struct {
	Nodes    []struct{ ID, Action string }
	PageInfo struct {
		EndCursor   string
		HasNextPage bool
	}
}

// sanctionOne warns, bans or unbans a user who does nothing else.
func (w *killRun) sanctionOne() {
	op, in := opWarn, map[string]any{"userId": w.banned, "reason": "SPAM"}
	switch rand.IntN(3) {
	case 0:
		op, in["scope"] = opBan, []string{"POST", "SIGN_IN"}[rand.IntN(2)]
	case 1:
		op = opUnban
	}
	p, f, code := w.mutate(patient, w.moderator, op, in)
	w.count("sanction", f)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case f == acknowledged && p.Act != nil:
		w.acts[p.Act.ID] = true
	case f == refused && code != "RATE_LIMITED":
		w.wrong("sanction: refused: %s", code)
	}
}

// verifySanctions checks that the log has each acknowledged act, once, and that the last ban or its end is in force.
func (w *killRun) verifySanctions() {
	seen, last := map[string]bool{}, ""
	for after := any(nil); ; {
		page := readAs[seenLog](w, w.moderator, opLog, map[string]any{"after": after})
		for _, act := range page.Nodes {
			if seen[act.ID] {
				w.twice("the act %s", act.ID)
			}
			if seen[act.ID] = true; last == "" && act.Action != "WARN" {
				last = act.Action
			}
		}
		if after = page.PageInfo.EndCursor; !page.PageInfo.HasNextPage {
			break
		}
	}
	for id := range w.acts {
		if !seen[id] {
			w.gone("the act %s is lost; it was acknowledged", id)
		}
	}
	type bannedUser struct{ IsBanned bool }
	if is := readAs[bannedUser](w, w.moderator, opBanned, nil); is.IsBanned != (last == "BAN") {
		w.wrong("the user is banned: %t; the last act is %q", is.IsBanned, last)
	}
}
