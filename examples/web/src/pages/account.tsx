import { useEffect, useState } from 'react';
import {
  AccountDocument, CreateInvitationDocument, CreateTokenDocument, InvitationsDocument, LoginDocument,
  LogoutDocument, RegisterDocument, RevokeInvitationDocument, RevokeTokenDocument, StartSessionDocument,
  UpdateProfileDocument,
  type AccountQuery, type Role, type TokenScope,
} from '../gql/graphql.ts';
import { session, useChange, useData } from '../lib/client.ts';
import { attemptKey, host } from '../lib/format.ts';
import { useSite, useUser } from '../lib/me.ts';
import { go, here, usePlace } from '../lib/router.ts';
import { useStore } from '../lib/store.ts';
import { demo } from '../lib/trace.ts';
import { Empty, Page, Skeleton, Time } from '../parts/basics.tsx';
import { Check, Field, Form, useForm } from '../parts/form.tsx';
import { Takeout } from '../parts/takeout.tsx';
import { say } from '../parts/toasts.tsx';

const roles: Record<string, string> = { USER: 'member', MODERATOR: 'moderator', ADMIN: 'administrator' };

interface Offer { password: string; accounts: { login: string; role: string }[] }

/** The accounts of the demo; one whose data are kept has none. */
function useOffer(): Offer | undefined {
  const [offer, setOffer] = useState<Offer>();
  const onDemo = useStore(demo);
  useEffect(() => {
    if (!onDemo) return;
    fetch('/demo.json').then((answer) => (answer.ok ? answer.json() : undefined)).then(setOffer, () => undefined);
  }, [onDemo]);
  return offer;
}

/** Browsers only accept the cookie of the session over https, and on this machine. */
const warning = !isSecureContext && <p className="hint">Open this page over https, or you will not stay signed in.</p>;

/** Where signing in was asked for, and where to go on: on this site only. */
function useNext() {
  const place = usePlace();
  const asked = /^\/(login|register)$/.test(place.pathname) ? '/' : place.pathname + place.search;
  return here(place.searchParams.get('next') ?? asked);
}

/** Continues there once somebody is signed in. */
function useEnter() {
  const next = useNext();
  return (user: string) => {
    session.set(user);
    go(next, 'replace');
  };
}

/** Where this tab keeps the word by which it knows the token that it asked for. */
const word = 'agora:asked';

/** Takes the token that the page of the site has added to the address, and removes it from there. */
function takeToken(place: URL) {
  const token = new URLSearchParams(place.hash.slice(1)).get('token');
  if (!token) return undefined;
  const asked = sessionStorage.getItem(word);
  sessionStorage.removeItem(word);
  // A link of somebody else must not sign in its reader as somebody else.
  const wanted = asked !== null && asked === place.searchParams.get('state');
  const clean = new URL(place);
  clean.hash = '';
  clean.searchParams.delete('state');
  go(clean.href, 'replace');
  return { token, wanted };
}

/** Leads to the page on which the members of the site sign in, and lets those in who come back from there. */
function OfTheSite({ page }: { page: string }) {
  const start = useChange(StartSessionDocument);
  const place = usePlace();
  const next = useNext();
  const enter = useEnter();
  const [fault, setFault] = useState('');
  useEffect(() => {
    const taken = takeToken(place);
    if (!taken) return;
    if (!taken.wanted) return setFault('This tab did not ask for that link. Sign in again.');
    start({}, taken.token).then(({ startSession: result }) => {
      if (result?.viewer) enter(result.viewer.user.id);
      else setFault(result?.errors[0]?.message ?? '');
    }, (error: Error) => setFault(error.message));
  }, []);
  function leave() {
    const state = attemptKey();
    sessionStorage.setItem(word, state);
    const back = new URL(`/login?${new URLSearchParams({ next, state })}`, location.href);
    const to = new URL(page);
    to.searchParams.set('return', back.href);
    location.assign(to);
  }
  return (
    <section className="panel">
      <p>Members of <strong>{host(page)}</strong> sign in there, and come back.</p>
      <p className="fault" role="alert">{fault}</p>
      <div className="actions"><button className="primary" onClick={leave}>Continue to {host(page)}</button></div>
    </section>
  );
}

export function Login() {
  const login = useChange(LoginDocument);
  const enter = useEnter();
  const next = useNext();
  const place = usePlace();
  const user = useUser();
  const { site } = useSite();
  const offer = useOffer();
  // A cookie may have signed in whoever comes back from the page of the site.
  useEffect(() => {
    if (user && !place.hash) go(next, 'replace');
  }, [user]);
  async function signIn(identifier: string, password: string) {
    const { login: result } = await login({ input: { identifier, password, cookie: true } });
    if (result?.viewer) enter(result.viewer.user.id);
    return result?.errors;
  }
  const state = useForm(({ identifier = '', password = '' }) => signIn(identifier, password));
  if (!site) return <Page title="Sign in"><Skeleton rows={2} /></Page>;
  const { local, page, issuers } = site.signIn;
  return (
    <Page title="Sign in">
      {warning}
      {page && <OfTheSite page={page} />}
      {!local && !page && (
        <Empty>Members sign in at {issuers.map(host).join(' or ')}, and come here from there.</Empty>
      )}
      {local && page && <p className="hint">Or sign in here, with a password.</p>}
      {local && offer && (
        <section className="demo" aria-labelledby="demo">
          <h2 id="demo">This is a demo. Look around as</h2>
          <div className="actions">
            {offer.accounts.map(({ login: name, role }) => (
              <button
                key={name}
                onClick={() => void signIn(name, offer.password)
                  .then((errors) => errors?.[0] && say(errors[0].message), (error: Error) => say(error.message))}
              >
                <bdi>{name}</bdi><small>{roles[role]}</small>
              </button>
            ))}
          </div>
          <p className="hint">All with the password <code>{offer.password}</code></p>
        </section>
      )}
      {local && (
        <Form state={state} action={<button className="primary" disabled={state.busy}>Sign in</button>}>
          <Field
            label="Login or e-mail" name="identifier" state={state} autoComplete="username" autoCapitalize="none"
          />
          <Field label="Password" name="password" state={state} type="password" autoComplete="current-password" />
        </Form>
      )}
      {local && site.registration !== 'CLOSED' && (
        <p className="hint">New here? <a href={`/register${place.search}`}>Create an account</a>.</p>
      )}
    </Page>
  );
}

export function Register() {
  const register = useChange(RegisterDocument);
  const enter = useEnter();
  const [idempotencyKey] = useState(attemptKey);
  const [end, setEnd] = useState('');
  const { site } = useSite();
  const mode = site?.registration;
  const code = usePlace().searchParams.get('invitation') ?? '';
  const state = useForm(async ({ login = '', name = '', email = '', password = '', invitation, application }) => {
    const input = { login, email, password, ...(name && { name }), ...(invitation && { invitation }), application };
    const { register: result } = await register({ input: { ...input, idempotencyKey, cookie: true } });
    if (result?.viewer) enter(result.viewer.user.id);
    const waits = result?.errors.some(({ code: refused }) => refused === 'AWAITING_APPROVAL');
    if (waits) setEnd('A moderator will look at your account. You can sign in once it is approved.');
    return waits ? [] : result?.errors;
  });
  if (!site?.signIn.local) return <Login />; // which makes the accounts of the members of the site
  const over = mode === 'CLOSED' ? 'Nobody can register at present.' : end;
  if (over) return <Page title="Create an account"><Empty>{over}</Empty></Page>;
  return (
    <Page title="Create an account">
      {warning}
      {mode === 'APPROVAL' && <p className="hint">A moderator approves each new account before it can be used.</p>}
      <Form state={state} action={<button className="primary" disabled={state.busy}>Create account</button>}>
        <Field label="Login" name="login" state={state} autoComplete="username" hint="2 to 32 letters and digits" />
        <Field label="Display name" name="name" state={state} autoComplete="name" hint="Optional" />
        <Field label="E-mail" name="email" state={state} type="email" autoComplete="email" hint="Never shown" />
        <Field label="Password" name="password" state={state} type="password" autoComplete="new-password" />
        {(mode === 'INVITE' || code) && (
          <Field label="Invitation" name="invitation" state={state} defaultValue={code} />
        )}
        {mode === 'APPROVAL' && !code && (
          <Field label="Why would you like to join?" name="application" state={state} lines={3} />
        )}
      </Form>
      <p className="hint">Already a member? <a href="/login">Sign in</a>.</p>
    </Page>
  );
}

function Profile({ user }: { user: NonNullable<AccountQuery['viewer']>['user'] }) {
  const update = useChange(UpdateProfileDocument);
  const state = useForm(async ({ name = '', bio = '', website = '', avatarUrl = '', isBot }) => {
    const { updateProfile } = await update({ input: { name, bio, website, avatarUrl, isBot: isBot !== undefined } });
    if (updateProfile?.viewer) say('Your profile has changed.');
    return updateProfile?.errors;
  });
  return (
    <Form state={state} action={<button disabled={state.busy}>Save profile</button>}>
      <Field label="Display name" name="name" state={state} defaultValue={user.name} />
      <Field label="About you" name="bio" state={state} lines={4} defaultValue={user.bio} />
      <Field label="Website" name="website" state={state} type="url" defaultValue={user.website ?? ''} />
      <Field label="Picture" name="avatarUrl" state={state} type="url" defaultValue={user.avatarUrl ?? ''} />
      <Check label="A program posts with this account" name="isBot" defaultChecked={user.isBot} />
    </Form>
  );
}

const ranks: Role[] = ['USER', 'MODERATOR', 'ADMIN'];

/** The invitations of the viewer, where members need one and the viewer may make some. */
function Invitations({ role }: { role: Role }) {
  const { data, refresh } = useData(InvitationsDocument, {}, { requestPolicy: 'cache-and-network' });
  const [create, revoke] = [useChange(CreateInvitationDocument), useChange(RevokeInvitationDocument)];
  const state = useForm(async ({ uses, note = '' }) => {
    const { createInvitation } = await create({ input: { uses: Number(uses), note } });
    refresh();
    return createInvitation?.errors;
  });
  const mode = data?.site.registration;
  const local = useSite().site?.signIn.local;
  const may = data && ranks.indexOf(role) >= ranks.indexOf(data.site.rules.invitationsBy);
  if (!may || !local || mode === 'OPEN' || mode === 'CLOSED') return null;
  return (
    <section className="panel"><h2>Invitations</h2>
      {data.viewer?.invitations.map(({ id, code, note, usesLeft, expiresAt }) => code && (
        <p key={id}>
          <button onClick={() => void revoke({ id }).then(refresh)}>End</button>{' '}
          <a href={`/register?invitation=${code}`}>{code}</a> {note && <q dir="auto">{note}</q>}: {usesLeft} left,
          until {new Date(expiresAt).toLocaleDateString()}
        </p>
      ))}
      <Form state={state} action={<button disabled={state.busy}>Invite</button>}>
        <Field label="How many may use it" name="uses" state={state} type="number" defaultValue={1} />
        <Field label="Remark" name="note" state={state} hint="Nobody else sees it" />
      </Form>
    </section>
  );
}

const scopes: TokenScope[] =
  ['READ', 'POST', 'VOTE', 'FOLLOW', 'PROFILE', 'MODERATE', 'ADMIN', 'IMPERSONATE', 'END_SESSIONS', 'EXPORT', 'ROOMS'];

export function Settings() {
  const { data, refresh } = useData(AccountDocument, {}, { requestPolicy: 'cache-and-network' });
  const logout = useChange(LogoutDocument);
  const [create, revoke] = [useChange(CreateTokenDocument), useChange(RevokeTokenDocument)];
  const adding = useForm(async ({ name = '', ...chosen }) => {
    const { createToken } = await create({ input: { name, scopes: scopes.filter((scope) => scope in chosen) } });
    if (createToken?.token) prompt('Copy the token now. It is not shown again.', createToken.token);
    refresh();
    return createToken?.errors;
  });
  const viewer = data?.viewer;
  if (!viewer) return <Skeleton rows={3} />;
  return (
    <Page title="Account" lead={<bdi>@{viewer.user.login}</bdi>}>
      <section className="panel">
        <h2>Where you are signed in</h2>
        <ul className="plain">
          {viewer.sessions.map((each) => (
            <li key={each.id}>
              <span className="agent">{each.userAgent ?? 'Unknown device'}</span>
              <span>last seen <Time at={each.lastSeenAt} /></span>
              {each.isCurrent ? <span className="chip">this one</span>
                : <button onClick={() => void logout({ id: each.id }).then(refresh)}>End</button>}
            </li>
          ))}
        </ul>
      </section>
      <section className="panel"><h2>Profile</h2><Profile user={viewer.user} /></section>
      <Invitations role={viewer.user.role} />
      <section className="panel"><h2>API tokens</h2>
        {viewer.tokens.map(({ id, name, scopes: may, lastUsedAt }) => (
          <p key={id}>
            <button onClick={() => void revoke({ id }).then(refresh)}>Revoke</button>{' '}
            <bdi>{name}</bdi>: {may.join(', ')}; {lastUsedAt ? <>used <Time at={lastUsedAt} /></> : 'never used'}
          </p>
        ))}
        <Form state={adding} action={<button disabled={adding.busy}>Create token</button>}>
          <Field label="Name of the token" name="name" state={adding} />
          {scopes.map((scope) => <Check key={scope} label={scope} name={scope} />)}
        </Form>
      </section>
      <Takeout />
    </Page>
  );
}
