/** Names that a body may carry beside its call's own. Rule: wire#names. */

/** What a client may not decide: the session says it. Where a call has none such of its own, it is ignored. */
const contextNames: ReadonlySet<string> = new Set(['userId', 'siteId', 'orgId', 'lang']);

/** Names of which each stands for the other, wherever a call has one of them. */
const aliases: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['sn', 'SN'],
    ['salesCode', 'saleCode'],
    ['componentSn', 'componentSN'],
    ['mtbId', 'maintainBillId'],
  ].flatMap(([a = '', b = '']) => [
    [a, b],
    [b, a],
  ]),
);

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/**
 * What was sent, by a call's own names: what came under an alias stands under the name that the call has, unless that one
 * says something else; what a client may not decide is left out, as is what `isIgnored` says.
 */
export function byOwnNames(
  sent: Readonly<Record<string, unknown>>,
  isOwn: (name: string) => boolean,
  isIgnored: (name: string) => boolean = () => false,
): Record<string, unknown> {
  const named = new Map<string, unknown>();
  for (const [name, value] of Object.entries(sent)) {
    const own = Object.hasOwn(aliases, name) ? (aliases[name] as string) : name;
    const isAlias = !isOwn(name) && isOwn(own);
    if (isAlias && (isEmpty(sent[own]) || sent[own] === value)) named.set(own, value);
    else if (!named.has(name) && (isOwn(name) || !(contextNames.has(name) || isIgnored(name)))) named.set(name, value);
  }
  return Object.fromEntries(named);
}
