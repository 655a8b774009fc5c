import type { CodegenConfig } from '@graphql-codegen/cli';
import { config } from 'agora-client/codegen';

export default {
  schema: 'schema.graphql',
  documents: 'src/**/*.tsx',
  generates: { 'src/gql/': { preset: 'client', presetConfig: { fragmentMasking: false }, config } },
} satisfies CodegenConfig;
