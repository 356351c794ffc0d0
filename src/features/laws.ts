import type { Problem } from '#domain/refusal.ts';

/** Laws that a definition may name under `checks`: what a row must satisfy besides its fields' own rules. */
export const laws: Record<string, (row: Record<string, unknown>) => Problem[]> = {};
