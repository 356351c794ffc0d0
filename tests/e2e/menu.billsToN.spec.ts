import { test } from './journey.ts';
import { walkArea } from './menuVisit.ts';

test('each list, form, page and dialog has its heading, can be used by everybody and stands still: bills A to N [P-LAY-02]', async ({
  page,
  context,
  baseURL,
}) => walkArea('bills A to N', { page, context, baseURL }));
