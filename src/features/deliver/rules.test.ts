import { describe, expect, it } from 'vitest';
import { DeliverPriority, DeliverStatus, StockupStatus } from '#domain/enums.ts';
import {
  findLine,
  validateCounts,
  validateDelivery,
  validateItem,
  validateWaitingLines,
  validateOwnLine,
  validateNumber,
  validateStockup,
  validateSubmitType,
  type ShippingUnit,
  type StockupLine,
} from './rules.ts';

const keysOf = (problems: readonly { key: string }[]) => problems.map((it) => it.key);

const line: StockupLine = { skblId: 'SKL1', itemId: 7, sn: 'SN1', salesCode: 'RX19', delivered: '0' };
const ready: ShippingUnit = {
  sn: 'SN1',
  salesCode: 'RX19',
  itemRowId: 7,
  deliverStatus: DeliverStatus.CanShip,
  deliverPriority: DeliverPriority.Normal,
};

describe('a delivery as it was sent', () => {
  it.each([
    ['0', []],
    ['1', ['format']],
    ['2', []],
    ['3', ['format']],
    ['', ['format']],
  ])('of submit type %j has the problems %j', (submitType, keys) => {
    expect(keysOf(validateSubmitType(submitType))).toEqual(keys);
  });

  it.each<[(number | undefined)[], string[]]>([
    [[], ['required']],
    [[undefined], []],
    [[1, 1], []],
    [[1, 0], ['count']],
    [[2], ['count']],
  ])('with the counts %j has the problems %j', (counts, keys) => {
    expect(keysOf(validateCounts(counts))).toEqual(keys);
  });

  it('marks the line whose count is wrong', () => {
    expect(validateCounts([1, 0])[0]?.field).toBe('rmaDeliverBillLineList.1.submitCount');
  });

  it('names its bill', () => {
    expect(keysOf(validateNumber('', 'skbId'))).toEqual(['required']);
    expect(validateNumber('SKB1', 'skbId')).toEqual([]);
  });
});

describe('a stock-up bill', () => {
  it.each([
    [StockupStatus.Open, []],
    [StockupStatus.Partly, []],
    [StockupStatus.Finished, ['billFinished']],
    [StockupStatus.Stopped, ['billFinished']],
    [StockupStatus.Cancelled, ['billFinished']],
    [null, ['billFinished']],
  ])('of status %j ships with the problems %j', (status, keys) => {
    expect(keysOf(validateStockup('SKB1', status))).toEqual(keys);
  });

  it('has something to deliver while a line waits', () => {
    expect(validateWaitingLines([{ ...line, delivered: '1' }, line])).toEqual([]);
    expect(keysOf(validateWaitingLines([{ ...line, delivered: '1' }]))).toEqual(['completeDelivery']);
    expect(keysOf(validateWaitingLines([]))).toEqual(['completeDelivery']);
  });

  it('waits for an SN on the line of its own item', () => {
    expect(findLine(ready, [line])).toBe(line);
    expect(findLine({ ...ready, itemRowId: 8 }, [line])).toBeUndefined();
    expect(findLine(ready, [{ ...line, delivered: '1' }])).toBeUndefined();
  });
});

describe('an item for which the office has promised a model', () => {
  const own = (exchangeCode: string | null) => ({ ...line, exchangeCode });
  const stock = { ...ready, sn: 'SN2', itemRowId: null };

  it.each<[string | null, string[]]>([
    [null, []],
    ['RX19', []],
    ['RX21', ['mismatch']],
  ])('of %j lets its own unit go with the problems %j [W-EVT-31]', (promise, keys) => {
    expect(findLine(ready, [own(promise)]) === undefined).toBe(keys.length > 0);
    expect(keysOf(validateDelivery(ready, [own(promise)], true))).toEqual(keys);
    expect(keysOf(validateItem(ready, { deliverItemId: 7, promise }, true))).toEqual(keys);
  });

  it('waits for a stock machine of that model [W-EVT-31]', () => {
    const promised = own('RX21');
    expect(findLine({ ...stock, salesCode: 'RX21' }, [promised])).toBe(promised);
    expect(findLine(stock, [promised])).toBeUndefined();
  });
});

describe('a unit that shall leave on a stock-up bill', () => {
  const stock: ShippingUnit = { ...ready, itemRowId: null, deliverStatus: null, deliverPriority: null };
  it.each<[string, ShippingUnit, StockupLine[], boolean, string[]]>([
    ['stands on it', ready, [line], true, []],
    ['stands on it with priority', { ...ready, deliverPriority: DeliverPriority.Priority }, [line], true, []],
    ['was not released', { ...ready, deliverStatus: DeliverStatus.CannotShip }, [line], false, ['cannotShip']],
    ['is paused', { ...ready, deliverPriority: DeliverPriority.Paused }, [line], true, ['cannotShip']],
    ['is of a model that is not on it', { ...ready, sn: 'SN2', salesCode: 'RX21' }, [line], true, ['mismatch']],
    ['was already delivered on it', ready, [{ ...line, delivered: '1' }], false, ['mismatch']],
    ['stands on another one', { ...ready, sn: 'SN2', itemRowId: 8 }, [line], true, ['mismatch']],
    ['stands on none', { ...ready, sn: 'SN2', itemRowId: 8 }, [line], false, ['noTally']],
    ["is of the site's own stock", { ...stock, sn: 'SN2' }, [line], false, ['noTally']],
    ["is of the site's own stock and another model", { ...stock, salesCode: 'RX21' }, [line], false, ['mismatch']],
  ])('and %s', (_, unit, lines, hasTally, keys) => {
    expect(keysOf(validateDelivery(unit, lines, hasTally))).toEqual(keys);
  });

  it('is named with its sales code when that fits no line', () => {
    const [problem] = validateDelivery({ ...ready, salesCode: 'RX21' }, [line], true);
    expect(problem?.args).toEqual({ sn: 'SN1', code: 'RX21' });
  });

  it.each<[string, { deliverItemId: number | null; sklId: string }, string[]]>([
    ['nothing', { deliverItemId: null, sklId: '' }, []],
    ['its item and its line', { deliverItemId: 7, sklId: 'SKL1' }, []],
    ['another item', { deliverItemId: 8, sklId: 'SKL1' }, ['mismatch']],
    ['another line', { deliverItemId: 7, sklId: 'SKL2' }, ['mismatch']],
  ])('and for which the form named %s', (_, sent, keys) => {
    expect(keysOf(validateOwnLine(line, sent, 'sn'))).toEqual(keys);
  });
});

describe('the SN of an item', () => {
  it.each<[string, ShippingUnit, number, boolean, string[]]>([
    ['its own, ready to go', ready, 7, true, []],
    ['of another item', ready, 8, true, ['mismatch']],
    ['of no item', { ...ready, itemRowId: null }, 7, true, ['mismatch']],
    ['paused', { ...ready, deliverPriority: DeliverPriority.Paused }, 7, true, ['cannotShip']],
    ['not stocked up', ready, 7, false, ['noTally']],
  ])('is %s', (_, unit, itemId, hasTally, keys) => {
    expect(keysOf(validateItem(unit, { deliverItemId: itemId, promise: null }, hasTally))).toEqual(keys);
  });
});
