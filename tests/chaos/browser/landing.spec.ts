import { expect, test } from '#tests/e2e/journey.ts';
import { allFine, scanThroughTrouble } from '#tests/e2e/landing.ts';
import { figures } from '#tests/e2e/shift.ts';
import { signInAs } from '#tests/e2e/workshop.ts';

const isLong = process.env['CHAOS'] === 'long';
test.describe.configure({ timeout: 3_600_000 });

test('a shift of scans, each in the middle of something else: none is lost, doubled, cut or taken as something else', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  const count = isLong ? 40 : 5;
  await signInAs(context, 'tech', baseURL as string);
  for (let list = 0; list < 5; list++) {
    expect(await scanThroughTrouble(page, context, request, count)).toEqual(allFine);
  }
  figures(
    `${5 * count} scans over page loads, steps, dialogs, ended sessions and a dead network: 0 lost, doubled or cut`,
  );
});
