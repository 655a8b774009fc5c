export default {
  // Browsers reach Agora below the site's own origin, with its cookie. `next build` stores the address.
  rewrites: async () => [{ source: '/graphql', destination: `${process.env.AGORA}/graphql` }],
};
