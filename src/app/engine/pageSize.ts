import { createStoredChoice } from '#app/observable.ts';
import { densities, type Density } from '#app/theme.ts';

const pageSizes = ['10', '50', '100', '150', '200'] as const;
/** As many rows as the window has room for. */
export const FILL = 'fill';
export const pageChoices = [...pageSizes, FILL] as const;

/** How many rows a page has: 10 until the user chooses another size, then that in every list. */
export const pageSize = createStoredChoice('pageSize', pageChoices, '10');

/** What stands above and below the rows of a list: bar and tabs, its line, headings, a line of sums, footer, and the room between. */
const AROUND = 242;
const [FEWEST, MOST] = [10, 200];

/** How many rows of this height the window has room for. */
export function countFitting(density: Density): number {
  const fitting = Math.floor((window.innerHeight - AROUND) / densities[density]);
  return Math.min(Math.max(fitting, FEWEST), MOST);
}
