package httpserver

import (
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agora/internal/ratelimit"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// rendering asks for visitors with the file of the documentation: six of them twelve times each, one once more, one
// with a token that is not valid, and several of a server that does not trust it, for which they are one visitor.
const rendering = `
const { askFor } = await import(process.argv[1]);
const [url, untrusted] = process.argv.slice(2);
const code = (a) => a.errors?.[0].extensions.code ?? a.data.site.name;
const ask = async (n, more) => code(await askFor({ url, address: '192.0.2.' + n, ...more }, '{ site { name } }'));
const said = new Set();
for (let n = 0; n < 72; n++) said.add(await ask(n % 6));
console.log([...said].join());
console.log(await ask(0));
let ended = 0;
console.log(await ask(7, { token: 'agora_' + 'x'.repeat(43), ended: () => ended++ }), ended);
for (let n = 0; n < 13; n++) said.add(await ask(n, { url: untrusted }));
console.log([...said].join());
`

// A server that renders pages for visitors passes their addresses on, so that each has their own rates, and goes on
// without a token that is no longer valid.
func TestRenderingOnAServer(t *testing.T) {
	node := testlevel.Program(t, "node")
	proxies := must.Do(ParseProxies("127.0.0.1"))(t)
	snippet := must.Do(filepath.Abs("../test/clients/snippets/render.mjs"))(t)
	// An address has four times as many.
	limit := limited(ratelimit.Rates{ratelimit.Requests: 3}, redistest.NewClock())
	trusting := httptest.NewServer(newServer(t, func(o *Options) { limit(o); o.Proxies = proxies }))
	defer trusting.Close()
	other := httptest.NewServer(newServer(t, limit))
	defer other.Close()
	out, err := exec.CommandContext(t.Context(), node, "--input-type=module", "-e", rendering,
		snippet, trusting.URL+"/graphql", other.URL+"/graphql").CombinedOutput()
	want := "Agora\nRATE_LIMITED\nAgora 1\nAgora,RATE_LIMITED"
	if got := strings.TrimSpace(string(out)); err != nil || got != want {
		t.Errorf("rendering printed %q, %v; want %q", got, err, want)
	}
}
