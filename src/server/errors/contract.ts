import { Type } from 'typebox';
import { lookup } from '#domain/call.ts';
import { ERROR_LIMITS } from '#domain/errorEntry.ts';
import { restList } from '#domain/restList.ts';
import { AS_IT_IS, WRITTEN_AS } from '#domain/written.ts';

/** Nothing of it is judged: an error is told whatever it says. */
const text = (maxLength: number) => Type.String({ maxLength, [WRITTEN_AS]: AS_IT_IS });

/**
 * Open to everybody, as errors happen at the login page too; not a submit, since the same error may come twice. The
 * path is written without `.json`. Rule: screens#errors.
 */
export const saveErrorLogger = lookup({
  method: 'POST',
  path: '/api/save_error_logger',
  right: 'public',
  why: 'Errors happen at the login page too; what is sent is only kept, in bounds, and nothing is answered',
  input: Type.Object({
    type: text(ERROR_LIMITS.type),
    code: Type.Optional(text(ERROR_LIMITS.code)),
    message: text(ERROR_LIMITS.message),
    url: text(ERROR_LIMITS.url),
    time: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }),
    token: Type.Optional(text(ERROR_LIMITS.token)),
    /** Used only where there is no session, which says better who it is. */
    userId: Type.Optional(text(ERROR_LIMITS.user)),
    userName: Type.Optional(text(ERROR_LIMITS.user)),
  }),
  data: Type.Object({}),
});

const CapturedError = Type.Object({
  id: Type.Integer(),
  at: Type.Integer(),
  type: Type.String(),
  code: Type.String(),
  message: Type.String(),
  url: Type.String(),
  time: Type.Integer(),
  userId: Type.String(),
  userName: Type.String(),
  sessionMark: Type.String(),
  userAgent: Type.String(),
  requestId: Type.String(),
});

/** The errors that browsers reported, newest first. */
export const listErrors = lookup({
  path: '/rest/errors',
  right: 'errorLog:list',
  /** `filter={"text":"…"}`: found anywhere in message, address, user or request number. */
  input: restList('id'),
  data: Type.Object({ items: Type.Array(CapturedError), total: Type.Integer() }),
});
