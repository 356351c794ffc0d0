import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '#tests/support/tries.ts';
import { countingPublishes, type Publish } from './publishes.ts';

const count = (...takesBack: number[][]) => countingPublishes(takesBack.map((it, i) => ({ id: i + 1, takesBack: it })));

describe('which publishes count', () => {
  it.each([
    ['all, before one is taken back', [[], [], []], [1, 2, 3]],
    ['not one that was taken back', [[], [], [1]], [2, 3]],
    ['what was taken back, once that is taken back itself', [[], [1], [2]], [1, 3]],
    ['nothing of all that was taken back at once', [[], [], [1, 2]], [3]],
  ] as const)('%s', (_, takesBack, counting) => {
    expect(count(...takesBack.map((it) => [...it]))).toEqual(counting);
  });

  it('is what each publish says, read from the last one back, in whatever order they come', () => {
    const publishes = fc
      .array(fc.array(fc.nat({ max: 30 }), { maxLength: 3 }), { maxLength: 30 })
      .map((all) => all.map((it, i): Publish => ({ id: i + 1, takesBack: it.filter((of) => of >= 1 && of <= i) })));
    fc.assert(
      fc.property(publishes, fc.infiniteStream(fc.nat()), (all, order) => {
        const counts = (id: number): boolean => !all.some((it) => it.takesBack.includes(id) && counts(it.id));
        const shuffled = all.map((it) => ({ it, by: order.next().value })).sort((a, b) => a.by - b.by);
        expect(countingPublishes(shuffled.map(({ it }) => it))).toEqual(all.map((it) => it.id).filter(counts));
      }),
      tries(),
    );
  });
});
