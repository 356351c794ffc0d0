import type { Queue } from '#domain/queues.ts';
import { limits } from '#domain/reports.ts';

/**
 * After how long something in a queue has waited too long, by which the worst queue comes first; apart from the queues,
 * since a browser need not know it. Rule: screens#queues, reports#limits.
 */
export const limitHours = (queue: Queue): number =>
  queue.of === 'units' ? limits.handoverHours[queue.handover] : limits.undeliveredDays * 24;
