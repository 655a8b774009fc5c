import type { CodegenConfig } from '@graphql-codegen/cli';
import { preset } from '@graphql-codegen/client-preset';
import { config, mergeTypes } from 'agora-client/codegen';

export default {
  schema: '../../schema.graphqls',
  documents: 'src/**/*.graphql',
  generates: {
    'src/gql/': {
      preset: mergeTypes(preset),
      presetConfig: { fragmentMasking: false },
      config: { ...config, documentMode: 'string' },
    },
  },
} satisfies CodegenConfig;
