import fc from 'fast-check';
import { expect, it } from 'vitest';
import { XmlBytes } from '#server/exports/xmlBytes.ts';
import { tries } from '#tests/support/tries.ts';

const text = fc.string({ unit: 'binary', maxLength: 400 });
const piece = fc.oneof(
  fc.record({ how: fc.constant('ascii' as const), text: fc.string({ unit: 'binary-ascii', maxLength: 300 }) }),
  fc.record({ how: fc.constant('xml' as const), text }),
  fc.record({
    how: fc.constant('plain' as const),
    text: fc.oneof(text, fc.string({ unit: fc.constantFrom(...'aZ09 -.老化机架，、_x&<>'), maxLength: 60 })),
  }),
);

it('bytes are those of the text that was written, in pieces of any size and taken at any time', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(piece, fc.boolean()), { maxLength: 60 }), (pieces) => {
      const xml = new XmlBytes(64, 256);
      const taken: Buffer[] = [];
      let all = '';
      for (const [{ how, text }, takes] of pieces) {
        if (how !== 'plain') xml[how](text);
        if (how !== 'plain') all += text;
        else if (xml.plain('<v>', text, '</v>')) all += `<v>${text}</v>`;
        // What is not written has something to escape, or is no Chinese and no ASCII.
        else expect(text).toMatch(/[&<>\0-\x1f]|_x|[^\x20-\x7e\u3000-\u9fff]/);
        if (takes) taken.push(xml.take());
      }
      expect(Buffer.concat([...taken, xml.take()]).toString()).toBe(all);
    }),
    tries(100),
  );
});
