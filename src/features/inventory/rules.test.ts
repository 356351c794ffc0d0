import { describe, expect, it } from 'vitest';
import { ComponentType } from '#domain/assembly.ts';
import { boundAt, inSlots, staysIn } from './rules.ts';

const binding = (name: string, bindTime: number | null, unbindTime: number | null) => ({ name, bindTime, unbindTime });
const bindings = [binding('new', 20, null), binding('middle', 10, 20), binding('first', null, 10)];
const names = (moment: number | null) => boundAt(bindings, moment).map((it) => it.name);

describe('what was bound at a moment', () => {
  it.each([
    [null, ['new']],
    [99, ['new']],
    [20, ['new']],
    [19, ['middle']],
    [10, ['middle']],
    [9, ['first']],
    [0, ['first']],
  ])('at %j it is %j', (moment, expected) => {
    expect(names(moment)).toEqual(expected);
  });

  it('is nothing before the first binding', () => {
    expect(boundAt([binding('late', 5, null)], 4)).toEqual([]);
  });
});

describe('the stays of a unit', () => {
  it('are its events by bill, a bill that comes again being another stay', () => {
    const events = ['B', 'B', null, 'A', 'B'].map((mtbId, id) => ({ id, mtbId }));
    expect(staysIn(events).map((it) => [it.mtbId, it.events.map(({ id }) => id)])).toEqual([
      ['B', [0, 1]],
      [null, [2]],
      ['A', [3]],
      ['B', [4]],
    ]);
    expect(staysIn([])).toEqual([]);
  });
});

describe('the places of a device', () => {
  const part = (componentType: string, componentSn: string, bindTime = 1) => ({ componentType, componentSn, bindTime });

  it('are power, controls and the boards by number; what is of no known kind stands behind', () => {
    const { Power, Controls, Board } = ComponentType;
    const bound = [part('?', 'X'), part(Board, 'B2', 2), part(Board, 'B1'), part(Controls, 'C'), part(Power, 'P')];
    expect(inSlots(bound).map(({ binding, number }) => [binding.componentSn, number])).toEqual([
      ['P', null],
      ['C', null],
      ['B1', 1],
      ['B2', 2],
      ['X', null],
    ]);
  });
});
