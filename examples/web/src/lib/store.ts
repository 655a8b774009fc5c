import { useSyncExternalStore } from 'react';

/** A value that components follow. */
export interface Store<T> {
  value: T;
  set(next: T): void;
  watch(changed: () => void): () => void;
}

export function store<T>(value: T): Store<T> {
  const watchers = new Set<() => void>();
  return {
    value,
    set(next) {
      this.value = next;
      for (const changed of watchers) changed();
    },
    watch(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
  };
}

export function useStore<T>(from: Store<T>): T {
  return useSyncExternalStore((changed) => from.watch(changed), () => from.value);
}

/** A store that lasts, and that all tabs of the browser share. */
export function stored(name: string): Store<string> {
  const kept = store(localStorage.getItem(name) ?? '');
  const set = kept.set.bind(kept);
  addEventListener('storage', (event) => {
    if (event.key === name) set(event.newValue ?? '');
  });
  kept.set = (next) => {
    if (next) localStorage.setItem(name, next);
    else localStorage.removeItem(name);
    set(next);
  };
  return kept;
}
