// What graphql-codegen must know of the schema, and of caches. Use both in codegen.ts.

/** The types of the scalars as they come over the wire. Without them each is `unknown`. */
export const scalars = { ID: 'string', DateTime: 'string', Date: 'string', URL: 'string' };

/**
 * Options of the client preset, or of the plugins that it uses. Objects have their `__typename`, which Apollo Client and
 * Graphcache select, and which answers of optimistic updates must have.
 */
export const config = {
  scalars, enumsAsTypes: true, useTypeImports: true, strictScalars: true, nonOptionalTypename: true, skipTypeNameForRoot: true,
};

/**
 * Makes one type of what is equal in all types of an interface, such as the fields of `UserError` in a payload's `errors`,
 * instead of a union of as many. It takes the client preset, which does not pass on the option.
 * @template {{ buildGeneratesSection: (options: any) => any }} P
 * @param {P} preset
 * @returns {P}
 */
export const mergeTypes = (preset) => ({
  ...preset,
  buildGeneratesSection: async (options) => (await preset.buildGeneratesSection(options))
    .map((file) => ({ ...file, config: { ...file.config, mergeFragmentTypes: true } })),
});
