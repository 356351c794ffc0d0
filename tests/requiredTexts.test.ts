import { expect, it } from 'vitest';
import { findFaults, type RuledField } from '#domain/definition/fieldRules.ts';
import { readModel } from '#server/definitions/read.ts';
import { sentFields } from '#server/engine/form.ts';
import { registers } from '#tests/support/features.ts';

const TEXTS = ['String', 'LongString'];

it('a text that is required, of every form, is not one of which nobody sees anything', () => {
  const count = { fields: 0 };
  for (const definition of readModel(registers).definitions.values()) {
    for (const [name, field] of sentFields(definition)) {
      if (!TEXTS.includes(field.type) || !field.required) continue;
      count.fields += 1;
      const ruled = new Map<string, RuledField>([[name, { ...field, readOnly: false }]]);
      for (const text of ['', ' ', '\u200b', '\u2060 \ufeff', '\u3164\u2800']) {
        const at = `${definition.module}.${name} ${JSON.stringify(text)}`;
        expect([at, findFaults(ruled, { [name]: text }).get(name)]).toEqual([at, { key: 'required' }]);
      }
    }
  }
  expect(count.fields).toBeGreaterThan(30);
});
