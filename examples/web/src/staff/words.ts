import type {
  ActFragment, Audience, CaseFragment, EvidenceCause, MemberList, ModerationAction, ModerationReason, Permission,
  RegistrationMode, Role, SiteAccess,
} from '../gql/graphql.ts';
import { path } from '../lib/router.ts';

export const reasons: Record<ModerationReason, string> = {
  SPAM: 'Spam', ABUSE: 'Abuse', OFF_TOPIC: 'Off topic', DUPLICATE: 'Duplicate', EXPLICIT: 'Explicit content',
  ILLEGAL: 'Illegal', PRIVACY: 'Private data', OTHER: 'Other',
};

export const acts: Record<ModerationAction, string> = {
  LOCK: 'locked', UNLOCK: 'unlocked', HIDE: 'hid', RESTORE: 'restored', APPROVE: 'approved', PIN: 'pinned',
  UNPIN: 'unpinned', MOVE: 'moved', EDIT: 'edited', TAG: 'tagged', REDACT: 'redacted a revision of',
  UNREDACT: 'showed a revision of', UPHOLD: 'upheld reports on', DISMISS: 'dismissed reports on', WARN: 'warned',
  BAN: 'banned', UNBAN: 'unbanned', SET_ROLE: 'changed the role of', SET_MODERATOR: 'changed the categories of',
  HIDE_POSTS: 'hid the posts of', RESTORE_POSTS: 'restored the posts of',
  APPROVE_ACCOUNT: 'approved the account of', REJECT_ACCOUNT: 'rejected an account:',
  CREATE_CATEGORY: 'created a category:', UPDATE_CATEGORY: 'changed the category',
  DELETE_CATEGORY: 'deleted the category',
  CREATE_TAB: 'created a tab:', UPDATE_TAB: 'changed the tab', DELETE_TAB: 'deleted the tab',
  UPDATE_ACCESS: 'changed the access to',
  UPDATE_RULES: 'changed the rules of', UPDATE_BLOCKLIST: 'changed the blocklist of',
};

export const modes: Record<RegistrationMode, string> = {
  OPEN: 'Everybody', INVITE: 'Whoever is invited', APPROVAL: 'Everybody, once a moderator approves', CLOSED: 'Nobody',
};

/** Why a copy was kept: "as it was …". */
export const causes: Record<EvidenceCause, string> = {
  REPORT: 'reported', HIDE: 'hidden', LOCK: 'locked', WARN: 'warned about', EDIT: 'before an edit',
  DELETE: 'before it was deleted',
};

/** The value of a rule of the site, as an act has it. */
export function ruleOf(name: string, value: number): string {
  if (name === 'registration') return Object.values(modes)[value] ?? '';
  if (name === 'access') return Object.values(accesses)[value] ?? '';
  if (name === 'memberList') return Object.values(memberLists)[value] ?? '';
  if (name === 'invitationsBy') return roles[(['MODERATOR', 'USER', 'ADMIN'] as const)[value] ?? 'ADMIN'];
  return value < 0 ? '' : String(value);
}

export const accesses: Record<SiteAccess, string> = { EVERYBODY: 'Everybody', MEMBERS: 'Members' };

/** Who sees a category. */
export const audiences: Record<Audience, string> = { PUBLIC: 'Everybody', MEMBERS: 'Members', GROUPS: 'Groups' };

/** Who may post, or reply and vote, in a category. */
export const permissions: Record<Permission, string> = {
  EVERYBODY: 'Everybody', MODERATORS: 'Moderators', NOBODY: 'Nobody',
};

/** What has access of its own, beside categories. */
export const uncategorised = 'topics without a category';

export const memberLists: Record<MemberList, string> = {
  EVERYBODY: 'Everybody', MEMBERS: 'Members', MODERATORS: 'Moderators',
};

export const roles: Record<Role, string> = { USER: 'Member', MODERATOR: 'Moderator', ADMIN: 'Administrator' };

/** What an act was done to, and where that is. */
export function subjectOf({ subject }: {
  subject: ActFragment['subject'] | CaseFragment['subject'];
}): { name: string; href: string } | undefined {
  switch (subject?.__typename) {
    case 'Topic':
      return { name: subject.title || 'a deleted topic', href: path('t', subject.number) };
    case 'Comment': {
      const { topic, number } = subject;
      return { name: `comment ${number} on ${topic.title}`, href: `${path('t', topic.number)}#c${number}` };
    }
    case 'User':
      return { name: subject.login, href: path('u', subject.login) };
    case 'Category':
      return { name: subject.name, href: path('c', subject.name) };
    case 'Tab':
      return { name: subject.name, href: path('tab', subject.name) };
    default:
      return undefined;
  }
}

/** What somebody is banned from, and for how long. */
export const banned = ({ scope, until }: Pick<ActFragment, 'scope' | 'until'>) => (
  `${scope === 'POST' ? 'from posting' : 'from signing in'} ${
    until ? `until ${new Date(until).toLocaleString()}` : 'for good'}`
);

/** What else an act says. */
export function detailOf(act: ActFragment): string {
  const { action } = act;
  switch (action) {
    case 'MOVE':
      return `from ${act.fromCategory?.name ?? 'no category'} to ${act.toCategory?.name ?? 'no category'}`;
    case 'EDIT':
      return act.fields.join(', ');
    case 'TAG':
      return [...act.addedTags.map((tag) => `+${tag}`), ...act.removedTags.map((tag) => `−${tag}`)].join(' ');
    case 'BAN':
      return banned(act);
    case 'SET_MODERATOR':
      return `${act.isModerator ? 'now' : 'no longer'} of ${act.category?.name ?? 'a deleted category'}`;
    case 'SET_ROLE':
      return `from ${act.fromRole?.toLowerCase()} to ${act.role?.toLowerCase()}`;
    case 'PIN': case 'UNPIN':
      return act.place === 'FRONT' ? 'on the front page' : 'in its category';
    case 'REDACT': case 'UNREDACT':
      return `revision ${act.revision}`;
    case 'HIDE_POSTS': case 'RESTORE_POSTS':
      return `${act.postCount} in all${act.since ? `, since ${new Date(act.since).toLocaleString()}` : ''}`;
    case 'UPHOLD': case 'DISMISS':
      return `${act.reportCount} in all`;
    default:
      return '';
  }
}
