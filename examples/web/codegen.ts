import type { CodegenConfig } from '@graphql-codegen/cli';
import { config } from '../../clients/typescript/codegen.mjs';

export default {
  schema: '../../schema.graphqls',
  documents: 'src/**/*.graphql',
  generates: {
    'src/gql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: { ...config, documentMode: 'string', useTypeImports: true },
    },
  },
} satisfies CodegenConfig;
