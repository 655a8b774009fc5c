package record

import (
	"strconv"
	"strings"

	"agora/internal/forum"
)

// SessionProvenance returns what is stored of a session after its end: ":proved:origin".
func SessionProvenance(p forum.Provenance) string {
	return ":" + strconv.FormatInt(int64(p.ProvedAt), 10) + ":" + p.Origin
}

// DecodeSession parses "created seen ends:proved:origin userAgent"; those of earlier versions have no ":proved:origin".
func DecodeSession(user forum.UserID, digest, value string) (*forum.Session, bool) {
	parts := strings.SplitN(value, " ", 4)
	if len(parts) != 4 {
		return nil, false
	}
	ends, after, _ := strings.Cut(parts[2], ":")
	proved, origin, _ := strings.Cut(after, ":")
	f := Fields{"created": parts[0], "seen": parts[1], "ends": ends, "proved": proved}
	return &forum.Session{
		User: user, Digest: digest, CreatedAt: f.Time("created"), SeenAt: f.Time("seen"), EndsAt: f.Time("ends"),
		UserAgent: parts[3], Provenance: forum.Provenance{Origin: origin, ProvedAt: f.Time("proved")},
	}, true
}

// ViewerFields are the fields of a user that ParseViewer needs.
var ViewerFields = append([]string{"state", "role", "roleUntil", "created", "karma", "moderates", "deactivated"}, BanFields...)

// RoleAt returns the role of a user at a time, from the fields role and roleUntil.
func RoleAt(f Fields, now forum.Time) forum.Role {
	return forum.Role(f["role"]).At(f.Time("roleUntil"), now)
}

// ParseViewer returns a user who is signed in, with the role at a time, without the session.
func ParseViewer(id forum.UserID, f Fields, now forum.Time) *forum.Viewer {
	v := &forum.Viewer{ID: id, Role: RoleAt(f, now), CreatedAt: f.Time("created"), Karma: f.Int("karma"),
		Moderates: ParseIDs[forum.CategoryID](f["moderates"]), Ban: ParseBan(f)}
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
