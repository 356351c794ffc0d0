import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { INGEST, MOST_SAMPLES } from '#domain/hashRate.ts';
import { Code } from '#domain/wire.ts';

/**
 * What racks and pools report, told by their collector with a service token. A sample that is there already stays as it is
 * and is counted as repeated; a batch with a fault is not taken at all. Rule: hash-rate#ingest.
 */
export const ingest = submit({
  path: '/api/hashRate/ingest.json',
  right: `service/${INGEST}`,
  input: Type.Object({
    samples: Type.Array(
      Type.Object({
        userOid: Code,
        workerId: Code,
        timestamp: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
        hashRate: Type.Number(),
      }),
      { minItems: 1, maxItems: MOST_SAMPLES },
    ),
  }),
  data: Type.Object({ received: Type.Integer(), stored: Type.Integer(), repeated: Type.Integer() }),
});
