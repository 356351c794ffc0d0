import { Type } from 'typebox';
import { lookup } from '#domain/call.ts';

/**
 * The number of the last publish that the server works by: open pages ask, and read their lists, buttons and menu anew when
 * it has grown. It costs no query. Rule: definitions#publishing.
 */
export const definitionVersion = lookup({
  path: '/rest/definitions/last',
  right: 'public',
  why: 'It says only how often lists were changed, and open pages ask for it all day',
  input: Type.Object({}),
  data: Type.Object({ last: Type.Integer() }),
});
