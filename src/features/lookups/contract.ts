/** The calls are asked by several stations' pages, so they stand in the domain; their handlers stand here. */
export * from '#domain/lookups.ts';
