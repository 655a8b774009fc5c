import { store, useStore } from './store.ts';

const place = store(new URL(location.href));
const settle = () => place.set(new URL(location.href));
addEventListener('popstate', settle);

/** Goes to another page of the application. */
export function go(href: string, how: 'push' | 'replace' = 'push') {
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', href);
  settle();
  if (how === 'push') {
    scrollTo(0, 0);
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }
}

/** An address on this site, to which something from outside may lead: for any other one, that of the front page. */
export function here(href: string): string {
  try {
    const to = new URL(href, location.href);
    if (to.origin === location.origin) return to.href;
  } catch {
    // It is no address.
  }
  return new URL('/', location.href).href;
}

/** Paths that the server answers itself. */
const foreign = /^\/(playground|docs|graphql|schema\.graphql|takeout|metrics|healthz|readyz)(\/|$)/;

// A plain link to a page of the application opens it without loading everything again.
document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest?.('a[href]');
  if (!(link instanceof HTMLAnchorElement) || link.target || link.origin !== location.origin) return;
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (foreign.test(link.pathname) || (link.hash && link.pathname === location.pathname)) return;
  event.preventDefault();
  go(link.href);
});

/** The place that the address bar shows. */
export const usePlace = () => useStore(place);

/** The parts of a path that match a pattern such as `/t/:number`; null if it is another path. */
export function match(pattern: string, path: string): Record<string, string> | null {
  const [names, values] = [pattern.split('/'), path.replace(/(.)\/$/, '$1').split('/')];
  if (names.length !== values.length) return null;
  const found: Record<string, string> = {};
  for (const [i, name] of names.entries()) {
    const value = values[i]!;
    const at = name.indexOf(':');
    if (at < 0 ? name !== value : !value.startsWith(name.slice(0, at)) || value.length <= at) return null;
    if (at >= 0) found[name.slice(at + 1)] = decoded(value.slice(at));
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An address with other search parameters; empty ones are left out. */
export function withSearch(from: URL, changes: Record<string, string>): string {
  const search = new URLSearchParams(from.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) search.set(name, value);
    else search.delete(name);
  }
  return from.pathname + (search.size ? `?${search}` : '');
}

export const path = (...parts: (string | number)[]) => `/${parts.map(encodeURIComponent).join('/')}`;
