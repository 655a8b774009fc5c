package httpserver

import (
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/ratelimit"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// rendering asks for visitors with the file of the documentation: six of them twelve times each, one once more, one
// with a token that is not valid, one with that of a banned user, and several of a server that does not trust it, for which they are one visitor.
const rendering = `
const { askFor, barredBy } = await import(process.argv[1]);
const [url, untrusted] = process.argv.slice(2, 4);
const code = (a) => a.errors?.[0].extensions.code ?? a.data.site.name;
const ask = async (n, more) => code(await askFor({ url, address: '192.0.2.' + n, ...more }, '{ site { name } }'));
const said = new Set();
for (let n = 0; n < 72; n++) said.add(await ask(n % 6));
console.log([...said].join());
console.log(await ask(0));
let ended = 0;
console.log(await ask(7, { token: 'agora_' + 'x'.repeat(43), ended: () => ended++ }), ended);
const asked = '{ viewer { id } site { name } }';
for (const token of process.argv.slice(4)) {
  const answer = await askFor({ url, address: '192.0.2.8', token, ended: () => ended++ }, asked);
  const why = barredBy(answer);
  console.log(answer.data.site.name, answer.data.viewer, why?.code, why?.until, why?.reason, ended);
}
for (let n = 0; n < 13; n++) said.add(await ask(n, { url: untrusted }));
console.log([...said].join());
`

// A server that renders pages for visitors passes their addresses on, so that each has their own rates, and goes on
// without a token that is no longer valid. To a banned visitor it shows the page, and why.
func TestRenderingOnAServer(t *testing.T) {
	node := testlevel.Program(t, "node")
	proxies := must.Do(ParseProxies("127.0.0.1"))(t)
	snippet := must.Do(filepath.Abs("../test/clients/snippets/render.mjs"))(t)
	// An address has four times as many.
	limit := limited(ratelimit.Rates{ratelimit.Requests: 3}, redistest.NewClock())
	inner := newServer(t, func(o *Options) { limit(o); o.Proxies = proxies })
	ann := site.On(t, inner.store).User("ann")
	made := must.Do(auth.NewAPIToken(ann.ID))(t)
	must.Do(inner.store.CreateToken(t.Context(), ann,
		forum.APIToken{Digest: made.Digest(), Name: "test", Scopes: []forum.Scope{forum.ScopeRead}}))(t)
	must.OK(t, barWith(barredUntil)(t.Context(), inner.store, ann.ID))
	trusting := httptest.NewServer(inner)
	defer trusting.Close()
	other := httptest.NewServer(newServer(t, limit))
	defer other.Close()
	out, err := exec.CommandContext(t.Context(), node, "--input-type=module", "-e", rendering,
		snippet, trusting.URL+"/graphql", other.URL+"/graphql", made.String()).CombinedOutput()
	want := "Agora\nRATE_LIMITED\nAgora 1\nAgora null BANNED " + barredUntilText + " ABUSE 1\nAgora,RATE_LIMITED"
	if got := strings.TrimSpace(string(out)); err != nil || got != want {
		t.Errorf("rendering printed %q, %v; want %q", got, err, want)
	}
}
