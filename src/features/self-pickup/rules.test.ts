import { describe, expect, it } from 'vitest';
import { validateReview, type Review } from './rules.ts';

const now = Date.UTC(2026, 10, 21, 8);
const nothing: Review = {
  selfPickupStatus: '',
  pickupAddress: '',
  pickupTime: null,
  rejectionReason: '',
  branchContact: '',
};
const yes = { selfPickupStatus: '1', pickupAddress: 'Gate 1', pickupTime: now + 3_600_000 };
const no = { selfPickupStatus: '2', rejectionReason: 'two are still in repair' };

describe('the review of a self-pickup', () => {
  const cases: [what: string, review: Partial<Review>, problems: string[]][] = [
    ['nothing chosen', {}, ['required selfPickupStatus']],
    ['please select', { ...yes, selfPickupStatus: '0' }, ['required selfPickupStatus']],
    ['a status that there is not', { ...yes, selfPickupStatus: '3' }, ['format selfPickupStatus']],
    ['a yes alone', { selfPickupStatus: '1' }, ['required pickupAddress', 'required pickupTime']],
    ['a yes without its address', { ...yes, pickupAddress: '' }, ['required pickupAddress']],
    ['a yes without its time', { ...yes, pickupTime: null }, ['required pickupTime']],
    ['what is no time', { ...yes, pickupTime: NaN }, ['format pickupTime']],
    ['a time in the past', { ...yes, pickupTime: now - 1 }, ['inPast pickupTime']],
    ['a yes', yes, []],
    ['a no alone', { selfPickupStatus: '2' }, ['required rejectionReason']],
    ['a no', no, []],
    ['a phone', { ...no, branchContact: '+86 0755-8652 3301' }, []],
    ['a phone with letters', { ...no, branchContact: 'call Li' }, ['format branchContact']],
    ['a phone of 21 digits', { ...no, branchContact: '1'.repeat(21) }, ['format branchContact']],
  ];
  it.each(cases)('%s', (_, review, problems) => {
    expect(validateReview({ ...nothing, ...review }, now).map((it) => `${it.key} ${it.field}`)).toEqual(problems);
  });
});
