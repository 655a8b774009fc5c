package process

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// input is that of a mutation.
type input = map[string]any

// mirrorOp is something that a client does as a member, or as one of the staff.
type mirrorOp struct {
	weight int
	do     func(w *mirrorRun, by mirrorMember)
}

// mirrorOps are all that clients do.
var mirrorOps = []mirrorOp{
	{8, (*mirrorRun).createTopic},
	{22, (*mirrorRun).createComment},
	{6, (*mirrorRun).updateTopic},
	{6, (*mirrorRun).updateComment},
	{2, (*mirrorRun).deleteTopic},
	{4, (*mirrorRun).deleteComment},
	{5, (*mirrorRun).tagTopic},
	{12, (*mirrorRun).vote},
	{2, (*mirrorRun).recordClicks},
	{14, (*mirrorRun).moderate},
	{3, (*mirrorRun).redact},
	{4, (*mirrorRun).report},
	{3, (*mirrorRun).resolveReports},
	{4, (*mirrorRun).revertAct},
	{5, (*mirrorRun).sanction},
	{1, (*mirrorRun).hidePosts},
	{1, (*mirrorRun).createCategory},
	{2, (*mirrorRun).changeSection},
	{1, (*mirrorRun).createTab},
	{2, (*mirrorRun).setModerators},
	{1, (*mirrorRun).setRole},
	{2, (*mirrorRun).updateRules},
	{1, (*mirrorRun).updateBlocklist},
	{4, (*mirrorRun).register},
	{2, (*mirrorRun).resolveApplication},
	{4, (*mirrorRun).updateProfile},
	{2, (*mirrorRun).changeNames},
	{1, (*mirrorRun).deleteMember},
	{3, (*mirrorRun).upsertUser},
	{4, (*mirrorRun).signIn},
	{2, (*mirrorRun).linkAccount},
	{6, (*mirrorRun).relate},
}

func (w *mirrorRun) createTopic(by mirrorMember) {
	name := w.name("Topic ")
	in := input{"title": name, "content": mirrorText(name), "category": w.place(), "tags": []string{oneOf("red", "green"),
		fmt.Sprint("t", rand.IntN(20))}}
	switch rand.IntN(6) {
	case 0:
		in["kind"], in["link"] = "ARTICLE", "https://example.org/"+strings.ReplaceAll(name, " ", "-")
	case 1:
		in = input{"kind": "STATUS", "content": name + " of @" + by.login}
	}
	if rand.IntN(3) == 0 {
		in["idempotencyKey"] = name
	}
	if p := w.try("createTopic", by, "topic { id }", in); p.Topic != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.posts = append(w.posts, mirrorPost{id: p.Topic.ID, by: by})
	}
}

// mirrorText returns a text, which may be long.
func mirrorText(about string) string {
	return fmt.Sprintf("About %s, @member%d. %s", about, rand.IntN(mirrorClients), strings.Repeat("More of it. ", oneOf(0, 0, 5, 200)))
}

func (w *mirrorRun) createComment(by mirrorMember) {
	topic, ok := anyOf(w, &w.posts)
	if !ok {
		return
	}
	in := input{"topicId": topic.id, "content": mirrorText(w.name("comment "))}
	if parent, ok := anyOf(w, &w.replies); ok && rand.IntN(2) == 0 {
		topic.id = parent.topic
		in["topicId"], in["parentId"] = parent.topic, parent.id
	}
	if p := w.try("createComment", by, "comment { id }", in); p.Comment != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.replies = append(w.replies, mirrorPost{p.Comment.ID, by, topic.id})
	}
}

func (w *mirrorRun) updateTopic(mirrorMember) {
	p, _ := anyOf(w, &w.posts)
	in := input{"topicId": p.id, "content": mirrorText(w.name("edit "))}
	if rand.IntN(2) == 0 {
		in["title"] = w.name("Edited ")
	}
	if rand.IntN(3) == 0 {
		in["category"] = w.place()
	}
	by := p.by
	if rand.IntN(4) == 0 {
		by, in["reason"] = w.staff(), "OTHER"
	}
	w.try("updateTopic", by, "topic { id }", in)
}

func (w *mirrorRun) updateComment(mirrorMember) {
	p, _ := anyOf(w, &w.replies)
	w.try("updateComment", p.by, "comment { id }", input{"commentId": p.id, "content": mirrorText(w.name("edit "))})
}

func (w *mirrorRun) deleteTopic(mirrorMember) {
	p, _ := anyOf(w, &w.posts)
	w.try("deleteTopic", p.by, "", input{"topicId": p.id})
}

func (w *mirrorRun) deleteComment(mirrorMember) {
	p, _ := anyOf(w, &w.replies)
	w.try("deleteComment", p.by, "", input{"commentId": p.id})
}

func (w *mirrorRun) tagTopic(mirrorMember) {
	p, _ := anyOf(w, &w.posts)
	list := oneOf("add", "remove")
	in := input{"topicId": p.id, list: []string{oneOf("red", "green", "blue"), fmt.Sprint("t", rand.IntN(20))}}
	by := p.by
	if rand.IntN(3) == 0 {
		by, in["reason"] = w.staff(), "OTHER"
	}
	w.try("tagTopic", by, "topic { id }", in)
}

// post returns a topic or comment.
func (w *mirrorRun) post() mirrorPost {
	p, _ := anyOf(w, oneOf(&w.posts, &w.replies))
	return p
}

func (w *mirrorRun) vote(by mirrorMember) {
	w.try("vote", by, "", input{"subjectId": w.post().id, "direction": oneOf("UP", "UP", "DOWN", "NONE")})
}

func (w *mirrorRun) recordClicks(by mirrorMember) {
	p, _ := anyOf(w, &w.posts)
	w.try("recordClicks", by, "", input{"topicIds": []string{p.id}})
}

func (w *mirrorRun) moderate(mirrorMember) {
	in := input{"subjectId": w.post().id, "action": oneOf("LOCK", "UNLOCK", "UNLOCK", "HIDE", "RESTORE", "RESTORE", "PIN", "UNPIN", "MOVE"),
		"reason": "OTHER"}
	if in["action"] == "MOVE" {
		in["category"] = w.place()
	}
	if in["action"] == "PIN" || in["action"] == "UNPIN" {
		in["place"] = oneOf("FRONT", "CATEGORY")
	}
	w.acts("moderate", w.staff(), in)
}

// acts does something as a moderator, and notes the act.
func (w *mirrorRun) acts(mutation string, by mirrorMember, in input) {
	if p := w.try(mutation, by, "act { id }", in); p.Act != nil {
		w.note(&w.acted, p.Act.ID)
	}
}

func (w *mirrorRun) redact(mirrorMember) {
	w.acts("redactRevision", w.staff(), input{"subjectId": w.post().id, "number": 1 + rand.IntN(3), "redacted": rand.IntN(3) > 0,
		"reason": "OTHER"})
}

func (w *mirrorRun) report(by mirrorMember) {
	subject := w.post().id
	if rand.IntN(4) == 0 {
		subject = w.user()
	}
	w.try("report", by, "", input{"subjectId": subject, "reason": oneOf("SPAM", "ABUSE"), "note": oneOf("", "a note")})
}

// user returns the id of a user.
func (w *mirrorRun) user() string {
	if id, ok := anyOf(w, &w.all); ok && rand.IntN(2) == 0 {
		return id
	}
	by, _ := anyOf(w, &w.members)
	return by.id
}

func (w *mirrorRun) resolveReports(mirrorMember) {
	subject := w.post().id
	if rand.IntN(4) == 0 {
		subject = w.user()
	}
	w.acts("resolveReports", w.staff(), input{"subjectId": subject, "throughReport": 1 + rand.IntN(2),
		"outcome": oneOf("UPHELD", "DISMISSED")})
}

func (w *mirrorRun) revertAct(mirrorMember) {
	if id, ok := anyOf(w, &w.acted); ok {
		w.acts("revertAct", w.staff(), input{"actId": id, "reason": "OTHER"})
	}
}

func (w *mirrorRun) sanction(mirrorMember) {
	switch id := w.user(); rand.IntN(4) {
	case 0:
		w.acts("warn", w.staff(), input{"userId": id, "reason": "ABUSE"})
	case 1:
		w.acts("ban", w.staff(), input{"userId": id, "reason": "ABUSE", "scope": oneOf("POST", "SIGN_IN"),
			"until": time.Now().Add(3 * time.Second).UTC().Format(time.RFC3339)})
	default:
		w.acts("unban", w.staff(), input{"userId": id, "reason": "OTHER"})
	}
}

func (w *mirrorRun) hidePosts(mirrorMember) {
	w.acts("hidePosts", w.staff(), input{"userId": w.user(), "reason": "SPAM"})
}

// changeNames changes the login or the e-mail of a member, or the password.
func (w *mirrorRun) changeNames(by mirrorMember) {
	const password = "a good password"
	switch rand.IntN(3) {
	case 0:
		w.try("changeLogin", by, "", input{"password": password, "login": w.name("renamed")})
	case 1:
		w.try("changeEmail", by, "", input{"password": password, "email": w.name("mail") + "@example.com"})
	case 2:
		w.try("changePassword", by, "", input{"currentPassword": password, "newPassword": password})
	}
}

func (w *mirrorRun) updateProfile(by mirrorMember) {
	in := input{oneOf("name", "bio"): w.name("New ")}
	switch rand.IntN(3) {
	case 0:
		in["website"] = "https://example.org/" + by.login
	case 1:
		in["isBot"] = rand.IntN(2) == 0
	}
	w.try("updateProfile", by, "", in)
}
