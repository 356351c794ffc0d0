/** The roles of an account as they are kept and sent: between bars. Rule: wire#roles. */
export const splitRoles = (roleIds: string): string[] => roleIds.split('|').filter(Boolean);
export const joinRoles = (roleIds: readonly string[]): string => roleIds.join('|');
