package process

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"

	"agora/internal/test/issuertest"
	"agora/internal/test/must"
)

const (
	// mirrorClients write concurrently.
	mirrorClients = 8
	// mirrorSecret signs tokens of the issuer mirrorIssuer.
	mirrorSecret = "a secret of thirty-two characters"
	mirrorIssuer = "https://www.example.org"
)

// mirrorRun is a site on which clients do at random whatever can be done. What becomes of it does not matter to them.
type mirrorRun struct {
	*killRun
	admin, chief mirrorMember // an administrator and a moderator
	n            atomic.Int64 // for new names

	// What there is, or was; guarded by mu of killRun.
	members                           []mirrorMember
	posts, replies                    []mirrorPost
	sections, tabs, acted, lists, all []string // categories, tabs, acts, lists, and users
}

// mirrorMember is a member, who may be banned, or gone.
type mirrorMember struct{ login, id, token string }

// mirrorPost is a topic or comment.
type mirrorPost struct {
	id    string
	by    mirrorMember
	topic string // of a comment
}

// newMirrorRun returns a run on a site, whose processes know the issuer. Nothing is done yet.
func newMirrorRun(s *killSite) *mirrorRun {
	w := &mirrorRun{killRun: newKillRun(s)}
	w.lossy = true // calls are refused as they may be
	file := filepath.Join(s.t.TempDir(), "agora.yml")
	must.OK(s.t, os.WriteFile(file, fmt.Appendf(nil, "issuers:\n  - issuer: %s\n    audience: %s\n    secret: %s\n"+
		"    claims: {login: nick, name: name}\n", mirrorIssuer, issuertest.Audience, mirrorSecret), 0o600))
	s.env = append(s.env, "AGORA_CONFIG="+file)
	return w
}

// furnish creates some members and categories, before anything is killed.
func (w *mirrorRun) furnish() {
	t := w.site.t
	w.admin, w.chief = w.enrol("boss"), w.enrol("chief")
	for login, role := range map[string]string{"boss": "ADMIN", "chief": "MODERATOR"} {
		if out, code := w.site.command("user", "set-role", login, role); code != 0 {
			t.Fatalf("user set-role: %s", out)
		}
	}
	for n := range mirrorClients {
		w.members = append(w.members, w.enrol(fmt.Sprintf("member%d", n)))
	}
	for range 3 {
		w.createCategory(w.members[0])
		w.createTopic(w.members[0])
	}
	if len(w.sections) == 0 {
		t.Fatal("there is no category")
	}
}

// enrol registers a member.
func (w *mirrorRun) enrol(login string) mirrorMember {
	in := newcomer(login)
	p := w.do(10*time.Second, "register", "", "token viewer { user { id } }", in)
	if p.Token == "" {
		w.site.t.Fatalf("%s is not registered", login)
	}
	return mirrorMember{login, p.Viewer.User.ID, p.Token}
}

// do sends a mutation, with what its payload shows beside the errors. Nobody minds if it fails.
func (w *mirrorRun) do(within time.Duration, mutation, token, shows string, input map[string]any) killPayload {
	query := fmt.Sprintf("mutation($i: %s%sInput!) { r: %s(input: $i) { %s errors { code } } }",
		strings.ToUpper(mutation[:1]), mutation[1:], mutation, shows)
	p, f, code := w.mutate(within, token, query, input)
	w.count(mutation, f)
	if f == refused {
		w.mu.Lock()
		w.codes[mutation+" "+code]++
		w.mu.Unlock()
	}
	return p
}

// try is do, by a client that waits as long as it likes.
func (w *mirrorRun) try(mutation string, by mirrorMember, shows string, input map[string]any) killPayload {
	return w.do(patience(), mutation, by.token, shows, input)
}

// name returns a new name.
func (w *mirrorRun) name(of string) string { return fmt.Sprintf("%s%d", of, w.n.Add(1)) }

// note adds an id to a list, unless it is empty.
func (w *mirrorRun) note(list *[]string, id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if id != "" {
		*list = append(*list, id)
	}
}

// anyOf returns one of the latest in a list; ok is false if it is empty.
func anyOf[T any](w *mirrorRun, list *[]T) (v T, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(*list)
	if n == 0 {
		return v, false
	}
	return (*list)[n-1-rand.IntN(min(n, 40))], true
}

// oneOf returns one of some values.
func oneOf[T any](values ...T) T { return values[rand.IntN(len(values))] }

// place returns a reference to a category, now and then to one that is gone.
func (w *mirrorRun) place() map[string]any {
	id, _ := anyOf(w, &w.sections)
	return map[string]any{"id": id}
}

// staff returns the administrator or the moderator.
func (w *mirrorRun) staff() mirrorMember { return oneOf(w.admin, w.chief) }

// work does something at random until ctx ends.
func (w *mirrorRun) work(ctx context.Context) {
	all := 0
	for _, op := range mirrorOps {
		all += op.weight
	}
	for ctx.Err() == nil {
		at := rand.IntN(all)
		by, _ := anyOf(w, &w.members)
		for _, op := range mirrorOps {
			if at -= op.weight; at < 0 {
				op.do(w, by)
				break
			}
		}
	}
}

// signIn uses a token of the issuer, which registers a member, or lets one come for whom an account was prepared.
func (w *mirrorRun) signIn(mirrorMember) {
	subject := fmt.Sprint("subject", rand.IntN(30))
	now := time.Now().Unix()
	token := issuertest.Sign(w.site.t, jose.SigningKey{Algorithm: jose.HS256, Key: []byte(mirrorSecret)}, issuertest.Claims{
		"iss": mirrorIssuer, "aud": issuertest.Audience, "sub": subject, "iat": now, "exp": now + 3600,
		"nick": subject + oneOf("", "x", "y"), "name": w.name("Name ")}, nil)
	a, err := w.ask(patience(), token, `{ r: viewer { user { id } } }`, nil)
	f := acknowledged
	if err != nil || len(a.Errors) > 0 {
		f = unknown
	}
	w.count("signIn", f)
}

// importSome imports a topic with comments of another site, which may be imported already, and may be killed.
func (w *mirrorRun) importSome(ctx context.Context) {
	n := rand.IntN(12)
	begun := time.Now().Add(-time.Duration(n+1) * 24 * time.Hour).UTC().Format(time.RFC3339)
	var posts []string
	for at := range 2 + rand.IntN(8) {
		posts = append(posts, fmt.Sprintf(`{"id":%d,"post_number":%d,"user_id":%d,"username":"Guest_%[3]d","created_at":%q,`+
			`"cooked":"<p>%[5]s","actions_summary":[{"id":2,"count":%[2]d}]}`, 100*n+at, at+1, 1+at%5, begun,
			strings.Repeat("imported ", 1+200*(at%2))))
	}
	text := fmt.Sprintf(`{"id":%d,"title":"Imported %[1]d","created_at":%q,"category_id":%d,"views":5,"closed":%t,"pinned":%t,`+
		`"tags":["imported","tag%d"],"post_stream":{"posts":[%s]}}`, n+1, begun, 1+n%3, n%4 == 0, n%3 == 0, n,
		strings.Join(posts, ","))
	file := filepath.Join(w.site.t.TempDir(), "topics.jsonl")
	must.OK(w.site.t, os.WriteFile(file, []byte(text+"\n"), 0o600))
	cmd := childCommand(w.site.t, w.site.kind, "import", "--format", "discourse", file)
	cmd.Env = append(cmd.Env, "REDIS_URL="+w.site.redisURL)
	must.OK(w.site.t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // ends with the process
	life := 10 * time.Second
	if rand.IntN(3) == 0 {
		life = time.Duration(rand.IntN(1000)) * time.Millisecond
	}
	f := unknown
	select {
	case err := <-ended:
		if err == nil {
			f = acknowledged
		}
	case <-time.After(life):
		cmd.Process.Kill()
		<-ended
	case <-ctx.Done():
		cmd.Process.Kill()
		<-ended
	}
	w.count("import", f)
}
