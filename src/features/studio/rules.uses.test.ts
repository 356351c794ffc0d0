import { expect, it } from 'vitest';
import { groupUses } from './rules.uses.ts';

const use = (field: string, kind: string, en: string) => ({ module: 'ubsSite', field, kind, name: { zh: en, en } });

it('what uses a field in one way is one group, and nothing is lost of it', () => {
  const uses = [
    use('siteId', 'reference', 'Units · Site'),
    use('siteId', 'list', 'Sites'),
    use('siteId', 'reference', 'Bills · Site'),
    use('siteName', 'reference', 'Units · Site'),
  ];
  const told = groupUses(uses).map((it) => `${it.field} ${it.kind}: ${it.names.map((one) => one.en).join(', ')}`);
  expect(told).toEqual([
    'siteId reference: Units · Site, Bills · Site',
    'siteId list: Sites',
    'siteName reference: Units · Site',
  ]);
  expect(groupUses([])).toEqual([]);
});
