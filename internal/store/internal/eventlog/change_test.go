package eventlog

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testseed"
	_ "agora/internal/test/testseed"
)

// The test runs a script of a package that imports this one.
var _ = script.Add(os.DirFS("../../votes"))

func TestChangesAfterAPosition(t *testing.T) {
	row := func(at float64, member string) redis.Z { return redis.Z{Score: at, Member: member} }
	at := func(major, minor int64) record.LogPosition { return record.LogPosition{Major: major, Minor: minor} }
	tests := []struct {
		name  string
		rows  []redis.Z
		last  int64
		after record.LogPosition
		want  string
	}{
		{"nothing ever", nil, 0, at(0, 0), ""},
		{"the first ones", []redis.Z{row(20, "1:7"), row(23, "2:8")}, 23, at(0, 0), "CHANGED7 REMOVED8"},
		{"nothing new", []redis.Z{row(20, "1:7")}, 20, at(20, 7), ""},
		{"another one", []redis.Z{row(20, "1:7"), row(22, "2:8")}, 22, at(20, 7), "CHANGED8"},
		{"the same again", []redis.Z{row(22, "1:7")}, 22, at(20, 7), "CHANGED7"},
		{"trimmed before", []redis.Z{row(22, "2:8")}, 22, at(20, 0), "CHANGED8"},
		{"trimmed up to there", []redis.Z{row(20, "-"), row(22, "2:8")}, 22, at(20, 7), "CHANGED8"},
		{"trimmed after", []redis.Z{row(22, "-"), row(24, "2:8")}, 24, at(20, 7), "lost"},
		{"expired, nothing new", nil, 20, at(20, 7), ""},
		{"expired with a new one", nil, 22, at(20, 7), "lost"},
		{"first one after an expiry", []redis.Z{row(20, "-"), row(24, "2:8")}, 24, at(20, 0), "CHANGED8"},
		{"Redis lost the last", []redis.Z{}, 18, at(20, 7), "lost"},
		{"Redis lost the last, and others came", []redis.Z{row(24, "2:8")}, 24, at(20, 7), "lost"},
		{"first change in data of earlier versions", []redis.Z{row(24, "2:8")}, 24, at(0, 0), "CHANGED8"},
	}
	for _, tt := range tests {
		if got := shown(changesAfter(tt.rows, tt.last, tt.after, 256)); got != tt.want {
			t.Errorf("%s: %q; want %q", tt.name, got, tt.want)
		}
	}
}

func shown(p record.Part) string {
	if p.Lost {
		return "lost"
	}
	var all []string
	for _, e := range p.Entries {
		all = append(all, fmt.Sprint(e.Kind, e.ID))
	}
	return strings.Join(all, " ")
}

// Whatever is changed in whatever order, by clocks that may be behind, what comes after any position is the latest
// change of each comment changed since, in order, or lost if more comments were changed than are kept.
func TestLatestChangesAgreeWithAModel(t *testing.T) {
	const kept, comments = 4, 7
	r := rand.New(rand.NewPCG(testseed.First(), 0))
	ctx, topic := t.Context(), forum.TopicID(519)
	rdb := pipeline.NewClient(redistest.New(t), pipeline.Options{})
	log := Changes(topic)
	rdb.Redis.HSet(ctx, key.Topic(topic), "state", "OPEN", "author", "1")
	for id := range comments {
		rdb.Redis.HSet(ctx, key.Comment(comment(id)), "topic", "519", "floor", id+1)
	}
	type place struct {
		at      record.LogPosition
		changes int // before it
	}
	var changed []forum.CommentID
	places := []place{{}}
	for step := range 400 {
		id := comment(r.IntN(comments))
		call := script.CommentVote{
			CommentChanged: script.CommentChanged{Changes: key.Changes(topic), ChangesMost: kept,
				ChangedAt: forum.Time(1000 + step/3 - r.IntN(50)), ChangesLife: time.Hour},
			Comment: key.Comment(id), Topic: key.Topic(topic), Upvoters: key.Upvoters(key.Comment(id)),
			Downvoters: key.Downvoters(key.Comment(id)), TopicVotes: key.CommentVotes(key.Topic(topic)), ID: id,
			User: forum.UserID(step + 2), Want: forum.VoteUp, Users: key.UserPrefix(topic.Partition()),
		}
		must.OK(t, rdb.Run(ctx, call).Err())
		changed = append(changed, id)
		p := places[r.IntN(len(places))]
		b := rdb.Batch()
		end, since := log.End(ctx, b), log.Since(ctx, b, p.at, 256)
		must.OK(t, b.Exec(ctx))
		part, err := since()
		latest := latestOf(changed[p.changes:])
		got, want := shown(part), strings.Join(latest, " ")
		// Until the first is trimmed there is room for one more.
		if len(latest) > kept+1 || len(latest) == kept+1 && got == "lost" {
			want = "lost"
		}
		if err != nil || got != want {
			t.Fatalf("step %d: after %d changes %q, %v; want %q", step, p.changes, got, err, want)
		}
		at := must.Do(end())(t)
		places = append(places, place{at, len(changed)})
	}
}

func comment(n int) forum.CommentID { return forum.CommentID(256*(n+10) + 7) }

// latestOf returns what is to be read of changes: the latest of each comment.
func latestOf(changed []forum.CommentID) []string {
	latest := []string{}
	for i, id := range changed {
		if !slices.Contains(changed[i+1:], id) {
			latest = append(latest, fmt.Sprint(forum.EventChanged, id))
		}
	}
	return latest
}
