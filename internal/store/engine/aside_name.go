package engine

import (
	"slices"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/script"
)

// asideName names an object that a consumer has set aside.
type asideName struct {
	slot, consumer, object string
	is                     *setAside // nil unless it was read
}

// parseAsideName parses the name that administrators see: the key, a space, and the object.
func parseAsideName(name string) (of asideName, ok bool) {
	k, object, _ := strings.Cut(name, " ")
	read, ok := catalogue.ReadKey(k)
	if !ok || read.Name != "feed-aside" {
		return of, false
	}
	return asideName{slot: key.SlotPrefix(k), consumer: read.Text, object: object}, slices.Contains(key.FeedSlots, key.SlotPrefix(k))
}

// rows returns the objects that were set aside in a slot.
func (of asideName) rows(rows map[string]string) (names []deadName) {
	for object, row := range rows {
		if is, ok := parseAside(of.slot, object, row); ok {
			names = append(names, deadName{name: key.Aside(of.slot, of.consumer) + " " + object, since: is.since,
				aside: &asideName{of.slot, of.consumer, object, is}})
		}
	}
	return names
}

// task returns what administrators see.
func (of *asideName) task(name string) *forum.DeadTask {
	_, consumer, _ := strings.Cut(of.consumer, ":")
	work := "tell " + consumer + " what has changed"
	return &forum.DeadTask{Name: name, Since: of.is.since, Attempts: of.is.attempts, Failure: &of.is.failure, Work: &work,
		Subject: of.is.changes[0].Subject}
}

// retry returns the call that makes the object due.
func (of *asideName) retry(now forum.Time) script.ConsumerRetry {
	return script.ConsumerRetry{Consumers: key.Consumers(of.slot), Feed: key.Feed(of.slot),
		Aside: key.Aside(of.slot, of.consumer), Consumer: of.consumer, Now: now, Object: of.object}
}
