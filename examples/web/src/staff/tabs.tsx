import { useState } from 'react';
import {
  AllTabsDocument, CreateTabDocument, DeleteTabDocument, UpdateTabDocument, type AllTabsQuery,
} from '../gql/graphql.ts';
import { useChange, useData } from '../lib/client.ts';
import { useSite } from '../lib/me.ts';
import { path } from '../lib/router.ts';
import { Confirm } from '../parts/actions.tsx';
import { CategoryLink, Skeleton, Trouble } from '../parts/basics.tsx';
import { Check, Field, Form, Save, useForm, type FormState } from '../parts/form.tsx';
import { say } from '../parts/toasts.tsx';
import { Position } from './categories.tsx';
import { Managed } from './manage.tsx';

type TabRow = NonNullable<AllTabsQuery['all']>['nodes'][number];

/** The categories of a tab, to choose; `name` is the field of the input that has them. */
function Chosen({ name, state, of }: { name: string; state: FormState; of: { id: string }[] }) {
  const { categories } = useSite();
  return (
    <fieldset name={name} className="several">
      <legend>Categories</legend>
      {categories?.nodes.map((each) => (
        <Check
          key={each.id} label={each.name} name={`in:${each.id}`} defaultChecked={of.some(({ id }) => id === each.id)}
        />
      ))}
      <p className="fault" role="alert">{state.faults.fields[name]}</p>
    </fieldset>
  );
}

/** The ids of the categories that are chosen in a form. */
const chosenIn = (values: Record<string, string>) => (
  Object.keys(values).filter((name) => name.startsWith('in:')).map((name) => name.slice('in:'.length))
);

function Edit({ tab, close }: { tab: TabRow; close: () => void }) {
  const update = useChange(UpdateTabDocument);
  const before = tab.categories.nodes.map(({ id }) => id);
  const state = useForm(async ({ name = '', position, ...rest }) => {
    const chosen = chosenIn(rest);
    const { updateTab } = await update({
      input: {
        tabId: tab.id, name, position: Number(position),
        addCategories: chosen.filter((id) => !before.includes(id)).map((id) => ({ id })),
        removeCategories: before.filter((id) => !chosen.includes(id)).map((id) => ({ id })),
      },
    });
    if (updateTab?.tab) close();
    return updateTab?.errors;
  });
  return (
    <Form state={state} action={<Save cancel={close} />}>
      <Field label="Name" name="name" state={state} defaultValue={tab.name} />
      <Position state={state} of={tab} />
      <Chosen name="addCategories" state={state} of={tab.categories.nodes} />
    </Form>
  );
}

function TabLine({ tab }: { tab: TabRow }) {
  const [editing, setEditing] = useState(false);
  const remove = useChange(DeleteTabDocument);
  if (editing) return <li><Edit tab={tab} close={() => setEditing(false)} /></li>;
  return (
    <li>
      <span className="chips">
        <a href={path('tab', tab.name)} dir="auto">{tab.name}</a>
        {tab.categories.nodes.map((each) => <CategoryLink key={each.id} of={each} />)}
      </span>
      <button className="quiet" onClick={() => setEditing(true)}>
        Edit<span className="hidden"> {tab.name}</span>
      </button>
      <Confirm
        label="Delete" question={`Delete the tab ${tab.name}? Its categories stay.`}
        run={async () => {
          const { deleteTab } = await remove({ id: tab.id });
          if (deleteTab?.errors[0]) say(deleteTab.errors[0].message);
        }}
      >
        Delete<span className="hidden"> {tab.name}</span>
      </Confirm>
    </li>
  );
}

function AllTabs() {
  const { data, error, refresh } = useData(AllTabsDocument, {}, { requestPolicy: 'cache-and-network' });
  const create = useChange(CreateTabDocument);
  const state = useForm(async ({ name = '', ...rest }) => (
    (await create({ input: { name, categories: chosenIn(rest).map((id) => ({ id })) } })).createTab?.errors
  ));
  const tabs = data?.all?.nodes;
  if (!tabs) return error ? <Trouble error={error} retry={refresh} /> : <Skeleton rows={3} />;
  return (
    <section className="panel">
      <ul className="plain">{tabs.map((tab) => <TabLine key={tab.id} tab={tab} />)}</ul>
      <Form key={tabs.length} state={state} action={<button className="primary">Create</button>}>
        <Field label="New tab" name="name" state={state} />
        <Chosen name="categories" state={state} of={[]} />
      </Form>
    </section>
  );
}

export const Tabs = () => (
  <Managed at="/manage/tabs" lead="A tab shows the topics of several categories in one list"><AllTabs /></Managed>
);
