import { expect, it } from 'vitest';
import { fixedRoutes } from '#server/app.ts';
import { inputSchemas } from '#server/input.ts';
import { compileValidator, lazyValidator } from '#server/lazyValidator.ts';

it('each call’s input can be checked, by schemas that nobody builds before they are needed', () => {
  const inputs = fixedRoutes.flatMap(({ call }) =>
    Object.entries(inputSchemas(call)).map(([httpPart, schema]) => ({ schema, httpPart, url: call.path })),
  );
  expect(inputs.length).toBeGreaterThan(100);
  for (const it of inputs) expect(() => compileValidator(it), it.url).not.toThrow();
});

it('says what is wrong as often as it is asked, and nothing when nothing is', () => {
  const route = { schema: { type: 'object', required: ['sn'], properties: { sn: { type: 'string' } } } };
  const check = lazyValidator(route as never) as ((input: unknown) => boolean) & { errors?: unknown };
  for (let i = 0; i < 2; i++) {
    expect(check({})).toBe(false);
    expect(check.errors).toMatchObject([{ keyword: 'required', params: { missingProperty: 'sn' } }]);
    expect(check({ sn: 'A' })).toBe(true);
    expect(check.errors).toBeNull();
  }
});
