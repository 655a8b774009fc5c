import {
  RulesDocument, UpdateRulesDocument, type MemberList, type RegistrationMode, type Role, type RulesFragment,
  type SiteAccess, type UpdateRulesInput,
} from '../gql/graphql.ts';
import { useChange, useData } from '../lib/client.ts';
import { useSite } from '../lib/me.ts';
import { Skeleton, Trouble } from '../parts/basics.tsx';
import { Check, Field, Form, useForm } from '../parts/form.tsx';
import { say } from '../parts/toasts.tsx';
import { Managed } from './manage.tsx';
import { accesses, memberLists, modes, roles } from './words.ts';

const limits = [
  'newMemberSeconds', 'newMemberKarma', 'newMemberLinks', 'newMemberPostsPerDay', 'newMemberMentions', 'heldPosts',
] as const;

/** The rules that a form changes: others stay as somebody else may have set them meanwhile. No number lifts a limit. */
function changes(site: RulesFragment, values: Record<string, string>) {
  const { access, rules, publicModerationLog, showModerators } = site;
  const input: UpdateRulesInput = {};
  for (const name of limits) {
    const value = values[name] ? Number(values[name]) : -1;
    if (value !== (rules[name] ?? -1)) input[name] = value;
  }
  const switches = { refuseDuplicates: rules.refuseDuplicates, publicModerationLog, showModerators };
  for (const [name, before] of Object.entries(switches)) {
    if (name in values !== before) input[name as keyof typeof switches] = !before;
  }
  if (values['access'] !== access) input.access = values['access'] as SiteAccess;
  if (values['registration'] !== rules.registration) input.registration = values['registration'] as RegistrationMode;
  if (values['invitationsBy'] !== rules.invitationsBy) input.invitationsBy = values['invitationsBy'] as Role;
  if (values['memberList'] !== rules.memberList) input.memberList = values['memberList'] as MemberList;
  return input;
}

function Change({ site }: { site: RulesFragment }) {
  const update = useChange(UpdateRulesDocument);
  const state = useForm(async (values) => {
    const { updateRules } = await update({ input: changes(site, values) });
    if (updateRules?.errors.length === 0) say('The rules have changed.');
    return updateRules?.errors;
  });
  const { rules } = site;
  const local = useSite().site?.signIn.local;
  const limit = (name: (typeof limits)[number], label: string, hint: string) => (
    <Field label={label} name={name} state={state} type="number" defaultValue={rules[name] ?? ''} hint={hint} />
  );
  return (
    <Form state={state} action={<button className="primary" disabled={state.busy}>Save</button>}>
      <fieldset className="panel">
        <legend>Who comes in</legend>
        <Field
          label="Who may use the site" name="access" state={state} defaultValue={site.access} options={accesses}
          hint="Others than members see only the page to sign in"
        />
        <Field
          label="Who may register" name="registration" state={state} defaultValue={rules.registration} options={modes}
          hint={local ? '' : 'Without passwords nobody does: members sign in with tokens, in every mode'}
        />
        <Field
          label="Who may invite, and above" name="invitationsBy" state={state} defaultValue={rules.invitationsBy}
          options={roles}
        />
        <Field
          label="Who may list the members" name="memberList" state={state} defaultValue={rules.memberList}
          options={memberLists}
        />
      </fieldset>
      <fieldset className="panel">
        <legend>Who is new</legend>
        {limit('newMemberSeconds', 'Accounts younger than', 'In seconds: 86,400 are a day; 0 if age does not matter')}
        {limit('newMemberKarma', 'With less karma than', '0 if karma does not matter')}
      </fieldset>
      <fieldset className="panel">
        <legend>What new members may post</legend>
        {limit('newMemberLinks', 'Links in a post', 'Empty for any number')}
        {limit('newMemberPostsPerDay', 'Posts on a day', 'Empty for any number')}
        {limit('newMemberMentions', 'Mentions in a post', 'Empty for as many as others')}
        {limit('heldPosts', 'Posts that wait for approval', 'The first of each member; they are among the reports')}
        <Check
          name="refuseDuplicates" defaultChecked={rules.refuseDuplicates} label="Refuse repetitions within an hour"
        />
      </fieldset>
      <fieldset className="panel">
        <legend>The moderation log</legend>
        <Check name="publicModerationLog" defaultChecked={site.publicModerationLog} label="Everybody may read it" />
        <Check name="showModerators" defaultChecked={site.showModerators} label="Members learn who acted" />
      </fieldset>
    </Form>
  );
}

function Present() {
  const { data, error, refresh } = useData(RulesDocument, {}, { requestPolicy: 'network-only' });
  if (!data) return error ? <Trouble error={error} retry={refresh} /> : <Skeleton rows={3} />;
  return <Change site={data.site} />;
}

export const Rules = () => (
  <Managed at="/manage/rules" lead="Who may register, what new members may do, and who sees the moderation log">
    <Present />
  </Managed>
);
