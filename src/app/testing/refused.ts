import { refusals, type RefusalKey } from '#domain/refusal.ts';

/** A no as the server answers it: its code and status are those of its key. */
export function refused(
  key: RefusalKey,
  msg: string,
  { data = {}, headers = {} }: { data?: object; headers?: Record<string, string> } = {},
): Response {
  const { code, status = 200 }: { code: string; status?: number } = refusals[key];
  return Response.json({ code, msg, data: { problems: [{ key, msg }], ...data } }, { status, headers });
}
