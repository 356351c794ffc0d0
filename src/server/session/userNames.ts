/** Where the name of a login stands, as a field refers to it; the user may be gone since. */
export const userNames = { module: 'adminUser', value: 'userId', label: 'userName' } as const;

/** Where the names of an account's roles stand, which it lists between bars. */
export const roleNames = { module: 'adminRole', value: 'roleId', label: 'name' } as const;
