import type { RoleSeed } from '#domain/definition/grammar.ts';

/**
 * Whether somebody with these rights may do this. Rights are kept as a role says them, stars included: `module:*` is
 * everything of a module, `*:list` every list, `*:*` everything. Being signed in is a right that every holder of a
 * session has. Rule: rights#stars.
 */
export function mayDo(rights: ReadonlySet<string>, right: string): boolean {
  if (asksForNone(right)) return true;
  const [module, button] = right.split(':');
  if (!module || !button || module === '*' || button === '*') return false;
  return rights.has(right) || rights.has(`${module}:*`) || rights.has(`*:${button}`) || rights.has('*:*');
}

/** Whether somebody with these rights may less than a role's right says, which may be a star. Rule: rights#giving. */
export function lacks(own: ReadonlySet<string>, right: string): boolean {
  if (!right.includes('*')) return !mayDo(own, right);
  const [module] = right.split(':');
  return !(own.has(right) || own.has(`${module}:*`) || own.has('*:*'));
}

/** Whether a call asks for no right: its reason stands beside it. */
export const asksForNone = (right: string): boolean => right === 'public' || right === 'signedIn';

/** What a service token must be for, where a call is a program's and no user's. */
export const serviceScopeOf = (right: string): string | undefined =>
  right.startsWith('service/') ? right.slice('service/'.length) : undefined;

/** Rights that belong to no module of a definition: sharing saved views with a role, and taking away what others share. */
export const platformRights: Readonly<Record<string, readonly string[]>> = { savedView: ['share', 'delete'] };

/** What is no module and is named like one by rights and by the ledger: a module of such a name would have what is theirs. */
export const platformNames: ReadonlySet<string> = new Set([
  ...Object.keys(platformRights),
  ...['errorLog', 'systemHealth', 'session', 'file', 'definitions'],
]);

/** By whose list's right one reads what the ledger says of the platform's own doings. Rule: writing#ledger. */
export const platformLists: Readonly<Record<string, string>> = {
  definitions: 'sysLedger',
  session: 'sysLedger',
  file: 'sysLedger',
  savedView: 'sysLedger',
};

/** The rights of a role as rows hold them: `{ rmaCheckBill: ['list', 'check'] }` → `rmaCheckBill:list`, `rmaCheckBill:check`. */
export const rightsOfSeed = (role: RoleSeed): string[] =>
  Object.entries(role.rights).flatMap(([module, buttons]) => buttons.map((button) => `${module}:${button}`));
