package graph_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// takeout is what a take-out has: by the names of the files, their lines.
type takeout map[string][]map[string]any

// get sends a request to an address of the site, and returns the status and the body.
func (s *site) get(method, url string) (int, http.Header, []byte) {
	s.t.Helper()
	req := must.Do(http.NewRequest(method, s.url+url, nil))(s.t)
	resp := must.Do(http.DefaultClient.Do(req))(s.t)
	defer resp.Body.Close()
	return resp.StatusCode, resp.Header, must.Do(io.ReadAll(resp.Body))(s.t)
}

// takeout downloads what is kept about a user.
func (s *site) takeout(token string, in input) takeout {
	s.t.Helper()
	a := s.mutate(token, "exportAccount", in, "url expiresAt")
	s.wantVerdict("exportAccount", a, "")
	status, header, body := s.get("GET", a.text("exportAccount", "url"))
	if status != 200 || header.Get("Content-Type") != "application/zip" || header.Get("Cache-Control") != "no-store" ||
		!strings.HasPrefix(header.Get("Content-Disposition"), "attachment;") {
		s.t.Fatalf("the download is %d with %v: %.200s\n%s", status, header, body, s.log)
	}
	z := must.Do(zip.NewReader(bytes.NewReader(body), int64(len(body))))(s.t)
	found := takeout{}
	for _, f := range z.File {
		text := must.Do(io.ReadAll(must.Do(f.Open())(s.t)))(s.t)
		if name, ok := strings.CutSuffix(f.Name, ".jsonl"); ok {
			found[name] = nil
			for line := range strings.Lines(string(text)) {
				var object map[string]any
				if err := json.Unmarshal([]byte(line), &object); err != nil {
					s.t.Errorf("%s: %v: %s", f.Name, err, line)
				}
				found[name] = append(found[name], object)
			}
		} else if f.Name != "README.txt" || !strings.Contains(string(text), "topics.jsonl") {
			s.t.Errorf("the file %s has %q", f.Name, text)
		}
	}
	return found
}

// of returns a member of all lines of a file, sorted.
func (t takeout) of(file, member string) (all []string) {
	for _, line := range t[file] {
		all = append(all, fmt.Sprint(line[member]))
	}
	slices.Sort(all)
	return all
}

func sorted(all ...string) []string { return slices.Sorted(slices.Values(all)) }

// A take-out has what a member wrote, also what nobody else sees, and what the member did.
func TestTakeout(t *testing.T) {
	b := newFullSite(t)
	root := b.admin("ada")
	do := func(token, field string, in input) answer {
		t.Helper()
		a := b.mutate(token, field, in, "")
		b.wantVerdict(field, a, "")
		return a
	}
	b.clock.Advance(3600 * second)
	do(b.ann, "updateTopic", input{"topicId": b.other, "content": "Other words"})
	do(b.ann, "vote", input{"subjectId": b.bobs(t), "direction": "DOWN"})
	do(b.bob, "vote", input{"subjectId": b.comment, "direction": "UP"})
	for _, target := range []string{b.userID(b.bob), b.tea} {
		do(b.ann, "follow", input{"targetId": target})
	}
	do(b.ann, "block", input{"userId": b.userID(b.mod)})
	do(b.ann, "bookmark", input{"topicId": b.other})
	do(b.ann, "watch", input{"topicId": b.topic})
	do(b.ann, "markRead", input{"commentId": b.reply})
	list := b.mutate(b.ann, "createList", input{"name": "Friends"}, "list { id }").text("createList", "list", "id")
	do(b.ann, "updateListMembers", input{"listId": list, "add": []string{b.userID(b.bob)}})
	do(b.ann, "report", input{"subjectId": b.comment2(t), "reason": "SPAM", "note": "It is an advertisement"})
	do(b.bob, "report", input{"subjectId": b.reply, "reason": "ABUSE", "note": "a secret of bob"})
	do(b.mod, "moderate", input{"subjectId": b.reply, "action": "HIDE", "reason": "ABUSE", "note": "Be kind"})
	do(b.mod, "moderate", input{"subjectId": b.foreign, "action": "LOCK", "reason": "OTHER"})
	b.settle()

	x := b.takeout(b.ann, input{})
	wantEqual(t, "topics", x.of("topics", "id"), sorted(b.topic, b.other))
	wantEqual(t, "comments", x.of("comments", "id"), sorted(b.comment, b.reply, b.foreign, b.lost))
	wantEqual(t, "their texts", x.of("comments", "content"),
		sorted("Some words", "Some words", "Some words", "Some words"))
	wantEqual(t, "revisions", x.of("revisions", "content"), sorted("Other words", x["revisions"][1]["content"].(string)))
	wantEqual(t, "votes", x.of("votes", "vote"), sorted("DOWN"))
	wantEqual(t, "follows", x.of("follows", "id"), sorted(b.userID(b.bob), b.tea))
	wantEqual(t, "blocks", x.of("blocks", "login"), sorted("mia"))
	wantEqual(t, "bookmarks", x.of("bookmarks", "id"), sorted(b.other))
	wantEqual(t, "watched", x.of("watched", "id"), sorted(b.topic))
	wantEqual(t, "read marks", x.of("read-marks", "readThrough"), sorted("2"))
	wantEqual(t, "lists", x.of("lists", "name"), sorted("Friends"))
	wantEqual(t, "list members", x.of("list-members", "list"), sorted(list))
	wantEqual(t, "reports", x.of("reports", "note"), sorted("It is an advertisement"))
	wantEqual(t, "acts", x.of("moderation", "note"), sorted("Be kind", "<nil>"))
	wantEqual(t, "sessions", len(x["sessions"]) > 0, true)
	wantEqual(t, "the account", x["account"][0]["email"], any("ann@example.com"))
	if all := fmt.Sprint(x); strings.Contains(all, "a secret of bob") || strings.Contains(all, "bob@") {
		t.Errorf("the take-out has what others do not show: %s", all)
	}
	other := b.takeout(root, input{"userId": b.userID(b.bob)})
	wantEqual(t, "of another user, by an administrator", other.of("reports", "note"), sorted("a secret of bob"))
	wantEqual(t, "of a moderator", b.takeout(b.mod, input{}).of("comments", "id"), []string(nil))
}

// bobs is a comment of bob.
func (b *fullSite) bobs(t *testing.T) string {
	t.Helper()
	return b.site.comment(b.bob, b.topic, "", "A shop")
}

// comment2 is another one.
func (b *fullSite) comment2(t *testing.T) string {
	t.Helper()
	return b.site.comment(b.bob, b.other, "", "Another shop")
}

// An address is good for one GET and for ten minutes, and replaces an earlier one; who may not have it gets none.
func TestTakeoutAddresses(t *testing.T) {
	b := newFullSite(t)
	root := b.admin("ada")
	address := func(token string, in input) string {
		t.Helper()
		a := b.mutate(token, "exportAccount", in, "url")
		b.wantVerdict("exportAccount", a, "")
		return a.text("exportAccount", "url")
	}
	want := func(what, method, url string, status int) {
		t.Helper()
		got, _, body := b.get(method, url)
		wantEqual(t, what, got, status)
		if strings.Contains(string(body), "jsonl") != (status == 200 && method == "GET") {
			t.Errorf("%s: the body is %.100s", what, body)
		}
	}
	own, program := b.apiToken(b.ann, forum.ScopeExport), b.apiToken(root, forum.ScopeExport)
	first := address(b.ann, input{})
	second := address(b.ann, input{})
	want("an address that was replaced", "GET", first, 404)
	want("a HEAD", "HEAD", second, 200)
	want("a POST", "POST", second, 405)
	b.clock.Advance(forum.TakeoutLife - time.Millisecond)
	want("the first GET", "GET", second, 200)
	want("the second GET", "GET", second, 404)
	want("a HEAD of a used address", "HEAD", second, 404)
	third := address(b.ann, input{})
	b.clock.Advance(forum.TakeoutLife)
	want("an address after ten minutes", "GET", third, 404)
	for _, bad := range []string{"/takeout/", "/takeout/x", "/takeout/" + b.ann, third + "x", "/takeout/" + program} {
		want(bad, "GET", bad, 404)
	}

	ann, bob := b.userID(b.ann), input{"userId": b.userID(b.bob)}
	wantEqual(t, "of another, by a member", b.mutate(b.ann, "exportAccount", bob, "").code(), "FORBIDDEN")
	wantEqual(t, "of another, by a moderator", b.mutate(b.mod, "exportAccount", bob, "").code(), "FORBIDDEN")
	wantEqual(t, "signed out", b.mutate("", "exportAccount", input{}, "").code(), "UNAUTHENTICATED")
	without := b.apiToken(b.ann, forum.ScopeRead, forum.ScopeProfile)
	wantEqual(t, "without the scope", b.mutate(without, "exportAccount", input{}, "").code(), "SCOPE_MISSING")
	want("with the scope", "GET", address(own, input{}), 200)
	wantEqual(t, "of another, by a member's token", b.mutate(own, "exportAccount", bob, "").code(), "FORBIDDEN")
	want("of another, by an administrator's token", "GET", address(program, bob), 200)

	b.wantVerdict("ban", b.mutate(root, "ban", input{"userId": ann, "scope": "POST", "reason": "SPAM"}, ""), "")
	want("of a member who is banned from posting", "GET", address(b.ann, input{}), 200)
	b.wantVerdict("ban", b.mutate(root, "ban", input{"userId": ann, "scope": "SIGN_IN", "reason": "SPAM"}, ""), "")
	want("of a banned member, by an administrator", "GET", address(root, input{"userId": ann}), 200)
	last := address(root, bob)
	b.wantVerdict("deleteUser", b.mutate(root, "deleteUser", bob, ""), "")
	want("of a deleted account", "GET", last, 404)
	b.wantVerdict("of a deleted account", b.mutate(root, "exportAccount", bob, ""), "NOT_FOUND input.userId")
}

// imported imports that many topics of ann, with a text of that many random bytes in hexadecimal digits.
func (b *fullSite) imported(n, size int) {
	b.t.Helper()
	im, text := b.store.Import(), make([]byte, size)
	for at := 0; at < n; at += 100 {
		var in []posts.NewTopic
		for i := range 100 {
			rand.Read(text)
			in = append(in, posts.NewTopic{Author: userOf(b.ann), Kind: forum.Discussion, Title: "A topic",
				Content: hex.EncodeToString(text), Format: forum.Markdown, Category: key[forum.CategoryID](b.tea),
				CreatedAt: b.store.Engine.Now(), Source: fmt.Sprintf("old:%d", at+i)})
		}
		must.Do(im.Topics(b.t.Context(), in))(b.t)
	}
}

// All of many posts are in a take-out, each once.
func TestTakeoutOfManyPosts(t *testing.T) {
	testlevel.Usual(t)
	b := newFullSite(t)
	b.imported(10_000, 500)
	ids := b.takeout(b.ann, input{}).of("topics", "id")
	if n := len(slices.Compact(ids)); n != 10_002 || len(ids) != n {
		t.Errorf("%d of %d topics are different ones; want 10,002", n, len(ids))
	}
}

// A client that goes away in the middle ends the work, uses the address up, and lets another take-out begin; what it
// has got is no ZIP file.
func TestTakeoutIsBrokenOff(t *testing.T) {
	testlevel.Usual(t)
	b := newFullSite(t)
	b.imported(1000, 10_000) // more than the buffers of a connection hold
	url := b.mutate(b.ann, "exportAccount", input{}, "url").text("exportAccount", "url")
	ctx, cancel := context.WithCancel(t.Context())
	resp := must.Do(http.DefaultClient.Do(must.Do(http.NewRequestWithContext(ctx, "GET", b.url+url, nil))(t)))(t)
	got := make([]byte, 100)
	must.Do(io.ReadFull(resp.Body, got))(t)
	wantEqual(t, "another one meanwhile", b.mutate(b.ann, "exportAccount", input{}, "").verdict() != "", true)
	cancel()
	resp.Body.Close()
	if _, err := zip.NewReader(bytes.NewReader(got), int64(len(got))); err == nil {
		t.Error("a part of the file is a ZIP file")
	}
	wait.Until(t, "another take-out", func() bool { return b.mutate(b.ann, "exportAccount", input{}, "").verdict() == "" })
	status, _, _ := b.get("GET", url)
	wantEqual(t, "the address", status, 404)
}
