/** One of a payload's `errors`; select these fields. */
export interface UserError {
  message: string;
  code: string;
  path: readonly string[];
}

/** What to show: a message for each field of the input, and `form` for what no field is to blame for. */
export interface Faults {
  fields: Record<string, string>;
  form: string;
}

/** Sorts errors by field: `["input", "title"]` is the field `title`. A field with several faults shows the first. */
export function faults(errors: readonly UserError[], known?: readonly string[]): Faults {
  const found: Faults = { fields: {}, form: '' };
  for (const { message, path } of errors) {
    const field = path[1];
    if (field !== undefined && (!known || known.includes(field))) found.fields[field] ??= message;
    else found.form ||= message;
  }
  return found;
}

interface GraphQLErrorLike {
  message: string;
  extensions?: Record<string, unknown> | undefined;
}

/**
 * The error at the end of a subscription whose token the server does not accept, while there is no other; also of one
 * that needs a user, if there is no token. Sign in, then subscribe again.
 */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';
  readonly extensions = { code: 'UNAUTHENTICATED' };

  /** What the server said is the `cause`. */
  constructor(cause?: unknown) {
    super('You are signed out. Sign in again.', { cause });
  }
}

/** An error of the whole request, as urql and Apollo Client report it, or a list as a socket sends it. */
export type RequestError =
  | readonly GraphQLErrorLike[]
  | {
    graphQLErrors?: readonly GraphQLErrorLike[];
    errors?: readonly GraphQLErrorLike[];
    networkError?: Error | undefined;
  }
  | Error
  | null
  | undefined;

function listOf(error: RequestError): readonly GraphQLErrorLike[] {
  if (!error) return [];
  if ('length' in error) return error;
  if (error instanceof SignedOutError) return [error];
  if ('networkError' in error && error.networkError) return listOf(error.networkError);
  return ('graphQLErrors' in error && error.graphQLErrors) || ('errors' in error && error.errors) || [];
}

/** Why an account may not be used: it is banned, `until` null for good, or deactivated. */
export type Barred =
  | { code: 'BANNED'; scope: string; reason: string; until: string | null }
  | { code: 'DEACTIVATED' };

/** Why the account may not be used with whose token a request was sent, which was answered as if signed out. */
export function barredBy(error: RequestError): Barred | undefined {
  const found = listOf(error).map(({ extensions }) => extensions);
  return found.find((e) => e?.['code'] === 'BANNED' || e?.['code'] === 'DEACTIVATED') as Barred | undefined;
}

/** The code of a request's first error, such as `UNAUTHENTICATED`; undefined if it never reached the server. */
export function codeOf(error: RequestError): string | undefined {
  const list = listOf(error);
  const code = list[0]?.extensions?.['code'];
  return typeof code === 'string' ? code : undefined;
}
