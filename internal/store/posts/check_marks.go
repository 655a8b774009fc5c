package posts

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// marks compares the read marks of an active user with the times of marking, and with topics. The last comment numbers
// of topics never fall, so each is at least as high as when the mark was read.
func (c checks) marks(l *check.Look) {
	id := forum.UserID(l.On.ID)
	k, marked := key.Marks(id), key.Marked(id)
	state, hash, set := l.Field(key.User(id), "state"), l.Hash(k), l.ZSet(marked)
	l.Wait()
	marks, times := hash.Val(), set.Val()
	at := check.Scores(times)
	if state.Val() != catalogue.UserActive {
		return
	}
	check.Each(l, slices.Collect(maps.Keys(marks)), func(l *check.Look, name string) {
		upTo := marks[name]
		if _, there := at[name]; !there {
			l.Add(RuleReadMarked, marked, check.Put(marked, name, float64(c.engine.Now())).Given(k),
				"%q has no time of marking", name)
		}
		most, valid := int64(c.engine.Now())+check.ExpirySlack.Milliseconds(), record.ValidReadMark(name)
		if valid && name[0] == 't' {
			topic, _ := forum.ParseID[forum.TopicID](name[1:])
			most = record.Atoi(l.Fetch(key.Topic(topic), "floor")["floor"]) // 0 if the topic does not exist
		}
		if f := (record.Fields{"at": upTo}); !valid || !f.IsWhole("at", 0) || record.Atoi(upTo) > most {
			l.Add(RuleReadMark, k, unmark(id, name), "%q is read up to %q", name, upTo)
		}
	})
	for name := range at {
		if _, there := marks[name]; !there {
			l.Add(RuleReadMarked, marked, unmark(id, name), "%q is not marked", name)
		}
	}
	var oldest []string
	for _, z := range times[:min(len(times), max(0, len(marks)-c.engine.Limits.ReadMarks))] {
		oldest = append(oldest, z.Member.(string))
	}
	l.AtMost(k, len(marks), c.engine.Limits.ReadMarks, unmark(id, oldest...))
}

// unmark returns a fix that deletes marks of a user.
func unmark(id forum.UserID, names ...string) check.Fix {
	return check.All(check.Unset(key.Marks(id), names...), check.Drop(key.Marked(id), names...))
}

// history checks the kept revisions of a topic or comment, if the key belongs to them: the last number is the present
// revision, and each other has a text.
func (c checks) history(l *check.Look, known catalogue.Key) {
	of := check.SubjectOf(known)
	if !strings.HasSuffix(l.On.Key, ":revisions") && !strings.HasSuffix(l.On.Key, ":texts") || of == (forum.Subject{}) {
		return
	}
	k := key.Revisions(of)
	revisions, kept, revision := l.ZSet(k), l.Next().HGetAll(l.Ctx, key.Texts(of)), l.Field(key.Subject(of), "revision")
	l.Wait()
	numbers, present := revisions.Val(), revision.Val()
	readable := map[string]bool{}
	for number, text := range kept.Val() {
		_, err := record.ParseRevision(of, text, func(int) error { return nil })
		readable[number] = err == nil
	}
	without, found := []string{}, map[string]bool{}
	for i, z := range numbers {
		number, _ := z.Member.(string)
		found[number] = true
		last := i == len(numbers)-1
		if record.Atoi(number) != int64(z.Score) || last != (number == present) || !last && !readable[number] {
			without = append(without, number)
		}
	}
	extra := slices.DeleteFunc(slices.Sorted(maps.Keys(readable)), func(number string) bool {
		return found[number] && number != present && readable[number]
	})
	if len(without)+len(extra) == 0 && (present != "" || len(found) == 0) && len(found) <= forum.MaxRevisions {
		return
	}
	restore := check.All(check.Drop(k, without...), check.Unset(key.Texts(of), extra...))
	if n, err := strconv.ParseFloat(present, 64); err == nil {
		restore = check.All(restore, check.Put(k, present, n))
	}
	l.Add(RuleRevisions, k, restore.Given(k, key.Texts(of), key.Subject(of)),
		"revision %q is present; %q have no text or place, %q no revision", present, without, extra)
}
