package record

import (
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
)

// SessionProvenance returns what is stored of a session after its end: ":proved:origin".
func SessionProvenance(p forum.Provenance) string {
	return ":" + strconv.FormatInt(int64(p.ProvedAt), 10) + ":" + p.Origin
}

// DecodeSession parses a catalogue.SessionRow; those of earlier versions have no ":proved:origin".
func DecodeSession(user forum.UserID, digest, value string) (*forum.Session, bool) {
	v, ok := catalogue.SessionRow.Parse(value)
	ends, after, _ := strings.Cut(v.Text("ends"), ":")
	proved, origin, _ := strings.Cut(after, ":")
	return &forum.Session{
		User: user, Digest: digest, CreatedAt: forum.Time(v.Int("began")), SeenAt: forum.Time(v.Int("seen")),
		EndsAt: forum.Time(Atoi(ends)), UserAgent: v.Text("userAgent"),
		Provenance: forum.Provenance{Origin: origin, ProvedAt: forum.Time(Atoi(proved))},
	}, ok
}

// ViewerFields are the fields of a user that ParseViewer needs.
var ViewerFields = append([]string{"state", "role", "roleUntil", "created", "karma", "moderates", "deactivated",
	"prepared", "groups"}, BanFields...)

// RoleAt returns the role of a user at a time, from the fields role and roleUntil.
func RoleAt(f Fields, now forum.Time) forum.Role {
	return forum.Role(f["role"]).At(f.Time("roleUntil"), now)
}

// ParseViewer returns a user who is signed in, with the role at a time, without the session.
func ParseViewer(id forum.UserID, f Fields, now forum.Time) *forum.Viewer {
	v := &forum.Viewer{ID: id, Role: RoleAt(f, now), CreatedAt: f.Time("created"), Karma: f.Int("karma"),
		Moderates: ParseIDs[forum.CategoryID](f["moderates"]), Ban: ParseBan(f),
		Prepared: f["prepared"] != ""}
	v.Join(ParseMemberships(f["groups"]), now)
	if v.Role != forum.RoleUser {
		v.RoleEnds = f.Time("roleUntil")
	}
	return v
}

// BanFields are the fields of a user that ParseBan needs.
var BanFields = []string{"ban", "banUntil", "banReason", "banAct"}

// ParseBan returns what a user is banned from, which may have ended; nil for nothing.
func ParseBan(f Fields) *forum.Ban {
	if f["ban"] == "" {
		return nil
	}
	return &forum.Ban{Scope: forum.BanScope(f["ban"]), Until: f.Time("banUntil"),
		Grounds: forum.Grounds{Reason: forum.Reason(f["banReason"])}, Act: forum.ActID(f.Int("banAct"))}
}
