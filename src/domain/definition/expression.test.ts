import { describe, expect, it } from 'vitest';
import type { Field } from '#domain/definition/grammar.ts';
import { evaluate, namedFields, neededFields } from '#domain/definition/expression.ts';
import { parseExpression } from '#domain/definition/parseExpression.ts';

const fields: Record<string, Pick<Field, 'type' | 'computed'>> = {
  ...{ qty: { type: 'Integer' }, price: { type: 'BigDecimal' }, total: { type: 'BigDecimal' } },
  ...{ model: { type: 'String' }, status: { type: 'select' }, weight: { type: 'Number' } },
  ...{ sent: { type: 'date' }, back: { type: 'date' }, seen: { type: 'dateTime' } },
  twice: { type: 'Integer', computed: 'qty * 2' },
};
const parse = (source: string, type: Field['type'] = 'BigDecimal') => parseExpression(source, { type }, fields);
function reckon(source: string, row: object, type: Field['type'] = 'BigDecimal') {
  const parsed = parse(source, type);
  if ('fault' in parsed) throw new Error(`${parsed.fault.rule}: ${parsed.fault.name}`);
  return evaluate(type, parsed.expression, row as Record<string, unknown>);
}
const day = (text: string) => Date.parse(`${text}T00:00:00+08:00`);

describe('an expression', () => {
  it.each<[string, object, string | null]>([
    ['price * qty', { price: '0.1', qty: 3 }, '0.3'],
    ['price + 0.2', { price: '0.1' }, '0.3'],
    ['(price + 1) * -2', { price: '1.5' }, '-5'],
    ['price - qty - 1', { price: '1.5', qty: '1' }, '-0.5'],
    ['qty / 3', { qty: 2 }, '0.666667'],
    ['-qty / 3', { qty: 2 }, '-0.666667'],
    ['qty / 8', { qty: 1 }, '0.125'],
    ['price / 3 * 3', { price: '1' }, '1'],
    ['qty / 0', { qty: 1 }, null],
    ['price', { price: '' }, null],
    ['ifEmpty(price, 2) * qty', { qty: 3 }, '6'],
    ['ifEmpty(price, qty)', {}, null],
    ['round(price, 0)', { price: '2.5' }, '3'],
    ['round(-price, 1)', { price: '0.05' }, '-0.1'],
    ['abs(price - 3)', { price: '1.25' }, '1.75'],
    ['days(sent, back)', { sent: day('2026-03-05'), back: day('2026-04-01') }, '27'],
    ['days(back, sent)', { sent: day('2026-03-05'), back: day('2026-04-01') }, '-27'],
    ['sent < back ? 1 : 2', { sent: day('2026-03-05'), back: day('2026-03-05') }, '2'],
    ['status == "1" && qty >= 2 ? price : 0', { status: '1', qty: 2, price: '7' }, '7'],
    ['!(status == "1") || qty > 2 ? price : 0', { status: '1', qty: 2, price: '7' }, '0'],
    ['qty / (qty - 1) > 5 ? 1 : 2', { qty: 1 }, '2'],
    ['price * price', { price: '1000000' }, null],
    ['price * qty', { price: 'x', qty: 1 }, null],
  ])('%s of %o is %s', (source, row, expected) => {
    expect(reckon(source, row)).toBe(expected);
  });

  it('is rounded half up to what its field holds', () => {
    expect(reckon('price', { price: '2.5' }, 'Integer')).toBe(3);
    expect(reckon('-price', { price: '2.5' }, 'Integer')).toBe(-3);
    expect(reckon('-price', { price: '0.4' }, 'Integer')).toBe(0);
    expect(reckon('price / 2', { price: '0.000001' })).toBe('0.000001');
    expect(reckon('price * 10000', { price: '300000' }, 'Integer')).toBeNull();
  });

  it('joins texts', () => {
    expect(reckon('model + "-" + string(qty)', { model: 'RX', qty: 7 }, 'String')).toBe('RX-7');
    expect(reckon('model == "RX" ? "" : "other"', { model: 'RX' }, 'String')).toBeNull();
    expect(reckon('string(price)', { price: '2.500000' }, 'String')).toBe('2.5');
  });

  it('knows the fields that it names, and those that it can do without', () => {
    const parsed = parse('ifEmpty(price, total) + qty');
    const names = 'expression' in parsed ? [namedFields, neededFields].map((it) => it(parsed.expression)) : [];
    expect(names).toEqual([
      ['price', 'total', 'qty'],
      ['total', 'qty'],
    ]);
  });

  it.each<[string, string, string, Field['type']?]>([
    ['does not end', '(qty + 1', 'expressionSyntax'],
    ['ends in the middle', 'qty +', 'expressionSyntax'],
    ['is empty of sense', '  ', 'expressionSyntax'],
    ['names what is not there', 'qtty * 2', 'expressionField'],
    ['names a moment', 'days(sent, seen)', 'expressionFieldType'],
    ['names a floating point', 'weight * 2', 'expressionFieldType'],
    ['names what is computed', 'twice * 2', 'expressionFieldType'],
    ['adds a text to a number', 'qty + model', 'expressionTypes'],
    ['compares a text with a number', 'qty == model ? 1 : 2', 'expressionTypes'],
    ['asks which text is less', 'model < status ? 1 : 2', 'expressionTypes'],
    ['chooses between two kinds', 'qty > 1 ? qty : model', 'expressionTypes'],
    ['chooses by a number', 'qty ? 1 : 2', 'expressionTypes'],
    ['rounds to as many digits as a field says', 'round(price, qty)', 'expressionTypes'],
    ['gives too many values', 'abs(qty, qty)', 'expressionTypes'],
    ['has no field to be empty', 'ifEmpty(1, 2)', 'expressionTypes'],
    ['gives a text', 'model', 'expressionResult'],
    ['gives a number', 'qty', 'expressionResult', 'String'],
    ['gives yes or no', 'qty > 1', 'expressionResult'],
    ['gives a day', 'sent', 'expressionResult'],
    ['repeats', '[1, 2].all(x, x > 0) ? 1 : 2', 'expressionPart'],
    ['calls what is none', 'rond(price, 2)', 'expressionPart'],
    ['calls what every object has', 'constructor(qty)', 'expressionPart'],
    ['names what every object has', 'toString', 'expressionField'],
    ['reaches into a field', 'qty.length', 'expressionPart'],
    ['has a list', '[qty]', 'expressionPart'],
    ['has an exponent', '1e3', 'expressionPart'],
    ['has yes', 'true ? 1 : 2', 'expressionPart'],
    ['has nothing', 'qty == null ? 1 : 2', 'expressionPart'],
    ['takes what is left over', 'qty % 2', 'expressionPart'],
    ['is deep', `${'('.repeat(50)}qty${')'.repeat(50)}`, 'expressionLong'],
    ['is negated again and again', `${'-'.repeat(290)}qty`, 'expressionLong'],
    ['chooses in choices', `${'qty > 1 ? 1 : '.repeat(20)}2`, 'expressionLong'],
    ['is long', Array.from({ length: 70 }, () => 'qty').join('+'), 'expressionLong'],
    ['is very long', 'qty'.padEnd(301), 'expressionLong'],
    ['has half of a character', 'model + "\ud800"', 'expressionPart', 'String'],
  ])('is refused where it %s', (_, source, rule, type) => {
    expect(parse(source, type)).toMatchObject({ fault: { rule } });
  });

  it('says where it ends in the middle, by whole words', () => {
    expect(parse('qty + someLongName * ')).toMatchObject({
      fault: { rule: 'expressionSyntax', name: 'someLongName *' },
    });
  });

  it('is told what may have been meant', () => {
    expect(parse('qtty * 2')).toMatchObject({ fault: { name: 'qtty', suggestion: 'qty' } });
    expect(parse('rond(price, 2)')).toMatchObject({ fault: { name: 'rond', suggestion: 'round' } });
  });
});
