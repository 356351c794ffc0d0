import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseMoment } from '#server/db/pool.ts';
import { tries } from '#tests/support/tries.ts';

const two = (it: number) => String(it).padStart(2, '0');

it('a moment as the database says it is read as exactly as JavaScript reads it, in whatever zone and of whatever year', () => {
  const moment = fc.record({
    date: fc.date({ min: new Date('0101-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
    fraction: fc.stringMatching(/^(\.\d{1,6})?$/),
    zone: fc.tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 14 }), fc.constantFrom('', ':30', ':45')),
  });
  fc.assert(
    fc.property(moment, ({ date, fraction, zone: [sign, hours, more] }) => {
      const [day, clock] = [date.toISOString().slice(0, 10), date.toISOString().slice(11, 19)];
      const iso = `${day}T${clock}${fraction}${sign}${two(hours)}${more || ':00'}`;
      expect(parseMoment(`${day} ${clock}${fraction}${sign}${two(hours)}${more}`)).toBe(Date.parse(iso));
    }),
    tries(200),
  );
});
