import { describe, expect, it } from 'vitest';
import { byOwnNames } from '#domain/inputNames.ts';

const named = (sent: Record<string, unknown>, ...own: string[]) => byOwnNames(sent, (name) => own.includes(name));

describe('what was sent under an alias', () => {
  it.each([undefined, null, ''])('stands under the own name of the call where that says nothing (%j)', (nothing) => {
    expect(named({ maintainBillId: 'M1' }, 'mtbId')).toEqual({ mtbId: 'M1' });
    expect(named({ mtbId: nothing, maintainBillId: 'M1' }, 'mtbId')).toEqual({ mtbId: 'M1' });
    expect(named({ maintainBillId: 'M1', mtbId: nothing }, 'mtbId')).toEqual({ mtbId: 'M1' });
  });

  it('is one with the own name that says the same, and stays beside one that says something else', () => {
    expect(named({ mtbId: 'M1', maintainBillId: 'M1' }, 'mtbId')).toEqual({ mtbId: 'M1' });
    expect(named({ mtbId: 'M1', maintainBillId: 'M2' }, 'mtbId')).toEqual({ mtbId: 'M1', maintainBillId: 'M2' });
  });

  it('keeps its name where the call has it', () => {
    expect(named({ maintainBillId: 'M1' }, 'maintainBillId')).toEqual({ maintainBillId: 'M1' });
    expect(named({ mtbId: 'M1', maintainBillId: 'M2' }, 'mtbId', 'maintainBillId')).toEqual({
      mtbId: 'M1',
      maintainBillId: 'M2',
    });
  });
});

it('leaves out what a client may not decide, unless the call takes it', () => {
  expect(named({ siteId: 'US', sn: 'A' }, 'sn')).toEqual({ sn: 'A' });
  expect(named({ siteId: 'US', sn: 'A' }, 'sn', 'siteId')).toEqual({ siteId: 'US', sn: 'A' });
});
