package record

import (
	"errors"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// ActFields are the fields of an act that ParseAct needs.
var ActFields = []string{"kind", "subject", "member", "by", "reason", "note", "created", "reverses", "reversedBy",
	"detail"}

// EncodeActSubject formats the subject of an act: "c<comment>", "t<topic>", "u<user>", "k<category>", "b<tab>", "s" for
// the site.
func EncodeActSubject(s forum.Subject) string {
	switch {
	case s.Site:
		return "s"
	case s.User != 0:
		return "u" + key.Itoa(s.User)
	case s.Category != 0:
		return "k" + key.Itoa(s.Category)
	case s.Tab != 0:
		return "b" + key.Itoa(s.Tab)
	}
	return EncodeSubject(s)
}

// ParseActSubject parses the result of EncodeActSubject.
func ParseActSubject(text string) (forum.Subject, error) {
	if text == "s" {
		return forum.Subject{Site: true}, nil
	}
	if len(text) > 1 {
		id, err := forum.ParseID[int64](text[1:])
		switch text[0] {
		case 'u':
			return forum.Subject{User: forum.UserID(id)}, err
		case 'k':
			return forum.Subject{Category: forum.CategoryID(id)}, err
		case 'b':
			return forum.Subject{Tab: forum.TabID(id)}, err
		}
	}
	s, err := ParseSubject(text)
	if s.User != 0 || s.Act != 0 {
		err = errNoSubject
	}
	return s, err
}

// ParseAct returns an act with these fields.
func ParseAct(id forum.ActID, f Fields) (*forum.Act, error) {
	subject, err := ParseActSubject(f["subject"])
	a := &forum.Act{
		ID: id, Kind: forum.ActKind(f["kind"]), Subject: subject, Member: forum.UserID(f.Int("member")),
		By: forum.UserID(f.Int("by")), CreatedAt: f.Time("created"),
		Grounds:  forum.Grounds{Reason: forum.Reason(f["reason"]), Note: f["note"]},
		Reverses: forum.ActID(f.Int("reverses")), ReversedBy: forum.ActID(f.Int("reversedBy")), Detail: f["detail"],
	}
	if err == nil && (!slices.Contains(forum.ActKinds, a.Kind) || !slices.Contains(forum.Reasons, a.Reason)) {
		err = errNoAct
	}
	return a, err
}

var errNoAct = errors.New("unknown kind or reason of an act")
