import type { Goal } from '#app/palette/finding.ts';

const MOST = 8;
const keyOf = (userId: string) => `palette.${userId}`;

/** What this user went to by the palette on this device, last first. */
export function recentGoals(userId: string): Goal[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isGoal).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function rememberGoal(userId: string, goal: Goal): void {
  const others = recentGoals(userId).filter((it) => it.address !== goal.address);
  localStorage.setItem(keyOf(userId), JSON.stringify([goal, ...others].slice(0, MOST)));
}

/** Only what this application itself could have written: a path of its own. */
const isGoal = (it: unknown): it is Goal =>
  typeof it === 'object' &&
  it !== null &&
  ['text', 'label', 'kind', 'address'].every((name) => typeof (it as Record<string, unknown>)[name] === 'string') &&
  /^\/\w/.test((it as Goal).address);
