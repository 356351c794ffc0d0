import { expect, test } from './journey.ts';
import { allFine, scanThroughTrouble } from './landing.ts';
import { signInAs } from './workshop.ts';

/** At length by `npm run chaos -- browser`. Rule: scanning#loading. */
test('a scan lands once and whole while the page loads, another is left, a dialog is open, the session is over or the network is away', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  await signInAs(context, 'tech', baseURL as string);
  expect(await scanThroughTrouble(page, context, request, 10)).toEqual(allFine);
});
