import { expect, it } from 'vitest';
import { findFaults, type RuledField } from '#domain/definition/fieldRules.ts';
import { SelfPickupStatus } from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';
import { ReviewResult, validateDecision } from '#domain/review.ts';
import { validateBuyOut } from '#features/bill-actions/rules.ts';
import { validateEntries } from '#features/corrections/rules.ts';
import { validateConfirmed, validateCorrections } from '#features/repair-fee/rules.ts';
import { validateReview } from '#features/self-pickup/rules.ts';
import { OTHER_CAUSE, validateChange } from '#features/serials/rules.change.ts';
import { readModel } from '#server/definitions/read.ts';
import { sentFields } from '#server/engine/form.ts';
import { registers } from '#tests/support/features.ts';

/** The texts that are asked for beside the forms of lists, each by the rule that browser and server judge it by. */
const asked: Record<string, (text: string) => readonly Problem[]> = {
  'why a bill is not passed': (it) => validateDecision(ReviewResult.NotPassed, it),
  'why a price was confirmed': (reason) => validateConfirmed([{ reason }]),
  'what was corrected': (remark) => validateCorrections({ corrected: [], removed: [], remark }),
  'why a bill is corrected': (reason) => validateEntries([{ lineId: 1, amount: '1', reason }], () => '9', 'CNY'),
  'why units are bought': (remark) => validateBuyOut([{ mtblId: '1', mtbliIdList: ['1'], remark }]),
  'why an SN is changed': (remark) =>
    validateChange({ cause: OTHER_CAUSE, oldSn: 'A1', newSn: 'A2', remark }, [OTHER_CAUSE]),
  'why goods are not fetched': (rejectionReason) =>
    validateReview(
      {
        selfPickupStatus: SelfPickupStatus.Refused,
        ...{ pickupAddress: '', pickupTime: null, rejectionReason, branchContact: '' },
      },
      0,
    ),
};

it.each(Object.entries(asked))('%s is seen, or is refused as missing', (_, problemsOf) => {
  expect(problemsOf('why').map((it) => it.key)).toEqual([]);
  for (const text of UNSEEN) expect([text, ...problemsOf(text.trim()).map((it) => it.key)]).toEqual([text, 'required']);
});

const UNSEEN = ['', ' ', '\u200b', '\u2060 \ufeff', '\u3164\u2800'];
const TEXTS = ['String', 'LongString'];

it('a text that is required, of every form, is not one of which nobody sees anything', () => {
  const count = { fields: 0 };
  for (const definition of readModel(registers).definitions.values()) {
    for (const [name, field] of sentFields(definition)) {
      if (!TEXTS.includes(field.type) || !field.required) continue;
      count.fields += 1;
      const ruled = new Map<string, RuledField>([[name, { ...field, readOnly: false }]]);
      for (const text of UNSEEN) {
        const at = `${definition.module}.${name} ${JSON.stringify(text)}`;
        expect([at, findFaults(ruled, { [name]: text }).get(name)]).toEqual([at, { key: 'required' }]);
      }
    }
  }
  expect(count.fields).toBeGreaterThan(30);
});
