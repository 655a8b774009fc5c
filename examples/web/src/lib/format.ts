const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000], ['month', 2_592_000], ['week', 604_800], ['day', 86_400], ['hour', 3600], ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** How long ago, such as "3 hr. ago". */
export function ago(at: string): string {
  const seconds = (Date.now() - Date.parse(at)) / 1000;
  for (const [unit, length] of units) {
    if (seconds >= length) return relative.format(-Math.floor(seconds / length), unit);
  }
  return 'just now';
}

export const exact = (at: string) => absolute.format(new Date(at));
/** Counts are null while the server cannot read them. */
export const short = (n: number | null | undefined) => (n == null ? '–' : compact.format(n));
export const bytes = (n: number) => (n < 1000 ? `${n} B` : `${(n / 1000).toFixed(1)} kB`);
export const count = (n: number | null, one: string, many = `${one}s`) =>
  `${n === null ? '–' : n.toLocaleString('en')} ${n === 1 ? one : many}`;

export function host(link: string): string {
  try {
    return new URL(link).hostname.replace(/^www\./, '');
  } catch {
    return link;
  }
}

/** A key for one attempt to post, so that repeating it does no harm. */
export function attemptKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, '0')).join('');
}
