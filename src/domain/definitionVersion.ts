import { Type } from 'typebox';
import { lookup, stream } from '#domain/call.ts';

const Version = Type.Object({
  /** The number of the last publish that the server works by. */
  last: Type.Integer(),
});

/**
 * The number of the last publish, and each later one once the server works by it: open pages read their lists, buttons and
 * menu anew. Rule: definitions#publishing.
 */
export const watchDefinitions = stream({
  path: '/rest/definitions/watch',
  right: 'signedIn',
  why: 'It says only how often lists were changed, which every open page follows',
  input: Type.Object({}),
  data: Version,
});

/** The same number for who can't have the stream. It costs no query. */
export const definitionVersion = lookup({
  path: '/rest/definitions/last',
  right: 'public',
  why: 'It says only how often lists were changed, for pages whose stream is cut on its way',
  input: Type.Object({}),
  data: Version,
});
