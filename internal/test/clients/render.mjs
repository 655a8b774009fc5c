// Asks for visitors with the file of the documentation: six of them twelve times each, one once more, one with a token
// that is not valid, one with that of a banned user, and several of a server that does not trust it, for which they are
// one visitor.
import { barredBy } from 'agora-client/errors';
import { askFor } from './askfor.mjs';

const [url, untrusted, barred] = process.argv.slice(2);
const code = (answer) => answer.errors?.[0].extensions.code ?? answer.data.site.name;
const ask = async (n, more) => code(await askFor({ url, address: `192.0.2.${n}`, ...more }, '{ site { name } }'));
const said = new Set();
for (let n = 0; n < 72; n++) said.add(await ask(n % 6));
console.log([...said].join());
console.log(await ask(0));
let ended = 0;
console.log(await ask(7, { token: `agora_${'x'.repeat(43)}`, ended: () => ended++ }), ended);
const asked = '{ viewer { id } site { name } }';
const answer = await askFor({ url, address: '192.0.2.8', token: barred, ended: () => ended++ }, asked);
const why = barredBy(answer);
console.log(answer.data.site.name, answer.data.viewer, why.code, why.until, why.reason, ended);
for (let n = 0; n < 13; n++) said.add(await ask(n, { url: untrusted }));
console.log([...said].join());
