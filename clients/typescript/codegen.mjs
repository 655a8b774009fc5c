// What graphql-codegen must know of the schema. Spread it into the `config` of codegen.ts.

/** The types of the scalars as they come over the wire. Without them each is `unknown`. */
export const scalars = { ID: 'string', DateTime: 'string', Date: 'string', URL: 'string' };

/** Options of the client preset, or of the plugins that it uses. */
export const config = { scalars, enumsAsTypes: true, useTypeImports: true, strictScalars: true };
