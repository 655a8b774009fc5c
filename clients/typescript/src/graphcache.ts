import { CombinedError, mapExchange, type Exchange } from '@urql/core';
import type { Cache, CacheExchangeOpts, Resolver, UpdateResolver } from '@urql/exchange-graphcache';
import { connections, possibleTypes } from './schema.ts';

type Args = Record<string, unknown> | null | undefined;

/** What names a list: all arguments except those that choose a page of it. */
function identity(args: Args): string {
  const { after: _after, ...rest } = args ?? {};
  return JSON.stringify(Object.entries(rest).filter(([, value]) => value != null).sort());
}

/** The cached pages of a connection that follow from one another, in order, for each way in which it was read. */
function chains(cache: Cache, parent: string, field: string): Map<string, string[]> {
  const found = new Map<string, Map<string, string>>();
  for (const { fieldName, fieldKey, arguments: args } of cache.inspectFields(parent)) {
    const page = fieldName === field ? cache.resolve(parent, fieldKey) : null;
    if (typeof page !== 'string' || args?.['last'] != null || args?.['before'] != null) continue;
    const name = identity(args);
    if (!found.has(name)) found.set(name, new Map());
    found.get(name)!.set(String(args?.['after'] ?? ''), page);
  }
  const result = new Map<string, string[]>();
  for (const [name, pages] of found) {
    const chain: string[] = [];
    for (let page = pages.get(''); page !== undefined && !chain.includes(page);) {
      chain.push(page);
      const info = cache.resolve(page, 'pageInfo') as string;
      page = cache.resolve(info, 'hasNextPage') ? pages.get(String(cache.resolve(info, 'endCursor'))) : undefined;
    }
    result.set(name, chain);
  }
  return result;
}

/** Returns all rows of the pages, each once. A row that has moved while paging keeps its first place. */
function rows(cache: Cache, pages: string[], field: 'nodes' | 'edges'): string[] | undefined {
  const lists = pages.map((page) => cache.resolve(page, field)).filter((list) => Array.isArray(list));
  if (lists.length === 0) return undefined;
  const keyed = new Map<unknown, string>();
  for (const row of lists.flat() as string[]) {
    const key = field === 'nodes' ? row : cache.resolve(row, 'node');
    if (!keyed.has(key)) keyed.set(key, row);
  }
  return [...keyed.values()];
}

/** The replies of a comment that has just been posted, so that a page need not be read again to show it. */
const noReplies = {
  __typename: 'CommentConnection', totalCount: 0, nodes: [], edges: [],
  pageInfo: { __typename: 'PageInfo', hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
};

/**
 * Resolves a connection to all of its pages that are cached, as one. A page counts only if it begins where the one
 * before it ends: once the first page is read again and has changed, the list is that page, and there is no gap.
 */
export const pages: Resolver = (_parent, args, cache, { parentKey, parentFieldKey, fieldName }) => {
  const asked = cache.resolve(parentKey, parentFieldKey);
  if (asked === undefined && fieldName === 'replies' && cache.resolve(parentKey, 'replyCount') === 0) return noReplies;
  const chain = chains(cache, parentKey, fieldName).get(identity(args));
  if (asked === undefined || !chain?.length) return asked;
  const page: Record<string, unknown> = { __typename: cache.resolve(chain[0]!, '__typename') };
  for (const field of ['nodes', 'edges'] as const) {
    const all = rows(cache, chain, field);
    if (all) page[field] = all;
  }
  const info = cache.resolve(chain.at(-1)!, 'pageInfo');
  if (info) page['pageInfo'] = info;
  return page as ReturnType<Resolver>;
};

/** Adds a node to the cached lists of a connection: where it belongs by order of posting, if that page is cached. */
function insert(cache: Cache, parent: string, field: string, node: string, newestFirst: (name: string) => boolean) {
  for (const [name, chain] of chains(cache, parent, field)) {
    const front = newestFirst(name);
    const page = front ? chain[0] : chain.at(-1);
    const info = page && (cache.resolve(page, 'pageInfo') as string | undefined);
    const nodes = page && cache.resolve(page, 'nodes');
    if (!page || !Array.isArray(nodes) || (!front && (!info || cache.resolve(info, 'hasNextPage')))) continue;
    if (chain.some((each) => (cache.resolve(each, 'nodes') as string[]).includes(node))) continue;
    cache.link(page, 'nodes', front ? [node, ...(nodes as string[])] : [...(nodes as string[]), node]);
  }
}

interface NewComment { id: string; topic?: { id: string }; parent?: { id: string } | null }

/** Shows a new comment in the cached lists of its topic or parent; select its `topic { id }` and `parent { id }`. */
function addComment(cache: Cache, comment: NewComment | null | undefined) {
  if (!comment) return;
  const key = cache.keyOfEntity({ __typename: 'Comment', id: comment.id })!;
  const newest = (name: string) => name.includes('"NEWEST"');
  if (comment.parent) {
    insert(cache, cache.keyOfEntity({ __typename: 'Comment', id: comment.parent.id })!, 'replies', key, newest);
  } else if (comment.topic) {
    insert(cache, cache.keyOfEntity({ __typename: 'Topic', id: comment.topic.id })!, 'comments', key, newest);
  }
}

const commentEvent = (field: string): UpdateResolver => (result, _args, cache) => {
  const event = (result as Record<string, { kind?: string; comment?: NewComment }>)[field];
  if (event?.kind === undefined || event.kind === 'ADDED') addComment(cache, event?.comment);
};

interface NotificationEvent { kind: string; notification?: { id: string } | null; viewer: { id: string } }

function addNotification(result: unknown, _args: unknown, cache: Cache) {
  const event = (result as { notificationAdded?: NotificationEvent }).notificationAdded;
  if (event?.kind !== 'ADDED' || !event.notification) return;
  const viewer = cache.keyOfEntity({ __typename: 'Viewer', id: event.viewer.id })!;
  const key = cache.keyOfEntity({ __typename: 'Notification', id: event.notification.id })!;
  insert(cache, viewer, 'notifications', key, () => true);
}

const flat = () => null;
const votesKey = (id: unknown) => `votes-of-${String(id)}`;

interface VoteInput { subjectId: string; direction: 'UP' | 'DOWN' | 'NONE' }

/** What a vote will have changed, shown until the server answers. */
function guessVote({ input }: { input: VoteInput }, cache: Cache) {
  const key = votesKey(input.subjectId);
  const [up, down] = [Number(cache.resolve(key, 'up') ?? 0), Number(cache.resolve(key, 'down') ?? 0)];
  const before = cache.resolve(key, 'viewerVote');
  const change = (side: string) => Number(input.direction === side) - Number(before === side);
  const votes = {
    __typename: 'VoteSummary', subjectId: input.subjectId, viewerVote: input.direction,
    up: up + change('UP'), down: down + change('DOWN'), net: up + change('UP') - down - change('DOWN'),
    isOpen: true, closesAt: cache.resolve(key, 'closesAt') ?? null,
  };
  const __typename = String(cache.resolve(input.subjectId, '__typename') ?? 'Topic');
  return {
    __typename: 'VotePayload', changed: true, errors: [], subject: { __typename, id: input.subjectId, votes },
  };
}

function guessBookmark({ input }: { input: { topicId: string; bookmarked?: boolean } }) {
  const topic = { __typename: 'Topic', id: input.topicId, viewerHasBookmarked: input.bookmarked ?? true };
  return { __typename: 'BookmarkPayload', changed: true, errors: [], topic };
}

/**
 * Options of `cacheExchange`: keys, pages, fragments on interfaces, votes and bookmarks that show at once, and lists
 * that grow with live comments and notifications. Ids are unique over all types, so they are the keys.
 */
export const graphcache = {
  globalIDs: true,
  possibleTypes,
  keys: {
    VoteSummary: (data) => (data['subjectId'] ? votesKey(data['subjectId']) : null),
    Site: flat, RankExplanation: flat, RankTerm: flat, PageInfo: flat,
    CategoryAccess: flat, CategoryConnection: flat, CommentConnection: flat, NotificationConnection: flat,
    TabConnection: flat, TagConnection: flat, TagEdge: flat, Preview: flat,
    Application: (data) => (data['userId'] ? `application:${String(data['userId'])}` : null),
    ReportCase: (data) => (data['subjectId'] ? `case:${String(data['subjectId'])}` : null),
    SiteRules: flat, Tasks: flat, DeadTask: flat, Ban: flat, Report: flat, Revision: flat, Hunk: flat, HunkLine: flat,
    ModerationActConnection: flat, ReportCaseConnection: flat, ReportConnection: flat,
    ApplicationConnection: flat, ApplicationEdge: flat, RevisionConnection: flat,
    ModerationActEdge: flat, ReportCaseEdge: flat, ReportEdge: flat, RevisionEdge: flat,
    TopicConnection: flat, UserConnection: flat, UserListConnection: flat,
    GroupConnection: flat, GroupEdge: flat, GroupMember: flat, GroupMemberConnection: flat, GroupMemberEdge: flat,
    ViewerGroup: flat,
    CategoryEdge: flat, CommentEdge: flat, NotificationEdge: flat, TabEdge: flat, TopicEdge: flat, UserEdge: flat,
    UserListEdge: flat,
  },
  resolvers: {
    ...Object.fromEntries(Object.entries(connections).map(
      ([type, fields]) => [type, Object.fromEntries(fields.map((field) => [field, pages]))],
    )),
    Query: {
      ...Object.fromEntries(connections['Query']!.map((field) => [field, pages])),
      node: (parent, args, cache) =>
        parent['node'] ?? (cache.resolve(String(args['id']), '__typename') ? String(args['id']) : undefined),
    },
  },
  optimistic: { vote: guessVote as never, bookmark: guessBookmark as never },
  updates: {
    Mutation: {
      createComment: (result, _args, cache) =>
        addComment(cache, (result as { createComment?: { comment?: NewComment } }).createComment?.comment),
    },
    Subscription: {
      commentAdded: commentEvent('commentAdded'),
      commentsUpdated: commentEvent('commentsUpdated'),
      notificationAdded: addNotification,
    },
  },
} satisfies CacheExchangeOpts;

/**
 * An exchange that follows `cacheExchange`: the cache keeps what it has of a field that failed. By itself it takes null
 * for the value if the error is of a field below. The path of an error ends at the field that is null because of it.
 */
export const keepFailed: Exchange = mapExchange({
  onResult(result) {
    if (!result.data || !result.error?.graphQLErrors.length) return;
    const data = structuredClone(result.data);
    const graphQLErrors = result.error.graphQLErrors.map((error) => {
      let parent = data;
      for (const [i, step] of (error.path ?? []).entries()) {
        if (parent[step] == null) {
          if (!Array.isArray(parent)) delete parent[step];
          return { ...error, message: error.message, path: error.path!.slice(0, i + 1) };
        }
        parent = parent[step];
      }
      return error;
    });
    return { ...result, data, error: new CombinedError({ graphQLErrors, response: result.error.response }) };
  },
});
