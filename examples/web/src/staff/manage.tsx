import type { UserError } from 'agora-client/errors';
import { useState, type ReactNode } from 'react';
import { useManages, useUser } from '../lib/me.ts';
import { Confirm } from '../parts/actions.tsx';
import { Choices, Empty, Page } from '../parts/basics.tsx';
import { Check, Field, Form, Save, useForm, type FormState } from '../parts/form.tsx';
import { say } from '../parts/toasts.tsx';

/** The pages with which a site is managed, and the lowest role that may do so. */
const pages = [
  { name: 'Categories', value: '/manage', role: 'MODERATOR' },
  { name: 'Tabs', value: '/manage/tabs', role: 'MODERATOR' },
  { name: 'Blocklist', value: '/manage/blocklist', role: 'MODERATOR' },
  { name: 'Applications', value: '/manage/applications', role: 'MODERATOR' },
  { name: 'Groups', value: '/manage/groups', role: 'ADMIN' },
  { name: 'Moderators', value: '/manage/team', role: 'ADMIN' },
  { name: 'Rules', value: '/manage/rules', role: 'ADMIN' },
  { name: 'Tasks', value: '/manage/tasks', role: 'ADMIN' },
];

/** One of these pages, with links to the others; whoever may not use it does not see it. */
export function Managed({ at, lead, children }: { at: string; lead: string; children: ReactNode }) {
  const role = useUser()?.role ?? 'USER';
  const manages = useManages();
  const mine = pages.filter((each) => (
    role === 'ADMIN' || role === each.role || (manages && each.value === '/manage/groups')
  ));
  const page = mine.find(({ value }) => value === at);
  if (!page) return <Page title="Manage the site"><Empty>Your role does not allow this.</Empty></Page>;
  return (
    <Page title={page.name} lead={lead}>
      <Choices label="Manage the site" current={at} options={mine.map((each) => ({ ...each, href: each.value }))} />
      {children}
    </Page>
  );
}

/** Objects of which a form chooses several; `name` is the field of the input that has them. */
export const Several = ({ legend, name, state, options, of }: {
  legend: string; name: string; state: FormState; options: { id: string; name: string }[] | undefined;
  of: { id: string }[];
}) => (
  <fieldset name={name} className="several">
    <legend>{legend}</legend>
    {options?.map((each) => (
      <Check
        key={each.id} label={each.name} name={`in:${each.id}`} defaultChecked={of.some(({ id }) => id === each.id)}
      />
    ))}
    <p className="fault" role="alert">{state.faults.fields[name]}</p>
  </fieldset>
);

/** The ids of what is chosen in a form. */
export const chosenIn = (values: Record<string, string>) => (
  Object.keys(values).filter((name) => name.startsWith('in:')).map((name) => name.slice('in:'.length))
);

/** Shows the first error of a change that no form has made. */
export const complain = (errors: readonly UserError[] | undefined) => errors?.[0] && say(errors[0].message);

type Result = Promise<{ errors: readonly UserError[] } | null | undefined>;

/** A row of a list that a page manages. It can be edited and deleted by those who may. */
export function Line({ of, question, save, remove, fields, fixed, children }: {
  of: { name: string; description?: string }; question: string; fixed?: boolean; children: ReactNode;
  save: (values: Record<string, string>) => Result; remove: () => Result; fields?: (state: FormState) => ReactNode;
}) {
  const [editing, setEditing] = useState(false);
  const state = useForm(async (values) => {
    const result = await save(values);
    if (result?.errors.length === 0) setEditing(false);
    return result?.errors;
  });
  const { name, description } = of;
  return (
    <li>
      {editing ? (
        <Form state={state} action={<Save cancel={() => setEditing(false)} />}>
          <Field label="Name" name="name" state={state} defaultValue={name} />
          {description !== undefined && (
            <Field label="Description" name="description" state={state} defaultValue={description} />
          )}
          {fields?.(state)}
        </Form>
      ) : children}
      {!editing && !fixed && (
        <>
          <button className="quiet" onClick={() => setEditing(true)}>
            Edit<span className="hidden"> {name}</span>
          </button>
          <Confirm label="Delete" question={question} run={async () => complain((await remove())?.errors)}>
            Delete<span className="hidden"> {name}</span>
          </Confirm>
        </>
      )}
    </li>
  );
}
