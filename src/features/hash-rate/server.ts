import { INGEST, SAMPLES_A_SECOND, SAMPLES_AT_ONCE } from '#domain/hashRate.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { route } from '#server/route.ts';
import { takeAllowance } from '#server/session/services.ts';
import { ingest } from './contract.ts';
import { validateSamples } from './rules.ts';
import { reporterOf, writeSamples } from './queries.ts';

const pace = { aSecond: SAMPLES_A_SECOND, atOnce: SAMPLES_AT_ONCE };

export const hashRateRoutes = [
  route(
    ingest,
    async ({ samples: sent }, ctx) => {
      const samples = sent.map((it) => ({ ...it, userOid: it.userOid.trim(), workerId: it.workerId.trim() }));
      refuseIfAny(validateSamples(samples, Date.now()));
      const stored = await writeSamples(ctx, samples, reporterOf(ctx.currentUser));
      return { received: samples.length, stored, repeated: samples.length - stored };
    },
    {
      async beforehand({ samples }, { db, currentUser: { service } }) {
        if (!service) throw new Error(`Only a service token for ${INGEST} comes here`);
        await takeAllowance(db, service.tokenId, samples.length, pace);
      },
    },
  ),
];
