import { useState } from 'react';
import { AccessDocument, PostDocument, type TopicKind } from '../gql/graphql.ts';
import { useChange, useData } from '../lib/client.ts';
import { attemptKey } from '../lib/format.ts';
import { useSite } from '../lib/me.ts';
import { go, path, usePlace, withSearch } from '../lib/router.ts';
import { Choices, Page, permits, Restricted } from '../parts/basics.tsx';
import { Field, Form, useForm } from '../parts/form.tsx';

const kinds: { name: string; value: TopicKind }[] = [
  { name: 'Discussion', value: 'DISCUSSION' }, { name: 'Link', value: 'ARTICLE' }, { name: 'Status', value: 'STATUS' },
];

export function Post() {
  const place = usePlace();
  const { categories } = useSite();
  const { data } = useData(AccessDocument, {}, { requestPolicy: 'cache-and-network' });
  const shut = data?.categories?.nodes.filter(({ access }) => !permits(access, 'posts')).map(({ id }) => id) ?? [];
  const bare = data?.site.uncategorised;
  const free = permits(bare, 'posts');
  const offered = kinds.filter(({ value }) => free || value !== 'STATUS');
  const kind = offered.find(({ value }) => value === place.searchParams.get('kind'))?.value ?? 'DISCUSSION';
  const post = useChange(PostDocument);
  const [idempotencyKey] = useState(attemptKey);
  const state = useForm(async ({ title = '', link = '', category = '', content = '', tags = '' }) => {
    const input = {
      kind, content, idempotencyKey, tags: tags.split(',').map((tag) => tag.trim()).filter(Boolean),
      ...(kind !== 'STATUS' && { title }), ...(link && { link }), ...(category && { category: { name: category } }),
    };
    const { createTopic } = await post({ input });
    if (createTopic?.topic) go(path('t', createTopic.topic.number), 'replace');
    return createTopic?.errors;
  });
  return (
    <Page title="New post" lead={<Restricted access={bare} deed="posts" where="without a category" />}>
      <Choices
        label="Kind" current={kind}
        options={offered.map(({ name, value }) => ({ name, value, href: withSearch(place, { kind: value }) }))}
      />
      <Form key={kind} state={state} action={<button className="primary" disabled={state.busy}>Post</button>}>
        {kind !== 'STATUS' && <Field label="Title" name="title" state={state} maxLength={300} />}
        {kind === 'ARTICLE' && <Field label="Link" name="link" state={state} type="url" placeholder="https://" />}
        {kind !== 'STATUS' && (
          <Field
            label="Category" name="category" state={state} defaultValue={place.searchParams.get('category') ?? ''}
            hint={shut.length > 0 ? 'You cannot post in those that are greyed out' : ''}
          >
            <option value="">{kind === 'ARTICLE' && free ? 'None' : 'Choose one'}</option>
            {categories?.nodes.map((each) => (
              <option key={each.id} disabled={shut.includes(each.id)}>{each.name}</option>
            ))}
          </Field>
        )}
        <Field
          label={kind === 'STATUS' ? 'What is new?' : 'Text'} name="content" state={state} hint="Markdown"
          lines={kind === 'STATUS' ? 4 : 10}
        />
        <Field label="Tags" name="tags" state={state} hint="Up to 10, separated by commas" />
      </Form>
    </Page>
  );
}
