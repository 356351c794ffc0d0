/** Where the databases of tests lie: in memory where there is room for them. */
export function scratchFolder(): string;
