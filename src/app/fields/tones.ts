export type Tone = 'done' | 'waits' | 'refused' | 'work' | 'closed';

/** What a status means to its reader, by field and value: green done, amber waits, red refused, blue in work, grey closed. */
const tones: Record<string, Record<string, Tone>> = {
  ivyId: {
    10: 'waits',
    40: 'refused',
    50: 'work',
    60: 'work',
    70: 'work',
    80: 'work',
    90: 'work',
    100: 'done',
    900: 'closed',
  },
  billStatus: { 0: 'waits', 1: 'work', 2: 'done', 3: 'refused', 4: 'work' },
  receiveStatus: { 0: 'waits', 1: 'done', 2: 'refused', 3: 'work' },
  deliverStatus: { 0: 'closed', 1: 'waits', 2: 'done', 3: 'refused', 4: 'closed' },
  deliverPriority: { 0: 'closed', 1: 'waits', 2: 'refused' },
  operateStatus: { Normal: 'done', Rollbacked: 'refused' },
  passFlag: { 0: 'refused', 1: 'done' },
  disposition: { repair: 'work', scrap: 'refused', nofault: 'done' },
  scrapStatus: { 0: 'waits', 1: 'refused', 2: 'closed' },
  nofaultConfirmStatus: { 0: 'waits', 1: 'done', 2: 'refused' },
};

/** Words of a list of their own share the field's name `status`; told apart by module. */
const statusOf: Record<string, Record<string, Tone>> = {
  rmaArrivalBill: { 0: 'waits', 1: 'done' },
  rmaStockupBill: { 0: 'waits', 1: 'work', 2: 'done', 3: 'refused', 4: 'closed' },
  adminUser: { 0: 'closed', 1: 'done' },
  rmaReportDownload: {
    queued: 'waits',
    running: 'work',
    done: 'done',
    failed: 'refused',
    cancelled: 'closed',
    expired: 'closed',
  },
};

export function toneOf(module: string, field: string, value: unknown): Tone | undefined {
  const of =
    field === 'status' ? statusOf[module] : field === 'fromNode' || field === 'toNode' ? tones.ivyId : tones[field];
  return of?.[String(value)];
}

/** The palette's name of a tone. */
export const paletteOf: Record<Tone, 'success' | 'warning' | 'error' | 'info' | 'secondary'> = {
  done: 'success',
  waits: 'warning',
  refused: 'error',
  work: 'info',
  closed: 'secondary',
};
