import { createContext, useContext } from 'react';
import type { EntranceQuery, ShellQuery } from '../gql/graphql.ts';

/** What every page knows: the site, its lists, and who is signed in. */
export const Me = createContext<
  Partial<Omit<ShellQuery, 'site'>> & { site?: EntranceQuery['site'] & Partial<ShellQuery['site']> }
>({});

export const useSite = () => useContext(Me);

/** The signed-in user; undefined when signed out. */
export const useUser = () => useContext(Me).viewer?.user;

export const isModerator = (user: { role: string } | undefined) => user !== undefined && user.role !== 'USER';

/** Whether the viewer manages a group. */
export const useManages = () => Boolean(useSite().groups?.nodes.some((group) => group.viewerIsManager));

/** Whether the viewer moderates the site, or at least a category. */
export function useModerates() {
  const { viewer } = useSite();
  return isModerator(viewer?.user) || Boolean(viewer?.moderates.length);
}
