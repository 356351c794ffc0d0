// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { boundsOf, isAmount, isPercent } from '#domain/definition/fieldBounds.ts';
import { findFault } from '#domain/definition/fieldRules.ts';
import { isNumeric } from '#domain/definition/isNumeric.ts';
import { DOLLARS } from '#domain/money.ts';
import { currencyMarks } from '#domain/numberText.ts';
import { numberKindOf } from '#app/fields/typedNumber.ts';
import { useTypedNumber } from '#app/fields/useTypedNumber.ts';
import type { Context } from '#server/context.ts';
import { readModel } from '#server/definitions/read.ts';
import { sentFields } from '#server/engine/form.ts';
import { parseValue } from '#server/engine/values.ts';
import { readCell } from '#server/imports/cells.ts';
import { importersOf, importScripts } from '#server/imports/importers.ts';
import { features, registers } from '#tests/support/features.ts';
import { writtenNumbers } from '#tests/support/writtenNumbers.ts';

const model = readModel(registers);
const definitions = [...model.definitions.values()];

/** What a text may be taken for: nothing else than what it means, and with a mark only where that belongs. */
const isTakenAs = (value: string, meant: string | undefined) => meant !== undefined && Number(value) === Number(meant);

it('a cell of every column of numbers that can be imported says what is written in it, or is refused by its name', () => {
  const importerOf = importersOf(features.imports);
  const count = { columns: 0, taken: 0, refused: 0 };
  for (const definition of definitions) {
    for (const button of definition.buttons ?? []) {
      if (!importScripts.some((it) => it === button.script)) continue;
      const call = { definition, button, given: {} };
      for (const { name, field } of importerOf(call).columns(call, { model } as Context)) {
        if (!isNumeric(field)) continue;
        count.columns += 1;
        for (const [text, meant, mark = ''] of writtenNumbers) {
          const at = `${definition.module}.${name} ${text}`;
          const read = readCell(text, name, field, { timeZone: 'UTC', place: 'C3' });
          if (!read || 'problem' in read) {
            count.refused += 1;
            expect([at, read?.problem.args?.['cell']]).toEqual([at, 'C3']);
            const isFitting = mark === '%' ? isPercent(field) : mark === '' || isAmount(field);
            expect([at, meant !== undefined && isFitting]).toEqual([at, false]);
            continue;
          }
          count.taken += 1;
          expect([at, isTakenAs(String(read.value), meant)]).toEqual([at, true]);
          // What it is in is judged with its row.
          expect([at, read.mark ?? '']).toEqual([at, mark === '%' ? '' : mark]);
        }
      }
    }
  }
  expect(count.columns).toBeGreaterThan(25);
  expect(count.taken).toBeGreaterThan(250);
  expect(count.refused).toBeGreaterThan(500);
});

it('every field of numbers of every form holds what was typed or pasted, or is told what is wrong', () => {
  const count = { fields: 0, taken: 0, told: 0 };
  for (const definition of definitions) {
    for (const [name, field] of sentFields(definition)) {
      if (!isNumeric(field) || field.options || field.ref) continue;
      count.fields += 1;
      const kind = numberKindOf(field);
      const isSigned = (boundsOf(field).min ?? 0) < 0;
      let value = '';
      const { result, rerender, unmount } = renderHook(() => useTypedNumber(kind, value, { isSigned }));
      const put = (text: string) => {
        act(() => {
          value = result.current.read(text);
        });
        rerender();
      };
      for (const [text, meant, mark = ''] of writtenNumbers) {
        // A letter by itself is not entered.
        for (const puts of /x/.test(text) ? [[text]] : [[text], [...text]]) {
          put('');
          for (const [i, it] of puts.entries()) put(i === 0 ? it : result.current.shown + it);
          act(() => result.current.handlers.onBlur());
          const at = `${definition.module}.${name} ${puts.length > 1 ? 'typed' : 'pasted'} ${text}: ${value}`;
          const fault = value === '' ? null : findFault(field, value);
          if (result.current.problem || fault) {
            count.told += 1;
            // It stays to be seen, and no form sends it.
            expect([at, value, fault !== null]).toEqual([at, expect.stringMatching(/./), true]);
            continue;
          }
          if (value === '') continue;
          count.taken += 1;
          expect([at, isTakenAs(value, meant)]).toEqual([at, true]);
          const isOwn = ['', '%', ...currencyMarks(DOLLARS)].includes(mark);
          expect([at, isOwn]).toEqual([at, true]);
        }
      }
      unmount();
    }
  }
  expect(count.fields).toBeGreaterThan(15);
  expect(count.taken).toBeGreaterThan(100);
  expect(count.told).toBeGreaterThan(500);
});

it('what a call, a filter or a bulk change says of every column of numbers is read as it stands, or refused', () => {
  const count = { fields: 0, taken: 0, refused: 0 };
  for (const { module, fields } of definitions) {
    for (const [name, field] of Object.entries(fields)) {
      if (!isNumeric(field)) continue;
      count.fields += 1;
      for (const [text, meant, mark] of writtenNumbers) {
        const at = `${module}.${name} ${text}`;
        const parsed = parseValue(field, name, text, 'UTC');
        if ('problem' in parsed) count.refused += 1;
        else {
          count.taken += 1;
          expect([at, isTakenAs(String(parsed.value), meant), mark]).toEqual([at, true, undefined]);
        }
      }
    }
  }
  expect(count.fields).toBeGreaterThan(100);
  expect(count.taken).toBeGreaterThan(20);
  expect(count.refused).toBeGreaterThan(2000);
});
