// The served schema, as text and by introspection, read by the versions of graphql-js that
// tools are built on.
import assert from 'node:assert/strict';
import * as graphql16 from 'graphql';
import * as graphql15 from 'graphql15';
import * as graphql16Old from 'graphql16.8';
import * as graphql17 from 'graphql17';
import { test, url } from './site.mjs';

const served = async () => (await fetch(new URL('/schema.graphql', url))).text();

// introspect sends the introspection query of a version of graphql-js, by default and with all
// its options.
async function introspect(query) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = await response.json();
  assert.equal(errors, undefined);
  return data;
}

const usual = { directiveIsRepeatable: true, schemaDescription: true };
const everything = { ...usual, specifiedByUrl: true, inputValueDeprecation: true, oneOf: true };

// declared are the directives declared in the schema; @specifiedBy, @skip and @include
// are each version's own.
const declared = {
  deprecated: ['FIELD_DEFINITION', 'ARGUMENT_DEFINITION', 'INPUT_FIELD_DEFINITION', 'ENUM_VALUE'],
  oneOf: ['INPUT_OBJECT'],
  defer: ['FRAGMENT_SPREAD', 'INLINE_FRAGMENT'],
};

function check(graphql, schema) {
  assert.deepEqual(graphql.validateSchema(schema), []);
  assert.ok(schema.getQueryType().getFields().node);
  for (const [name, locations] of Object.entries(declared)) {
    assert.deepEqual([...schema.getDirective(name).locations].sort(), [...locations].sort(), `@${name}`);
  }
}

for (const [name, graphql, all] of [
  ['graphql-js 15.8', graphql15, usual], // it has another name for specifiedByURL
  ['graphql-js 16.8', graphql16Old, everything],
  ['graphql-js 16.15', graphql16, everything],
  ['graphql-js 17.1', graphql17, everything],
]) {
  test(`${name}: the text`, async () => {
    check(graphql, graphql.buildSchema(await served()));
  });
  test(`${name}: introspection`, async () => {
    const texts = graphql.buildSchema(await served());
    for (const options of [{}, all]) {
      const data = await introspect(graphql.getIntrospectionQuery(options));
      const { locations } = data.__schema.directives.find(({ name }) => name === 'deprecated');
      assert.deepEqual(locations.sort(), [...declared.deprecated].sort());
      const schema = graphql.buildClientSchema(data);
      check(graphql, schema);
      const lost = graphql.findBreakingChanges(texts, schema);
      const asked = options.directiveIsRepeatable; // only then introspection says which directives are repeatable
      assert.deepEqual(lost.filter(({ type }) => asked || type !== 'DIRECTIVE_REPEATABLE_REMOVED'), []);
      assert.deepEqual(graphql.findBreakingChanges(schema, texts), []);
    }
  });
}
