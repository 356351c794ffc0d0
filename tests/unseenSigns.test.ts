import { describe, expect, it } from 'vitest';
import { boundsOf } from '#domain/definition/fieldBounds.ts';
import { findFaults, type RuledField } from '#domain/definition/fieldRules.ts';
import { Refusal } from '#domain/refusal.ts';
import { AS_IT_IS, toWritten, WRITTEN_AS } from '#domain/written.ts';
import { readModel } from '#server/definitions/read.ts';
import { sentFields } from '#server/engine/form.ts';
import { asSought } from '#server/engine/filters.ts';
import { parseValue } from '#server/engine/values.ts';
import { readCell } from '#server/imports/cells.ts';
import { inputSchemas } from '#server/input.ts';
import { lazyValidator } from '#server/lazyValidator.ts';
import { fixedRoutes, registers } from '#tests/support/features.ts';
import { inputPositions } from '#tests/support/hostile.ts';

/** What a paste, a scanner and a spreadsheet put around a text, and into it. */
const DIRTY = '\ufeff\u0002A\u200b1\u200e\u00ad-2\u2060\u0003\u001d';
const CLEAN = 'A1-2';
const SEPARATED = '\u200bA1\u001dB2';
const TEXTS = ['String', 'LongString'];
const TIME_ZONE = 'Asia/Shanghai';

const valueAt = (input: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((it, name) => (it as Record<string, unknown> | null | undefined)?.[name], input);

describe('every text of every call', () => {
  const parts = fixedRoutes.flatMap(({ call }) =>
    Object.entries(inputSchemas(call)).map(([httpPart, schema]) => ({ httpPart, schema, url: call.path, call })),
  );
  const texts = parts.flatMap((part) => {
    const check = lazyValidator(() => undefined)(part as never) as (it: unknown) => {
      value?: unknown;
      error?: unknown;
    };
    return inputPositions(part.schema).flatMap((position) => {
      const text = position.schemas.find(
        (it) => it.type === 'string' && !['pattern', 'enum', 'const'].some((word) => word in it),
      );
      const way = text?.[WRITTEN_AS];
      const isShort = typeof text?.maxLength === 'number' && text.maxLength < DIRTY.length;
      return text && !isShort ? [{ ...part, ...position, check, way }] : [];
    });
  });

  it('is read without what nobody sees, and goes so', () => {
    const wrong: unknown[] = [];
    for (const { path, url, way, check, call, httpPart, ...position } of texts) {
      const sent = position.with(DIRTY);
      const { value, error } = check(sent);
      const read = valueAt(value, path);
      const kept = way === AS_IT_IS ? DIRTY : way === 'sn' ? `${CLEAN}\u001d` : CLEAN;
      if (error || read !== kept) wrong.push([url, path, read]);
      if (httpPart === 'params') continue;
      const goes = valueAt(toWritten(call.input, sent), path);
      if (goes !== (way === AS_IT_IS ? DIRTY : CLEAN)) wrong.push(['browser', url, path, goes]);
    }
    expect(wrong).toEqual([]);
    expect(texts.length).toBeGreaterThan(400);
    expect(texts.filter((it) => it.way === AS_IT_IS).length).toBeLessThan(12);
  });

  it('is refused by the name of a sign that could mean something', () => {
    const refused = texts.filter((it) => it.way !== AS_IT_IS && it.way !== 'sn');
    for (const { path, url, check, ...position } of refused) {
      const { error } = check(position.with(SEPARATED));
      expect([url, path, error]).toEqual([url, path, expect.any(Refusal)]);
      expect((error as Refusal).problems).toMatchObject([
        { key: 'hiddenSign', field: path, args: { sign: 'GS (U+001D)' } },
      ]);
    }
    expect(refused.length).toBeGreaterThan(300);
  });
});

describe('every text field of every definition', () => {
  const fields = [...readModel(registers).definitions.values()].flatMap((definition) =>
    Object.entries(definition.fields)
      .filter(([, it]) => TEXTS.includes(it.type) && it.format !== 'images')
      .map(([name, field]) => ({ at: `${definition.module}.${name}`, name, field })),
  );
  const read = (field: RuledField & { label: { zh: string; en: string } }, name: string, raw: string) =>
    parseValue(field, name, raw, TIME_ZONE);

  it('is kept, sought and imported without what nobody sees', () => {
    const wrong: unknown[] = [];
    for (const { at, name, field } of fields) {
      const plain = { ...field, pattern: undefined, ...boundsOf(field), minLength: undefined, maxLength: undefined };
      const kept = read(plain, name, DIRTY);
      const sought = parseValue(asSought({ ...field, pattern: undefined }), name, DIRTY, TIME_ZONE);
      const cell = readCell(DIRTY, name, field, { timeZone: TIME_ZONE });
      const imported = cell && 'value' in cell && read(plain, name, String(cell.value));
      for (const [way, it] of Object.entries({ kept, sought, imported })) {
        if (!it || !('value' in it) || it.value !== CLEAN) wrong.push([at, way, it]);
      }
    }
    expect(wrong).toEqual([]);
    expect(fields.length).toBeGreaterThan(300);
  });

  it('of a form refuses a sign that could mean something by its name, in the browser as on the server', () => {
    let count = 0;
    for (const definition of readModel(registers).definitions.values()) {
      for (const [name, field] of sentFields(definition)) {
        if (!TEXTS.includes(field.type) || field.sn || field.format === 'images') continue;
        count += 1;
        const ruled = new Map<string, RuledField>([[name, { ...field, readOnly: false, visibleWhen: {} }]]);
        const fault = { key: 'hiddenSign', args: { sign: 'GS (U+001D)' } };
        const at = `${definition.module}.${name}`;
        expect([at, findFaults(ruled, { [name]: SEPARATED }).get(name)]).toEqual([at, fault]);
        expect(read(field, name, SEPARATED)).toMatchObject({ problem: { key: 'hiddenSign', field: name } });
      }
    }
    expect(count).toBeGreaterThan(50);
  });
});
