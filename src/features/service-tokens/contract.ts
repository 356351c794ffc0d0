import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Code, OptionalCode, RowId } from '#domain/wire.ts';
import { LONGEST_DAYS, LONGEST_OVERLAP } from './rules.ts';

const Issued = Type.Object({
  id: RowId,
  /** Told here and never again: the database holds its hash. */
  secret: Type.String(),
});

/**
 * A new token for a program: what it is called, for which site or which account of it, and for how long. Not a submit: the
 * answer of a submit is kept with its key, and the secret may stand nowhere. Rule: sessions#services.
 */
export const issue = lookup({
  method: 'POST',
  path: '/api/sysServiceToken/issue.json',
  right: 'sysServiceToken:issue',
  input: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 64 }),
    siteId: Code,
    userOid: OptionalCode,
    days: Type.Integer({ minimum: 1, maximum: LONGEST_DAYS }),
  }),
  data: Issued,
});

/** A new secret; the one before it serves for some hours more, so that nothing stands still. Not a submit, as `issue`. */
export const rotate = lookup({
  method: 'POST',
  path: '/api/sysServiceToken/rotate.json',
  right: 'sysServiceToken:rotate',
  input: Type.Object({ id: RowId, hours: Type.Integer({ minimum: 0, maximum: LONGEST_OVERLAP }) }),
  data: Issued,
});

/** From here on nothing is let in by it. */
export const revoke = submit({
  path: '/api/sysServiceToken/revokeToken.json',
  right: 'sysServiceToken:revoke',
  input: Type.Object({ id: RowId }),
  data: Type.Object({ id: RowId }),
});
