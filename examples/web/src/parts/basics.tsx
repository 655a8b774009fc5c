import { useEffect, type ReactNode } from 'react';
import type { CategoryNameFragment, PermitsFragment, PersonFragment } from '../gql/graphql.ts';
import { ago, exact } from '../lib/format.ts';
import { path } from '../lib/router.ts';
import { Icon, type IconName } from './icons.tsx';

export const Time = ({ at }: { at: string }) => <time dateTime={at} title={exact(at)}>{ago(at)}</time>;

/** A disc with the first letter of a login, in a colour of its own. */
export function Avatar({ user, large }: { user: Pick<PersonFragment, 'login' | 'avatarUrl'>; large?: boolean }) {
  const name = large ? 'avatar large' : 'avatar';
  if (user.avatarUrl) return <img className={name} src={user.avatarUrl} alt="" referrerPolicy="no-referrer" />;
  const hue = [...user.login].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 360, 7);
  const letter = [...user.login][0]!.toUpperCase();
  return (
    <span className={name} aria-hidden="true" style={{ '--hue': hue } as object}>{letter}</span>
  );
}

export function Person({ user, face }: { user: PersonFragment; face?: boolean }) {
  if (user.login === 'ghost') return <span className="person gone">former member</span>;
  return (
    <a className="person" href={path('u', user.login)} title={user.name}>
      {face && <Avatar user={user} />}
      <bdi>{user.login}</bdi>
      {user.isBot && <span className="role">bot</span>}
      {user.role !== 'USER' && <span className="role">{user.role === 'ADMIN' ? 'admin' : 'mod'}</span>}
    </a>
  );
}

/** A link that a user has given. */
export const Foreign = (props: { className?: string; href: string; children: ReactNode }) => (
  <a {...props} target="_blank" rel="noreferrer nofollow ugc" />
);

const locks = { PUBLIC: '', MEMBERS: 'Members only', GROUPS: 'Only for groups' };

/** Marks the name of a category that not everybody sees. */
export function Lock({ of: { access: { sees } } }: { of: Pick<CategoryNameFragment, 'access'> }) {
  const label = locks[sees];
  return label && (
    <>{' '}<span className="lock" role="img" aria-label={label} title={label}><Icon name="lock" /></span></>
  );
}

export const CategoryLink = ({ of }: { of: CategoryNameFragment }) => (
  <a className="chip" href={path('c', of.name)}><bdi>{of.name}</bdi><Lock of={of} /></a>
);

export const Tags = ({ tags }: { tags: { id: string; name: string }[] }) => tags.map(({ id, name }) => (
  <a key={id} className="tag" href={path('tag', name)}><bdi>{name}</bdi></a>
));

/** A text of a user, which the server has made safe. */
export const Html = ({ html, className = '' }: { html: string; className?: string }) => (
  <div className={`prose ${className}`} dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
);

export function useTitle(title: string | undefined) {
  useEffect(() => {
    if (title) document.title = title;
  }, [title]);
}

export function Page({ title, mark, children, lead, actions }: {
  title: string; mark?: ReactNode; children: ReactNode; lead?: ReactNode; actions?: ReactNode;
}) {
  useTitle(title);
  return (
    <>
      <header className="page">
        <div>
          <h1 dir="auto">{title}{mark}</h1>
          {lead && <div className="lead">{lead}</div>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

export const Skeleton = ({ rows = 6 }: { rows?: number }) => (
  <div className="skeletons" role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, i) => <div key={i} className="skeleton"><i /><div><b /><span /></div></div>)}
  </div>
);

export const Empty = ({ icon = 'talk', children }: { icon?: IconName; children: ReactNode }) => (
  <div className="empty"><Icon name={icon} /><div>{children}</div></div>
);

const deeds = { posts: ['POST', 'post'], replies: ['COMMENT', 'reply'] } as const;
type Deed = keyof typeof deeds;

/** Whether the viewer may post or reply in a category, or may once signed in; so it seems until that is known. */
export const permits = (access: PermitsFragment | undefined, deed: Deed) => (
  !access || access[deed] === 'EVERYBODY' || access.viewerCan.includes(deeds[deed][0])
);

/** Says who posts or replies in a category, if that leaves out the viewer. */
export const Restricted = ({ access, deed, where = 'here' }: {
  access: PermitsFragment | undefined; deed: Deed; where?: string;
}) => !permits(access, deed) && (
  <p className="restricted">
    <Icon name="lock" />
    {access?.[deed] === 'NOBODY' ? `Nobody ${deed}` : `Only moderators ${deeds[deed][1]}`} {where}.
  </p>
);

/** What went wrong with a whole page, and a way on. */
export const Trouble = ({ error, retry }: { error: { message: string; networkError?: Error }; retry: () => void }) => (
  <div className="empty trouble" role="alert">
    <p>{error.networkError ? 'The server cannot be reached.' : error.message.replace('[GraphQL] ', '')}</p>
    <button onClick={retry}>Try again</button>
  </div>
);

/** A row of links of which one is current. */
export function Choices({ label, options, current }: {
  label: string; options: { name: string; href: string; value: string }[]; current: string;
}) {
  return (
    <nav className="choices" aria-label={label}>
      {options.map(({ name, href, value }) => (
        <a key={value} href={href} aria-current={value === current ? 'page' : undefined}><bdi>{name}</bdi></a>
      ))}
    </nav>
  );
}
