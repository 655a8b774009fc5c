import {
  BookmarksDocument, CategoryDocument, DayRankDocument, FrontDocument, HomeDocument, TabDocument, TagDocument,
} from '../gql/graphql.ts';
import { useAsk, useData } from '../lib/client.ts';
import { count } from '../lib/format.ts';
import { useSite } from '../lib/me.ts';
import { path } from '../lib/router.ts';
import { Follow } from '../parts/actions.tsx';
import { Empty, Page, Skeleton, Trouble } from '../parts/basics.tsx';
import { Orders, Timeline, useOrder } from '../parts/timeline.tsx';

const more = true;

/** What a page shows until it has its owner, or when there is none. */
export function Missing({ what, result }: {
  what: string; result: { error?: { message: string } | undefined; fetching: boolean; refresh: () => void };
}) {
  if (result.error) return <Trouble error={result.error} retry={result.refresh} />;
  return result.fetching ? <Skeleton /> : <Empty>There is no such {what}.</Empty>;
}

export function Front() {
  const order = useOrder();
  const ask = useAsk();
  const { site } = useSite();
  const result = useData(FrontDocument, order);
  return (
    <Page title={site?.name ?? 'Agora'} lead="All topics, of every kind">
      <Orders />
      <Timeline {...result} timeline={result.data?.timeline} more={(after) => ask(FrontDocument, { ...order, after, more })} />
    </Page>
  );
}

export function Tab({ name }: { name: string }) {
  const variables = { ...useOrder(), name };
  const ask = useAsk();
  const result = useData(TabDocument, variables);
  const tab = result.data?.tab;
  if (!tab) return <Missing what="tab" result={result} />;
  const links = tab.categories.nodes.map((each) => <a key={each.id} className="chip" href={path('c', each.name)}><bdi>{each.name}</bdi></a>);
  return (
    <Page title={tab.name} lead={<><span>{count(tab.topicCount, 'topic')} in</span> {links}</>}>
      <Orders />
      <Timeline {...result} timeline={tab.timeline} more={(after) => ask(TabDocument, { ...variables, after, more })} />
    </Page>
  );
}

export function Category({ name }: { name: string }) {
  const variables = { ...useOrder(), name };
  const ask = useAsk();
  const result = useData(CategoryDocument, variables);
  const category = result.data?.category;
  if (!category) return <Missing what="category" result={result} />;
  const lead = <><span dir="auto">{category.description}</span> <span>{count(category.topicCount, 'topic')}</span></>;
  return (
    <Page title={category.name} lead={lead} actions={<Follow target={category} />}>
      <Orders />
      <Timeline {...result} timeline={category.timeline} more={(after) => ask(CategoryDocument, { ...variables, after, more })} />
    </Page>
  );
}

export function Tag({ name }: { name: string }) {
  const variables = { ...useOrder(), name };
  const ask = useAsk();
  const result = useData(TagDocument, variables);
  const tag = result.data?.tag;
  if (!tag) return <Missing what="tag" result={result} />;
  return (
    <Page title={`#${tag.name}`} lead={count(tag.topicCount, 'topic')} actions={<Follow target={tag} />}>
      <Orders />
      <Timeline {...result} timeline={tag.timeline} more={(after) => ask(TagDocument, { ...variables, after, more })} />
    </Page>
  );
}

export function Day() {
  const ask = useAsk();
  const result = useData(DayRankDocument, {});
  return (
    <Page title="Most replied today" lead="The topics with the most comments since midnight">
      <Timeline {...result} timeline={result.data?.timeline} more={(after) => ask(DayRankDocument, { after, more })} />
    </Page>
  );
}

export function Home() {
  const ask = useAsk();
  const result = useData(HomeDocument, {});
  const empty = <Empty icon="home">Follow people, categories or tags, and what they post appears here.</Empty>;
  return (
    <Page title="Home" lead="From everyone and everything you follow">
      <Timeline
        {...result} timeline={result.data?.viewer?.home} empty={empty}
        more={(after) => ask(HomeDocument, { after, more })}
      />
    </Page>
  );
}

export function Bookmarks() {
  const ask = useAsk();
  const result = useData(BookmarksDocument, {});
  return (
    <Page title="Bookmarks" lead="Only you see them">
      <Timeline
        {...result} timeline={result.data?.viewer?.bookmarks} empty={<Empty icon="mark">You have no bookmarks yet.</Empty>}
        more={(after) => ask(BookmarksDocument, { after, more })}
      />
    </Page>
  );
}
