import type { ReactNode } from 'react';
import { useUser } from '../lib/me.ts';
import { Choices, Empty, Page } from '../parts/basics.tsx';

/** The pages with which a site is managed, and the lowest role that may do so. */
const pages = [
  { name: 'Categories', value: '/manage', role: 'MODERATOR' },
  { name: 'Tabs', value: '/manage/tabs', role: 'MODERATOR' },
  { name: 'Blocklist', value: '/manage/blocklist', role: 'MODERATOR' },
  { name: 'Applications', value: '/manage/applications', role: 'MODERATOR' },
  { name: 'Moderators', value: '/manage/team', role: 'ADMIN' },
  { name: 'Rules', value: '/manage/rules', role: 'ADMIN' },
  { name: 'Tasks', value: '/manage/tasks', role: 'ADMIN' },
];

/** One of these pages, with links to the others; whoever may not use it does not see it. */
export function Managed({ at, lead, children }: { at: string; lead: string; children: ReactNode }) {
  const role = useUser()?.role ?? 'USER';
  const mine = pages.filter((page) => role === 'ADMIN' || role === page.role);
  const page = mine.find(({ value }) => value === at);
  if (!page) return <Page title="Manage the site"><Empty>Your role does not allow this.</Empty></Page>;
  return (
    <Page title={page.name} lead={lead}>
      <Choices label="Manage the site" current={at} options={mine.map((each) => ({ ...each, href: each.value }))} />
      {children}
    </Page>
  );
}
