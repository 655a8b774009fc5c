import { store, useStore } from '../lib/store.ts';

const shown = store<{ id: number; text: string }[]>([]);
let last = 0;

/** Shows a short message, which screen readers speak. */
export function say(text: string) {
  const id = ++last;
  shown.set([...shown.value, { id, text }].slice(-3));
  setTimeout(() => shown.set(shown.value.filter((toast) => toast.id !== id)), 6000);
}

export const Toasts = () => (
  <div className="toasts" role="status" aria-live="polite">
    {useStore(shown).map(({ id, text }) => <p key={id}>{text}</p>)}
  </div>
);
