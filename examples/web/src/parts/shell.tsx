import { codeOf } from 'agora-client/errors';
import { useEffect, useState, type ReactNode } from 'react';
import {
  EntranceDocument, LogoutDocument, NotificationAddedDocument, PopularDocument, ShellDocument,
} from '../gql/graphql.ts';
import { live, session, useChange, useData, useLive } from '../lib/client.ts';
import { count, short } from '../lib/format.ts';
import { isModerator, Me, useManages, useModerates, useSite, useUser } from '../lib/me.ts';
import { go, path, usePlace } from '../lib/router.ts';
import { stored, useStore } from '../lib/store.ts';
import { demo } from '../lib/trace.ts';
import icon from '../icon.svg';
import { Avatar, Lock, Trouble } from './basics.tsx';
import { Icon, type IconName } from './icons.tsx';
import { Inspector } from './inspector.tsx';
import { Toasts, say } from './toasts.tsx';

const theme = stored('agora:theme');

function Theme() {
  const chosen = useStore(theme);
  useEffect(() => {
    document.documentElement.dataset['theme'] = chosen;
  }, [chosen]);
  const next = chosen === '' ? 'dark' : chosen === 'dark' ? 'light' : '';
  return (
    <button className="quiet" onClick={() => theme.set(next)} title={`Theme: ${chosen || 'automatic'}`}>
      <Icon name="theme" /><span>{chosen === '' ? 'Automatic' : chosen === 'dark' ? 'Dark' : 'Light'} theme</span>
    </button>
  );
}

/** Says that live updates are interrupted, once that has lasted a moment. */
function Connection() {
  const state = useStore(live);
  useEffect(() => {
    document.documentElement.dataset['live'] = state;
  }, [state]);
  return (
    <div className="connection" role="status">
      {state === 'lost' && <p><i />Reconnecting …</p>}
    </div>
  );
}

function Item({ href, icon, children }: { href: string; icon?: IconName; children: ReactNode }) {
  const here = usePlace().pathname;
  return (
    <li>
      <a href={href} aria-current={decodeURI(here) === decodeURI(href) ? 'page' : undefined}>
        {icon && <Icon name={icon} />}<bdi>{children}</bdi>
      </a>
    </li>
  );
}

function Header({ unread }: { unread: number }) {
  const user = useUser();
  const { site } = useSite();
  const moderates = useModerates();
  const manages = useManages();
  const logout = useChange(LogoutDocument);
  const leave = () => void logout({ id: null })
    .then(() => { session.set(''); go('/'); }, (error: Error) => say(error.message));
  return (
    <header className="top">
      <a className="skip" href="#main">Skip to content</a>
      <a className="brand" href="/"><img src={icon} alt="" width="28" height="28" />{site?.name ?? 'Agora'}</a>
      <Connection />
      <div className="actions">
        <a className="button primary" href="/new" aria-label="Post"><Icon name="pen" /><span>Post</span></a>
        {user && (
          <a className="button quiet bell" href="/notifications" aria-label={`Notifications, ${unread} unread`}>
            <Icon name="bell" />{unread > 0 && <span className="badge">{unread > 99 ? '99+' : unread}</span>}
          </a>
        )}
        {user ? (
          <details className="menu">
            <summary aria-label={`Account of ${user.login}`}><Avatar user={user} /></summary>
            <div onClick={(event) => event.currentTarget.parentElement?.removeAttribute('open')}>
              <a href={path('u', user.login)}>Profile of <bdi>{user.login}</bdi></a>
              <a href="/settings">Account</a>
              {moderates && <a href="/queue">Reports</a>}
              {isModerator(user) && <a href="/manage">Manage the site</a>}
              {manages && <a href="/manage/groups">Groups</a>}
              {(moderates || site?.publicModerationLog) && <a href="/log">Moderation log</a>}
              <Theme />
              <button className="quiet" onClick={leave}>Sign out</button>
            </div>
          </details>
        ) : <><Theme /><a className="button" href="/login">Sign in</a></>}
      </div>
    </header>
  );
}

function Side() {
  const { tabs, categories } = useSite();
  const user = useUser();
  return (
    <nav className="side-nav" aria-label="Site">
      <ul>
        <Item href="/" icon="list">All topics</Item>
        <Item href="/day" icon="fire">Most replied</Item>
        {user && <Item href="/home" icon="home">Home</Item>}
        {user && <Item href="/bookmarks" icon="mark">Bookmarks</Item>}
        {user && <Item href="/lists" icon="list">Lists</Item>}
      </ul>
      <h2>Tabs</h2>
      <ul className="tabs">
        {tabs?.nodes.map((tab) => <Item key={tab.id} href={path('tab', tab.name)}>{tab.name}</Item>)}
      </ul>
      <h2 className="wide">Categories</h2>
      <ul className="wide">
        {categories?.nodes.map((each) => (
          <Item key={each.id} href={path('c', each.name)}>{each.name}<Lock of={each} /></Item>
        ))}
      </ul>
    </nav>
  );
}

function Rail() {
  const { site } = useSite();
  const { data } = useData(PopularDocument, {});
  const onDemo = useStore(demo);
  return (
    <aside className="rail" aria-label="About the site">
      {data?.dayRank && data.dayRank.topics.nodes.length > 0 && (
        <section>
          <h2><a href="/day">Most replied today</a></h2>
          <ol>
            {data.dayRank.topics.nodes.map((topic) => (
              <li key={topic.id}>
                <a href={path('t', topic.number)} dir="auto">{topic.title}</a>
                <span>{count(topic.commentCountToday, 'reply', 'replies')}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
      {site && (
        <section className="facts">
          <dl>
            {site.userCount != null && <div><dd>{short(site.userCount)}</dd><dt>members</dt></div>}
            <div><dd>{short(site.topicCount)}</dd><dt>topics</dt></div>
            <div><dd>{short(site.commentCount)}</dd><dt>comments</dt></div>
          </dl>
          {onDemo && (
            <p>
              This page is an example of a front end. All that it shows comes from one GraphQL API:
              try it in the <a href="/playground">playground</a>, or read the <a href="/docs/">documentation</a>.
            </p>
          )}
        </section>
      )}
    </aside>
  );
}

/** A site for members, to whoever is not signed in. */
function Closed({ entrance }: { entrance: ReactNode }) {
  const { data, error, refresh } = useData(EntranceDocument, {});
  return (
    <Me.Provider value={data ?? {}}>
      <Header unread={0} />
      <div className="frame">
        <main id="main" tabIndex={-1}>{error && !data ? <Trouble error={error} retry={refresh} /> : entrance}</main>
      </div>
      <Toasts />
    </Me.Provider>
  );
}

/** What surrounds each page; entrance is shown instead where one must sign in first. */
export function Shell({ children, entrance }: { children: ReactNode; entrance: ReactNode }) {
  const { data, error, refresh } = useData(ShellDocument, {});
  const viewer = data?.viewer;
  // The cookie decides who is signed in: it may have been set, or have ended, elsewhere.
  useEffect(() => {
    if (data && session.value !== (viewer?.user.id ?? '')) session.set(viewer?.user.id ?? '');
  }, [data, viewer]);
  const [place] = useState({ value: undefined as string | null | undefined });
  if (viewer && place.value === undefined) place.value = viewer.notificationsEventId ?? null;
  useLive(NotificationAddedDocument, { after: place.value ?? null }, !viewer, ({ notificationAdded }) => {
    if (notificationAdded.kind === 'RESET') refresh();
  });
  const unread = viewer?.unreadNotificationCount ?? 0;
  useEffect(() => {
    document.title = document.title.replace(/^(\(\d+\) )?/, unread ? `(${unread}) ` : '');
  });
  if (!data && error && codeOf(error) === 'UNAUTHENTICATED') return <Closed entrance={entrance} />;
  return (
    <Me.Provider value={data ?? {}}>
      <Header unread={unread} />
      <div className="frame">
        <Side />
        <main id="main" tabIndex={-1}>{error && !data ? <Trouble error={error} retry={refresh} /> : children}</main>
        <Rail />
      </div>
      <Toasts />
      <Inspector />
    </Me.Provider>
  );
}
