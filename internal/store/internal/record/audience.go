package record

import (
	"fmt"
	"strconv"
	"strings"

	"agora/internal/forum"
)

// Audience is the followers of one target that a topic has not reached yet.
type Audience struct {
	Target forum.Target
	After  *forum.Position
}

// String formats an audience as in the cursor of a task: "u5" or "u5@score:member".
func (a Audience) String() string {
	name := FollowEdge(0, a.Target).target()
	if a.After == nil {
		return name
	}
	return name + "@" + FormatMicros(a.After.Score) + ":" + a.After.Member
}

// Whole returns the audience from its beginning.
func (a Audience) Whole() Audience { return Audience{Target: a.Target} }

// ParseAudience parses the result of String.
func ParseAudience(s string) (Audience, error) {
	name, at, has := strings.Cut(s, "@")
	e, err := ParseEdge("1:" + name)
	if err != nil || e.Kind == BlockUser || e.OnTopic() {
		return Audience{}, fmt.Errorf("invalid audience %q", s)
	}
	a := Audience{Target: e.follows()}
	if has {
		score, member, _ := strings.Cut(at, ":")
		n, err := strconv.ParseFloat(score, 64)
		if err != nil {
			return Audience{}, fmt.Errorf("invalid audience %q", s)
		}
		a.After = &forum.Position{Score: n, Member: member}
	}
	return a, nil
}

// EncodeAudiences formats audiences as the cursor of a task.
func EncodeAudiences(all []Audience) string {
	texts := make([]string, len(all))
	for i, a := range all {
		texts[i] = a.String()
	}
	return strings.Join(texts, " ")
}
