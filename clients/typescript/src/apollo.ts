import type { InMemoryCacheConfig } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { connections, possibleTypes } from './schema.ts';

/** The arguments that name a list; all others choose a page of it. */
const names: Record<string, string[]> = {
  comments: ['orderBy', 'topLevelOnly', 'hideBlocked'],
  replies: ['orderBy', 'hideBlocked'],
  thread: ['orderBy', 'maxDepth', 'hideBlocked'],
  voters: ['direction'],
  users: ['prefix'],
  tags: ['orderBy', 'prefix'],
  notifications: ['unreadOnly'],
};

/**
 * Options of `InMemoryCache`: fragments on interfaces, pages that grow with `fetchMore`, and `votes`, which belong to
 * their topic or comment. Connections are merged by their `edges`: select those, not `nodes`.
 */
export const apolloCache: InMemoryCacheConfig = {
  possibleTypes,
  typePolicies: Object.fromEntries([
    ...Object.entries(connections).map(([type, fields]) => [type, {
      fields: Object.fromEntries([
        ...fields.map((field) => [field, relayStylePagination(names[field] ?? false)]),
        ...(type === 'Topic' || type === 'Comment' ? [['votes', { merge: true }]] : []),
      ]),
    }]),
    ...['Site', 'CategoryAccess'].map((type) => [type, { merge: true }]),
  ]),
};
