import { expect, it } from 'vitest';
import { inputSchemas } from '#server/input.ts';
import { compileValidator, lazyValidator } from '#server/lazyValidator.ts';
import { fixedRoutes } from '#tests/support/features.ts';

it('each call’s input can be checked, by schemas that nobody builds before they are needed', () => {
  const inputs = fixedRoutes.flatMap(({ call }) =>
    Object.entries(inputSchemas(call)).map(([httpPart, schema]) => ({ schema, httpPart, url: call.path })),
  );
  expect(inputs.length).toBeGreaterThan(100);
  for (const it of inputs) expect(() => compileValidator(it), it.url).not.toThrow();
});

it('says what is wrong as often as it is asked, and gives what was read when nothing is', () => {
  const route = {
    schema: { type: 'object', required: ['sn'], properties: { sn: { type: 'string' } } },
    url: '/api/rmaCheckBill/check.json',
  };
  const check = lazyValidator(() => undefined)(route as never);
  for (let i = 0; i < 2; i++) {
    expect(check({})).toMatchObject({ error: [{ keyword: 'required', params: { missingProperty: 'sn' } }] });
    expect(check({ SN: 0, userId: 'x' })).toEqual({ value: { sn: '0' } });
  }
});
