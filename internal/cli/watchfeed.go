package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// feedShown is the state of a watched feed. Every reply has a number that increases within its topic, so that none is
// shown twice, whether it arrives as an event, among the newest of its topic, or both.
type feedShown struct {
	id    string // of the topic or timeline; "" until requested
	after string // the event to resume after; "" before the first one
	since time.Time
	seen  map[string]int // the number of the last reply shown, by topic
}

// shownMost is how many topics are remembered.
const shownMost = 10_000

// shownTopic is a topic with its newest replies, the oldest first.
type shownTopic struct {
	ID           string
	Title        string
	CreatedAt    time.Time
	LastActiveAt time.Time
	Author       struct{ Login string }
	Comments     struct{ Nodes []shownComment }
}

type shownComment struct {
	Number    int
	Content   string
	CreatedAt time.Time
	DeletedAt *time.Time
	Author    struct{ Login string }
}

// The operations. A topic is read with its newest replies, because several quick ones may move it only once.
const (
	commentFields = `fragment C on Comment { number content createdAt deletedAt author { login } }`
	topicFields   = `fragment T on Topic { id title createdAt lastActiveAt author { login } comments(last: 10) { nodes { ...C } } } ` + commentFields

	queryByNumber = `query($number: Int!) { topic(by: {number: $number}) { ...T } } ` + topicFields
	queryByID     = `query($id: ID!) { topic(by: {id: $id}) { ...T } } ` + topicFields
	queryFront    = `query { front(orderBy: {field: ACTIVE}) { id topics(first: 1) { nodes { lastActiveAt } } } }`
	queryNewest   = `query { front(orderBy: {field: ACTIVE}) { topics(first: 20) { nodes { ...T } } } } ` + topicFields

	followTopic = `subscription($id: ID!, $after: String) {
		event: commentAdded(topic: {id: $id}, after: $after) { eventId kind comment { ...C topic { id title } } } } ` + commentFields
	followFront = `subscription($id: ID!, $after: String) {
		event: timelineUpdated(timelineId: $id, after: $after) { eventId kind edge { node { ...T } } } } ` + topicFields
)

// begin finds out what to watch, and which replies already exist.
func (w *watcher) begin(s *clientSocket) error {
	if w.show.id != "" {
		return nil
	}
	w.show.seen = map[string]int{}
	if w.topic == "" {
		var found struct {
			Front struct {
				ID     string
				Topics struct{ Nodes []shownTopic }
			}
		}
		if err := s.ask(queryFront, nil, &found); err != nil {
			return err
		}
		w.show.id = found.Front.ID
		for _, t := range found.Front.Topics.Nodes {
			w.show.since = t.LastActiveAt
		}
		return nil
	}
	var found struct{ Topic *shownTopic }
	query, variables := w.queryTopic()
	if err := s.ask(query, variables, &found); err != nil {
		return err
	}
	if found.Topic == nil {
		return final{fmt.Errorf("--topic: topic %s not found", oneLine(w.topic))}
	}
	w.show.id, w.show.seen[found.Topic.ID] = found.Topic.ID, 0
	for _, c := range found.Topic.Comments.Nodes {
		w.show.seen[found.Topic.ID] = c.Number
	}
	return nil
}

// queryTopic returns the query for the watched topic.
func (w *watcher) queryTopic() (query string, variables map[string]any) {
	if number, err := strconv.ParseInt(w.topic, 10, 32); err == nil {
		return queryByNumber, map[string]any{"number": number}
	}
	return queryByID, map[string]any{"id": w.topic}
}

// follow shows the events of the feed until the socket ends. Without an event to resume after, it asks for the newest
// replies once the subscription has started, while events wait.
func (w *watcher) follow(s *clientSocket) (heard bool, err error) {
	query := followFront
	if w.topic != "" {
		query = followTopic
	}
	variables := map[string]any{"id": w.show.id}
	if w.show.after != "" {
		variables["after"] = w.show.after
	}
	if err := s.run("events", query, variables); err != nil {
		return false, err
	}
	if w.show.after != "" {
		err = s.send("ping", "", nil) // its answer shows that the subscription has started
	} else if w.topic == "" {
		err = s.run("newest", queryNewest, nil)
	} else {
		query, variables := w.queryTopic()
		err = s.run("newest", query, variables)
	}
	waiting, ready := []socketMessage{}, w.show.after != ""
	for err == nil {
		var m socketMessage
		if m, err = s.read(silence); err != nil {
			break
		}
		switch {
		case m.Type == "pong":
			w.subscribed()
		case m.Type == "error":
			err = refusal(m)
		case m.ID == "newest" && m.Type == "next":
			err = w.newest(m.Payload)
		case m.ID == "newest":
			ready = true
			w.subscribed()
			for _, m := range waiting {
				if err == nil {
					err = w.event(m)
				}
			}
			waiting = nil
		case !ready:
			waiting = append(waiting, m)
		default:
			heard, err = true, w.event(m)
		}
	}
	return heard, err
}

// subscribed reports that from now on nothing is missed.
func (w *watcher) subscribed() {
	what := "all topics"
	if w.topic != "" {
		what = "topic " + oneLine(w.topic)
	}
	fmt.Fprintf(w.notes, "Watching %s at %s. Press Ctrl-C to stop.\n", what, w.server)
}

// newest shows what was posted before the subscription started.
func (w *watcher) newest(payload json.RawMessage) error {
	var got struct {
		Data struct {
			Topic *shownTopic
			Front struct {
				Topics struct{ Nodes []shownTopic }
			}
		}
		Errors []answerError
	}
	if err := json.Unmarshal(payload, &got); err != nil {
		return err
	}
	if err := errorOf(got.Errors); err != nil {
		return err
	}
	topics := got.Data.Front.Topics.Nodes
	if got.Data.Topic != nil {
		topics = append(topics, *got.Data.Topic)
	}
	for i := len(topics) - 1; i >= 0; i-- { // the most active topic is shown last
		w.topicMoved(topics[i])
	}
	return nil
}

// event shows the content of a message of the subscription.
func (w *watcher) event(m socketMessage) error {
	if m.Type == "complete" {
		return errors.New("the server has ended the subscription")
	}
	var got struct {
		Data *struct {
			Event struct {
				EventID string
				Kind    string
				Comment *struct {
					shownComment
					Topic shownTopic
				}
				Edge *struct{ Node shownTopic }
			}
		}
		Errors []answerError
	}
	if err := json.Unmarshal(m.Payload, &got); err != nil {
		return err
	}
	if got.Data == nil {
		return errorOf(got.Errors)
	}
	e := got.Data.Event
	w.show.after = e.EventID
	switch {
	case e.Kind == "RESET":
		return errReset
	case e.Comment != nil:
		w.reply(e.Comment.Topic, e.Comment.shownComment)
	case e.Edge != nil:
		w.topicMoved(e.Edge.Node)
	}
	return nil
}

// topicMoved shows the new replies of a topic.
func (w *watcher) topicMoved(t shownTopic) {
	last, known := w.show.seen[t.ID]
	if !known && t.CreatedAt.After(w.show.since) {
		w.print(t.CreatedAt, t.Title, t.Author.Login, "(new topic)")
	}
	for i, c := range t.Comments.Nodes {
		if i == 0 && known && c.Number > last+1 {
			w.print(c.CreatedAt, t.Title, "", fmt.Sprintf("(%d more)", c.Number-last-1))
		}
		w.reply(t, c)
	}
	if _, shown := w.show.seen[t.ID]; !shown && t.CreatedAt.After(w.show.since) {
		w.show.seen[t.ID] = 0
	}
}

// reply shows a reply, unless it was already shown.
func (w *watcher) reply(t shownTopic, c shownComment) {
	if last, known := w.show.seen[t.ID]; known && c.Number <= last || !known && !c.CreatedAt.After(w.show.since) {
		return
	}
	if len(w.show.seen) > shownMost { // newer replies follow
		w.show.seen, w.show.since = map[string]int{}, c.CreatedAt
	}
	w.show.seen[t.ID] = c.Number
	if c.DeletedAt == nil {
		w.print(c.CreatedAt, t.Title, c.Author.Login, c.Content)
	}
}

func (w *watcher) print(at time.Time, title, author, text string) {
	fmt.Fprintln(w.out, replyLine(w.width(), at, title, author, text))
}
