import { test } from './journey.ts';
import { walkArea } from './menuVisit.ts';

test('each list, form, page and dialog has its heading, can be used by everybody and stands still: base data [P-LAY-02]', async ({
  page,
  context,
  baseURL,
}) => walkArea('base data', { page, context, baseURL }));
