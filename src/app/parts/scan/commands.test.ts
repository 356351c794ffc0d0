import { describe, expect, it } from 'vitest';
import { isSn, normaliseSn } from '#domain/sn.ts';
import { type Command, commandOf, textOf } from '#app/parts/scan/commands.ts';

const commands: Command[] = [
  { do: 'submit' },
  { do: 'undo' },
  { do: 'next' },
  { do: 'tab', number: 2 },
  { do: 'quantity', count: 40 },
  { do: 'code', code: 'FX409' },
  { do: 'code', code: 'A-1' },
];

describe('a command barcode', () => {
  it.each(commands)('says what it means, and can be no SN: $do', (command) => {
    expect(commandOf(textOf(command))).toEqual(command);
    expect(isSn(normaliseSn(textOf(command)))).toBe(false);
  });

  it('is read in small and in full-width letters', () => {
    expect(commandOf(' ％ｓｕｂｍｉｔ')).toEqual({ do: 'submit' });
  });

  it('is read behind the symbology identifier that a scanner may be set to send', () => {
    expect(commandOf(']C0%SUBMIT')).toEqual({ do: 'submit' });
    expect(commandOf(']C0')).toBeUndefined();
  });

  it.each(['%', '%FLY', '%QTY-', '%QTY-X', '%TAB-0', '%TAB-DEVICE', '%CODE-', '%SUBMIT-1'])(
    'is known as one that means nothing: %s',
    (text) => {
      expect(commandOf(text)).toBe('unknown');
    },
  );

  it.each(['', 'SUBMIT', 'RX21-188T', 'FX409'])('is not seen in %o', (text) => {
    expect(commandOf(text)).toBeUndefined();
  });
});
