import { useEffect, useRef, useState, type ReactNode } from 'react';
import { TimelineUpdatedDocument, type RowsFragment, type TopicKind, type TopicRowFragment } from '../gql/graphql.ts';
import { useLive } from '../lib/client.ts';
import { count, host, short } from '../lib/format.ts';
import { path, usePlace, withSearch } from '../lib/router.ts';
import { Bookmark, Vote } from './actions.tsx';
import { CategoryLink, Choices, Empty, Foreign, Person, Skeleton, Tags, Time, Trouble } from './basics.tsx';
import { Icon } from './icons.tsx';

export function Row({ topic }: { topic: TopicRowFragment }) {
  const { author, category, votes, link, lastComment } = topic;
  const unread = topic.viewerUnreadCommentCount ?? 0;
  return (
    <article className="row" data-kind={topic.kind} aria-labelledby={topic.id}>
      <Vote votes={votes} of={topic.title} />
      <div className="what">
        <h2 id={topic.id} dir="auto">
          <a href={path('t', topic.number)}>{topic.title}</a>
          {link && <Foreign className="host" href={link}>{host(link)}</Foreign>}
        </h2>
        {topic.kind === 'STATUS' && topic.excerpt !== topic.title && (
          <p className="excerpt" dir="auto">{topic.excerpt}</p>
        )}
        <p className="meta">
          {category && <CategoryLink of={category} />}
          <Person user={author} face />
          <Time at={topic.createdAt} />
          {lastComment && (
            <a className="latest" href={`${path('t', topic.number)}#c${lastComment.number}`}>
              <Icon name="reply" /><bdi>{lastComment.author.login}</bdi> <Time at={lastComment.createdAt} />
            </a>
          )}
          <Tags tags={topic.tags} />
        </p>
      </div>
      <div className="side">
        <a className="talk" href={path('t', topic.number)} aria-label={count(topic.commentCount, 'comment')}>
          <Icon name="talk" />{short(topic.commentCount)}
        </a>
        {unread > 0 && <span className="unread">{unread} new</span>}
        <Bookmark topic={topic} />
      </div>
    </article>
  );
}

const orders = ['ACTIVE', 'CREATED', 'HOT', 'TOP', 'CONTROVERSIAL'] as const;
const orderNames = { ACTIVE: 'Active', CREATED: 'New', HOT: 'Hot', TOP: 'Top', CONTROVERSIAL: 'Disputed' };
const periods = ['DAY', 'WEEK', 'MONTH', 'YEAR', 'ALL'] as const;
const periodNames = { DAY: 'Today', WEEK: 'Week', MONTH: 'Month', YEAR: 'Year', ALL: 'All time' };

const kindNames = { '': 'All', DISCUSSION: 'Discussions', ARTICLE: 'Links', STATUS: 'Statuses' };

/** The kinds of topics that the address names; null for all. */
export function useKinds() {
  const kind = usePlace().searchParams.get('kind') ?? '';
  return { kinds: kind && kind in kindNames ? [kind as TopicKind] : null };
}

/** The order and the kinds that the address names, as variables of a query. */
export function useOrder() {
  const kinds = useKinds();
  const search = usePlace().searchParams;
  const field = orders.find((order) => order === search.get('order')) ?? 'ACTIVE';
  const period = periods.find((each) => each === search.get('period')) ?? 'WEEK';
  return { ...kinds, orderBy: { field }, period: field === 'TOP' ? period : null };
}

export function Kinds() {
  const place = usePlace();
  const options = Object.entries(kindNames).map(([value, name]) => (
    { value, name, href: withSearch(place, { kind: value }) }
  ));
  return <Choices label="Kind" current={useKinds().kinds?.[0] ?? ''} options={options} />;
}

export function Orders() {
  const place = usePlace();
  const { orderBy, period } = useOrder();
  return (
    <div className="orders">
      <Choices
        label="Order" current={orderBy.field}
        options={orders.map((value) => ({
          value, name: orderNames[value],
          href: withSearch(place, { order: value === 'ACTIVE' ? '' : value, period: '' }),
        }))}
      />
      <Kinds />
      {period && (
        <Choices
          label="Period" current={period}
          options={periods.map((period) => (
            { value: period, name: periodNames[period], href: withSearch(place, { period }) }
          ))}
        />
      )}
    </div>
  );
}

export interface Source {
  timeline: RowsFragment | null | undefined;
  fetching: boolean;
  error?: { message: string; networkError?: Error } | undefined;
  refresh: () => void;
  more: (after: string) => Promise<unknown>;
  empty?: ReactNode;
}

/** What has changed in a timeline since it was read: topics above the ones shown, and topics that are gone. */
function useNews(timeline: RowsFragment | null | undefined, refresh: () => void) {
  const [news, setNews] = useState({ id: '', fresh: [] as string[], gone: [] as string[] });
  const [place, setPlace] = useState({ id: '', after: '' as string | null });
  const id = timeline?.id ?? '';
  if (id && place.id !== id) {
    setPlace({ id, after: timeline?.eventId ?? null });
    setNews({ id, fresh: [], gone: [] });
  }
  const moving = timeline?.order === 'ACTIVE' || timeline?.order === 'REPLIES_TODAY';
  useLive(TimelineUpdatedDocument, { id, after: place.after }, !id || place.id !== id, ({ timelineUpdated: event }) => {
    const topic = event.topicId;
    if (event.kind === 'RESET') refresh();
    if (!topic) return;
    setNews((now) => {
      const fresh = now.fresh.filter((other) => other !== topic);
      const gone = now.gone.filter((other) => other !== topic);
      if (event.kind === 'REMOVED') gone.push(topic);
      if (event.kind === 'ADDED' || (event.kind === 'MOVED' && moving)) fresh.push(topic);
      return { ...now, fresh, gone };
    });
  });
  return { ...news, clear: () => setNews({ id, fresh: [], gone: [] }) };
}

/** A timeline that loads more as it is scrolled, and says how many topics are new. */
export function Timeline({ timeline, fetching, error, refresh, more, empty }: Source) {
  const news = useNews(timeline, refresh);
  const end = useRef<HTMLButtonElement>(null);
  const [adding, setAdding] = useState(false);
  const loading = adding || fetching; // while another order is read, next is of the one before
  const next = timeline?.topics.pageInfo.hasNextPage ? timeline.topics.pageInfo.endCursor : null;
  async function load() {
    if (!next || loading) return;
    setAdding(true);
    await more(next).finally(() => setAdding(false));
  }
  const latest = useRef(load);
  latest.current = load;
  const asked = useRef(false); // whether more was read by itself after next: if that fails, the button remains
  useEffect(() => { asked.current = false; }, [next]);
  useEffect(() => { // also after loading, because next may have changed meanwhile
    if (!end.current || loading || asked.current) return;
    const near = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      asked.current = true;
      void latest.current();
    }, { rootMargin: '600px' });
    near.observe(end.current);
    return () => near.disconnect();
  }, [next, loading]);

  if (error && !timeline) return <Trouble error={error} retry={refresh} />;
  if (!timeline) return fetching ? <Skeleton /> : <Empty>There is nothing here.</Empty>;
  const topics = timeline.topics.nodes.filter((topic) => topic.state === 'OPEN' && !news.gone.includes(topic.id));
  const top = topics[0]?.id;
  const fresh = news.fresh.filter((topic) => topic !== top || news.fresh.length > 1);
  return (
    <div className="timeline" aria-busy={fetching}>
      <div className="news" role="status">
        {fresh.length > 0 && (
          <button onClick={() => { news.clear(); refresh(); scrollTo({ top: 0, behavior: 'smooth' }); }}>
            {fresh.length} new
          </button>
        )}
      </div>
      {topics.length === 0 && !next && (empty ?? <Empty>Nothing has been posted here yet.</Empty>)}
      <div className="rows">{topics.map((topic) => <Row key={topic.id} topic={topic} />)}</div>
      {next ? <button ref={end} className="more" onClick={() => void load()}>{loading ? 'Loading …' : 'More'}</button>
        : topics.length > 10 && <p className="end">That is all.</p>}
    </div>
  );
}
