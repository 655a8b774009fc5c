import type { ComponentProps } from 'react';
import {
  BookmarksDocument, CategoryDocument, DayRankDocument, FrontDocument, HomeDocument, TabDocument, TagDocument,
} from '../gql/graphql.ts';
import { useAsk, useData } from '../lib/client.ts';
import { count } from '../lib/format.ts';
import { useSite } from '../lib/me.ts';
import { Follow } from '../parts/actions.tsx';
import { CategoryLink, Empty, Lock, Page, permits, Restricted, Skeleton, Trouble } from '../parts/basics.tsx';
import { Kinds, Orders, Timeline, useKinds, useOrder, type Source } from '../parts/timeline.tsx';

const more = true;

/** What a page shows until it has its owner, or when there is none. */
export function Missing({ what, result }: {
  what: string; result: { error?: { message: string } | undefined; fetching: boolean; refresh: () => void };
}) {
  if (result.error) return <Trouble error={result.error} retry={result.refresh} />;
  return result.fetching ? <Skeleton /> : <Empty>There is no such {what}.</Empty>;
}

interface Listed extends Source, Omit<ComponentProps<typeof Page>, 'children'> { ordered?: boolean }

/** A page of one timeline. */
function Listing({ title, mark, lead, actions, ordered, ...source }: Listed) {
  return (
    <Page title={title} mark={mark} lead={lead} actions={actions}>
      {ordered && <Orders />}
      <Timeline {...source} />
    </Page>
  );
}

export function Front() {
  const order = useOrder();
  const ask = useAsk();
  const { site } = useSite();
  const result = useData(FrontDocument, order);
  return (
    <Listing
      ordered title={site?.name ?? 'Agora'} lead="All topics, of every kind" {...result}
      timeline={result.data?.timeline} more={(after) => ask(FrontDocument, { ...order, after, more })}
    />
  );
}

export function Tab({ name }: { name: string }) {
  const variables = { ...useOrder(), name };
  const ask = useAsk();
  const result = useData(TabDocument, variables);
  const tab = result.data?.tab;
  if (!tab) return <Missing what="tab" result={result} />;
  const links = tab.categories.nodes.map((each) => <CategoryLink key={each.id} of={each} />);
  return (
    <Listing
      ordered title={tab.name} lead={<><span>{count(tab.topicCount, 'topic')} in</span> {links}</>} {...result}
      timeline={tab.timeline} more={(after) => ask(TabDocument, { ...variables, after, more })}
    />
  );
}

export function Category({ name }: { name: string }) {
  const variables = { ...useOrder(), name };
  const ask = useAsk();
  const result = useData(CategoryDocument, variables);
  const category = result.data?.category;
  if (!category) return <Missing what="category" result={result} />;
  const lead = (
    <>
      <span dir="auto">{category.description}</span> <span>{count(category.topicCount, 'topic')}</span>
      <Restricted access={category.access} deed="posts" />
    </>
  );
  const actions = (
    <>
      {permits(category.access, 'posts') && (
        <a className="button" href={`/new?category=${encodeURIComponent(category.name)}`}>Post here</a>
      )}
      <Follow target={category} />
    </>
  );
  return (
    <Listing
      ordered title={category.name} mark={<Lock of={category} />} lead={lead} actions={actions} {...result}
      timeline={category.timeline} more={(after) => ask(CategoryDocument, { ...variables, after, more })}
    />
  );
}

export function Tag({ name }: { name: string }) {
  const variables = { ...useOrder(), name };
  const ask = useAsk();
  const result = useData(TagDocument, variables);
  const tag = result.data?.tag;
  if (!tag) return <Missing what="tag" result={result} />;
  return (
    <Listing
      ordered title={`#${tag.name}`} lead={count(tag.topicCount, 'topic')} actions={<Follow target={tag} />} {...result}
      timeline={tag.timeline} more={(after) => ask(TagDocument, { ...variables, after, more })}
    />
  );
}

export function Day() {
  const ask = useAsk();
  const result = useData(DayRankDocument, {});
  return (
    <Listing
      title="Most replied today" lead="The topics with the most comments since midnight" {...result}
      timeline={result.data?.timeline} more={(after) => ask(DayRankDocument, { after, more })}
    />
  );
}

export function Home() {
  const ask = useAsk();
  const kinds = useKinds();
  const result = useData(HomeDocument, kinds);
  return (
    <Listing
      title="Home" lead="From everyone and everything you follow" actions={<Kinds />} {...result}
      timeline={result.data?.viewer?.home} more={(after) => ask(HomeDocument, { ...kinds, after, more })}
      empty={<Empty icon="home">Follow people, categories or tags, and what they post appears here.</Empty>}
    />
  );
}

export function Bookmarks() {
  const ask = useAsk();
  const result = useData(BookmarksDocument, {});
  return (
    <Listing
      title="Bookmarks" lead="Only you see them" {...result}
      timeline={result.data?.viewer?.bookmarks} more={(after) => ask(BookmarksDocument, { after, more })}
      empty={<Empty icon="mark">You have no bookmarks yet.</Empty>}
    />
  );
}
