import {
  AllTabsDocument, CreateTabDocument, DeleteTabDocument, UpdateTabDocument, type AllTabsQuery,
} from '../gql/graphql.ts';
import { useChange, useData } from '../lib/client.ts';
import { useSite } from '../lib/me.ts';
import { path } from '../lib/router.ts';
import { CategoryLink, Skeleton, Trouble } from '../parts/basics.tsx';
import { Field, Form, useForm, type FormState } from '../parts/form.tsx';
import { Position } from './categories.tsx';
import { chosenIn, Line, Managed, Several } from './manage.tsx';

type TabRow = NonNullable<AllTabsQuery['all']>['nodes'][number];

/** The categories of a tab, to choose; `name` is the field of the input that has them. */
const Chosen = (props: { name: string; state: FormState; of: { id: string }[] }) => (
  <Several legend="Categories" options={useSite().categories?.nodes} {...props} />
);

function TabLine({ tab }: { tab: TabRow }) {
  const update = useChange(UpdateTabDocument);
  const remove = useChange(DeleteTabDocument);
  const before = tab.categories.nodes.map(({ id }) => id);
  async function save({ name = '', position, ...rest }: Record<string, string>) {
    const chosen = chosenIn(rest);
    const input = {
      tabId: tab.id, name, position: Number(position),
      addCategories: chosen.filter((id) => !before.includes(id)).map((id) => ({ id })),
      removeCategories: before.filter((id) => !chosen.includes(id)).map((id) => ({ id })),
    };
    return (await update({ input })).updateTab;
  }
  return (
    <Line
      of={tab} question={`Delete the tab ${tab.name}? Its categories stay.`}
      save={save} remove={async () => (await remove({ id: tab.id })).deleteTab}
      fields={(state) => (
        <>
          <Position state={state} of={tab} />
          <Chosen name="addCategories" state={state} of={tab.categories.nodes} />
        </>
      )}
    >
      <span className="chips">
        <a href={path('tab', tab.name)} dir="auto">{tab.name}</a>
        {tab.categories.nodes.map((each) => <CategoryLink key={each.id} of={each} />)}
      </span>
    </Line>
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
