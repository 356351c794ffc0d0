import { createHash } from 'node:crypto';
import { BaseSequencer } from 'vitest/node';

/**
 * Test files in the order of a seed. Those of a project stay together: a worker keeps what it has loaded only for the next
 * file of the same project, and vitest's own shuffling would mix them.
 */
export default class ShuffledFiles extends BaseSequencer {
  async sort(specs) {
    const { seed } = this.ctx.config.sequence;
    const place = (name) => createHash('sha256').update(`${seed} ${name}`).digest('hex');
    const placeOf = new Map(specs.map((it) => [it, place(it.project.name) + place(it.moduleId)]));
    return [...specs].sort((a, b) => (placeOf.get(a) < placeOf.get(b) ? -1 : 1));
  }
}
