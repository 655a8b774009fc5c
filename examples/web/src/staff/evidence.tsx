import { diffArrays } from 'diff';
import { useMemo, useState } from 'react';
import { KeptDocument, type CopyFragment, type PresentFragment, type StateFragment } from '../gql/graphql.ts';
import { useData } from '../lib/client.ts';
import { useSite } from '../lib/me.ts';
import { Person, Skeleton, Time, Trouble } from '../parts/basics.tsx';
import { audiences, causes, permissions, ruleOf } from './words.ts';

/** What something shows, by the names of its parts. Null is a text that the answer had no room for. */
type Parts = Record<string, string | null>;

/** Words, spaces, signs; of scripts without spaces, characters. Intl.Segmenter takes seconds for long texts. */
const alone = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]';
const words = new RegExp(`${alone}\\p{M}*|(?:(?!${alone})[\\p{L}\\p{N}\\p{M}])+|\\s+|[^]`, 'gu');
const split = (text: string): string[] => text.match(words) ?? [];

/** Of texts that differ by more words, none is marked: finding them takes long, and tells nothing. */
const maxEditLength = 500;

/** A part before and after a change, with the words that differ. */
function Change({ name, was, now, names: [then, since] }: {
  name: string; was: string; now: string; names: readonly [string, string];
}) {
  const changes = useMemo(() => diffArrays(split(was), split(now), { maxEditLength }), [was, now]);
  const kept = changes?.filter(({ added }) => !added).map(({ value, removed }, i) => (
    removed ? <del key={i}>{value}</del> : value.join('')
  ));
  const present = changes?.filter(({ removed }) => !removed).map(({ value, added }, i) => (
    added ? <ins key={i}>{value}</ins> : value.join('')
  ));
  return (
    <dl className="change">
      <div><dt>{name} {then}</dt><dd dir="auto">{kept ?? was}{!was && <em>empty</em>}</dd></div>
      <div><dt>{name} {since}</dt><dd dir="auto">{present ?? now}{!now && <em>empty</em>}</dd></div>
    </dl>
  );
}

/** The parts that differ; without one of the two, what the other one has. */
function Changes({ was, now, names }: { was?: Parts; now?: Parts; names: readonly [string, string] }) {
  return Object.keys({ ...was, ...now }).map((name) => {
    const [before, after] = [was?.[name] ?? '', now?.[name] ?? ''];
    if (was && now && now[name] !== null) {
      return before !== after && <Change key={name} name={name} was={before} now={after} names={names} />;
    }
    return (before || after) && (
      <dl key={name} className="change">
        <div><dt>{name} {was ? names[0] : names[1]}</dt><dd dir="auto">{before || after}</dd></div>
      </dl>
    );
  });
}

/** What the subject of a report or act shows now; undefined if it is gone. */
export function presentOf(subject: PresentFragment | null): Parts | undefined {
  switch (subject?.__typename) {
    case 'Topic': {
      const { title, content, link, tags, topicState } = subject;
      if (topicState === 'DELETED') return undefined;
      return { Title: title, Text: content, Link: link ?? '', Tags: tags.map(({ name }) => name).join(', ') };
    }
    case 'Comment':
      return subject.commentState === 'DELETED' ? undefined : { Text: subject.content };
    case 'User': {
      const { login, name, bio, website, avatarUrl } = subject;
      return { Login: login, Name: name, Text: bio, Link: website ?? '', Picture: avatarUrl ?? '' };
    }
    default:
      return undefined;
  }
}

function Copy({ copy, subject }: { copy: CopyFragment; subject: PresentFragment | null }) {
  const { cause, takenAt, revision, title, content, link, tags, login, name, avatarUrl, author, isTruncated } = copy;
  const was: Parts = {
    Title: title ?? '', Text: content, Link: link ?? '', Tags: tags.join(', '), Login: login ?? '', Name: name ?? '',
    Picture: avatarUrl ?? '',
  };
  const now = presentOf(subject);
  if (now?.['Text'] && isTruncated) now['Text'] = now['Text'].slice(0, content.length);
  const same = now && Object.keys(was).every((part) => was[part] === (now[part] ?? ''));
  return (
    <li className="copy" data-cause={cause}>
      <p className="meta">
        <strong>As it was {causes[cause]}</strong><Time at={takenAt} />
        {revision && <span>revision {revision}</span>}<span>by <Person user={author} /></span>
        {same && <span>unchanged since</span>}
        {!now && <span>deleted since</span>}
      </p>
      {!same && <Changes was={was} {...(now && { now })} names={['then', 'now']} />}
      {isTruncated && <p className="hint">Only the beginning of the text is kept.</p>}
      {now?.['Text'] === null && <p className="hint">The present text is too long to be shown beside it.</p>}
    </li>
  );
}

/** What is kept of a topic, comment or member, beside what it shows now. Null is what the answer had no room for. */
export function Copies({ copies, subject }: { copies: CopyFragment[]; subject: PresentFragment | null }) {
  return (
    <ol className="plain copies">
      {copies.map((copy) => <Copy key={copy.takenAt + copy.cause} copy={copy} subject={subject} />)}
    </ol>
  );
}

function Read({ of }: { of: string }) {
  const { data, error, refresh } = useData(KeptDocument, { id: of }, { requestPolicy: 'network-only' });
  const node = data?.node;
  if (error && !node) return <Trouble error={error} retry={refresh} />;
  if (!node) return data ? null : <Skeleton rows={1} />;
  const copies = 'evidence' in node ? node.evidence : null;
  if (!copies?.length) return <p className="hint">No copy is kept.</p>;
  const subject = 'subject' in node ? node.subject : node;
  return <Copies copies={copies} subject={subject as PresentFragment | null} />;
}

/** The copies of a topic or comment, or of what an act was done to, read once somebody wants to see them. */
export function Kept({ of }: { of: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="kept" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What is kept of it</summary>
      {open && <Read of={of} />}
    </details>
  );
}

/** What an act has changed of a category, a tab, a topic, the rules or a blocklist. */
export function Effect({ before, after }: { before: StateFragment | null; after: StateFragment | null }) {
  const { tabs, categories, groups } = useSite();
  const list = (ids: string[] | null, of: { id: string; name: string }[] | undefined, other = 'a deleted one') => (
    ids?.map((id) => of?.find((each) => each.id === id)?.name ?? other).join(', ')
  );
  const parts = (state: StateFragment | null): Parts | undefined => state ? {
    Name: state.name ?? '', Description: state.description ?? '', Position: String(state.position ?? ''),
    Title: state.title ?? '', Link: state.link ?? '',
    Categories: list(state.categoryIds, categories?.nodes) ?? '', Tabs: list(state.tabIds, tabs?.nodes) ?? '',
    'Who sees it': state.sees ? audiences[state.sees] : '',
    Groups: list(state.groupIds, groups?.nodes, 'one not shown') ?? '',
    'Who may post': state.posts ? permissions[state.posts] : '',
    'Who may reply and vote': state.replies ? permissions[state.replies] : '',
    Words: state.words?.join(', ') ?? '', Domains: state.domains?.join(', ') ?? '',
    ...Object.fromEntries(state.rules?.map(({ name, value }) => [name, ruleOf(name, value)]) ?? []),
  } : undefined;
  const [was, now] = [parts(before), parts(after)];
  if (!was && !now) return null;
  return (
    <details className="kept">
      <summary>What changed</summary>
      <Changes {...(was && { was })} {...(now && { now })} names={['before', 'after']} />
    </details>
  );
}
