package record

import (
	"fmt"
	"strconv"
	"strings"

	"agora/internal/forum"
)

// Audience is those who follow one target, as far as a topic has not come to them yet.
type Audience struct {
	Target forum.Target
	After  *forum.Position
}

// String is how an audience stands in the cursor of a task: "u5" or "u5@score:member".
func (a Audience) String() string {
	name := FollowEdge(0, a.Target).target()
	if a.After == nil {
		return name
	}
	return name + "@" + FormatMicros(a.After.Score) + ":" + a.After.Member
}

// Whole is the audience from its beginning.
func (a Audience) Whole() Audience { return Audience{Target: a.Target} }

// ParseAudience reads what String wrote.
func ParseAudience(s string) (Audience, error) {
	name, at, has := strings.Cut(s, "@")
	e, err := ParseEdge("1:" + name)
	if err != nil || e.Kind == BlockUser {
		return Audience{}, fmt.Errorf("%q is no audience", s)
	}
	a := Audience{Target: e.follows()}
	if has {
		score, member, _ := strings.Cut(at, ":")
		n, err := strconv.ParseFloat(score, 64)
		if err != nil {
			return Audience{}, fmt.Errorf("%q is no audience", s)
		}
		a.After = &forum.Position{Score: n, Member: member}
	}
	return a, nil
}

// EncodeAudiences writes audiences as the cursor of a task.
func EncodeAudiences(all []Audience) string {
	texts := make([]string, len(all))
	for i, a := range all {
		texts[i] = a.String()
	}
	return strings.Join(texts, " ")
}
