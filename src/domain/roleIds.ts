/**
 * The roles of an account as they are kept and sent: their codes between bars. A form says behind a `#` which role it was that
 * had the code when it was chosen. Rule: wire#roles.
 */
export const splitRoles = (roleIds: string): string[] => splitMeant(roleIds).map((it) => it.code);

/** The same with the ids of those that were chosen in a form. */
export const splitMeant = (roleIds: string): { code: string; id?: number }[] =>
  roleIds
    .split('|')
    .filter(Boolean)
    .map((it) => {
      const [, code = it, id] = /^(.*)#(\d{1,15})$/.exec(it) ?? [];
      return id === undefined ? { code } : { code, id: Number(id) };
    });

/** The codes alone, as they are kept. */
export const withoutMeant = (roleIds: string): string => roleIds.replace(/#\d{1,15}(?=\||$)/g, '');

/** What is chosen in a form, of what stood there and with the ids of what is added. */
export function joinMeant(
  codes: readonly string[],
  before: string,
  idOf: (code: string) => number | undefined,
): string {
  const stood = new Map(splitMeant(before).map((it) => [it.code, it.id]));
  const chosen = codes.map((code) => {
    const id = stood.has(code) ? stood.get(code) : idOf(code);
    return id === undefined ? code : `${code}#${id}`;
  });
  return chosen.join('|');
}
