import { useEffect, useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { makeClient, session } from './lib/client.ts';
import { match, usePlace } from './lib/router.ts';
import { useStore } from './lib/store.ts';
import { Login, Register, Settings } from './pages/account.tsx';
import { List, Lists } from './pages/lists.tsx';
import { Notifications } from './pages/notifications.tsx';
import { Post } from './pages/post.tsx';
import { Topic } from './pages/topic.tsx';
import { Bookmarks, Category, Day, Front, Home, Tab, Tag } from './pages/topics.tsx';
import { User } from './pages/user.tsx';
import { Applications } from './staff/applications.tsx';
import { Blocklist } from './staff/blocklist.tsx';
import { Categories } from './staff/categories.tsx';
import { Groups } from './staff/groups.tsx';
import { History } from './staff/history.tsx';
import { Log } from './staff/log.tsx';
import { Queue } from './staff/queue.tsx';
import { Rules } from './staff/rules.tsx';
import { Tabs } from './staff/tabs.tsx';
import { Tasks } from './staff/tasks.tsx';
import { Team } from './staff/team.tsx';
import { Empty, Page } from './parts/basics.tsx';
import { Shell } from './parts/shell.tsx';
import './style.css';

type Values = Record<string, string>;
const open: Record<string, (values: Values) => ReactNode> = {
  '/': () => <Front />,
  '/tab/:name': ({ name = '' }) => <Tab key={name} name={name} />,
  '/c/:name': ({ name = '' }) => <Category key={name} name={name} />,
  '/tag/:name': ({ name = '' }) => <Tag key={name} name={name} />,
  '/day': () => <Day />,
  '/t/:number': ({ number = '' }) => <Topic key={number} number={Number(number) || 0} />,
  '/u/:login': ({ login = '' }) => <User key={login} login={login} />,
  '/@:login': ({ login = '' }) => <User key={login} login={login} />,
  '/log': () => <Log />,
  '/history/:id': ({ id = '' }) => <History key={id} id={id} />,
  '/login': () => <Login />,
  '/register': () => <Register />,
};
const closed: Record<string, (values: Values) => ReactNode> = {
  '/home': () => <Home />,
  '/bookmarks': () => <Bookmarks />,
  '/lists': () => <Lists />,
  '/lists/:id': ({ id = '' }) => <List key={id} id={id} />,
  '/notifications': () => <Notifications />,
  '/settings': () => <Settings />,
  '/new': () => <Post />,
  '/manage': () => <Categories />,
  '/manage/tabs': () => <Tabs />,
  '/manage/blocklist': () => <Blocklist />,
  '/manage/applications': () => <Applications />,
  '/manage/groups': () => <Groups />,
  '/manage/team': () => <Team />,
  '/manage/rules': () => <Rules />,
  '/manage/tasks': () => <Tasks />,
  '/queue': () => <Queue />,
};

function Route({ signedIn }: { signedIn: boolean }) {
  const { pathname } = usePlace();
  for (const [pattern, page] of Object.entries({ ...open, ...closed })) {
    const values = match(pattern, pathname);
    if (values) return pattern in closed && !signedIn ? <Login /> : page(values);
  }
  return <Page title="Not found"><Empty>There is no such page. <a href="/">See all topics</a>.</Empty></Page>;
}

/** The application, with a client and a cache of its own for each session. */
function App() {
  const user = useStore(session);
  const [made, setMade] = useState(() => ({ user, ...makeClient(user) }));
  if (made.user !== user) setMade({ user, ...makeClient(user) });
  useEffect(() => made.close, [made]);
  const entrance = usePlace().pathname === '/register' ? <Register /> : <Login />;
  return (
    <Provider key={made.user} value={made.client}>
      <Shell entrance={entrance}><Route signedIn={user !== ''} /></Shell>
    </Provider>
  );
}

createRoot(document.getElementById('app')!).render(<App />);
