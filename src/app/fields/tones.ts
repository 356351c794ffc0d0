export type Tone = 'done' | 'waits' | 'refused' | 'work' | 'closed';

/**
 * What a status means to its reader, by field and value: green done, amber waits, red refused, blue in work, grey closed.
 * What is as usual has none: it stays plain text.
 */
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
  operateStatus: { Rollbacked: 'refused' },
  result: { 0: 'waits', 1: 'work', 2: 'done', 3: 'refused', 4: 'refused' },
  passFlag: { 0: 'refused', 1: 'done' },
  disposition: { repair: 'work', scrap: 'refused', nofault: 'done' },
  scrapStatus: { 0: 'waits', 1: 'refused', 2: 'closed' },
  nofaultConfirmStatus: { 0: 'waits', 1: 'done', 2: 'refused' },
  selfPickupStatus: { 0: 'waits', 1: 'done', 2: 'refused' },
  snStatus: { 0: 'waits', 1: 'work', 2: 'done' },
};

const review: Record<string, Tone> = { 0: 'waits', 1: 'refused', 2: 'done', 3: 'closed' };
const workOrder: Record<string, Tone> = { 0: 'waits', 1: 'work', 2: 'work', 3: 'done', 4: 'closed' };
const isOn: Record<string, Tone> = { 0: 'closed', 1: 'done' };

/** Bills share the names `status` and `billStatus` for lists of their own; told apart by module. */
const statusOf: Record<string, Record<string, Tone>> = {
  rmaArrivalBill: { 0: 'waits', 1: 'done' },
  rmaStockupBill: { 0: 'waits', 1: 'work', 2: 'done', 3: 'refused', 4: 'closed' },
  rmaUnhandledPackageBill: { 0: 'waits', 1: 'done', 2: 'closed', 3: 'closed' },
  rmaStockTransferBill: { 0: 'waits', 1: 'work', 2: 'done', 3: 'closed' },
  rmaScrapRepairBill: { 0: 'waits', 1: 'done', 2: 'closed' },
  rmaSiteRepairBill: { 0: 'work', 1: 'done' },
  rmaWebSync: { 0: 'waits', 1: 'done', 2: 'refused' },
  rmaPriceBill: review,
  rmaMiscellaneousExpensesBill: review,
  rmaRepairFeeBill: { 0: 'waits', 1: 'refused', 3: 'waits', 4: 'waits', 5: 'waits', 6: 'done' },
  rmaLogisticsCostsBill: { 0: 'waits', 1: 'waits', 2: 'done', 3: 'refused' },
  icopWaferWorkOrder: workOrder,
  icopBumpingCpWorkOrder: workOrder,
  icopAssemblyWorkOrder: workOrder,
  icopFtWorkOrder: workOrder,
  icopPartNumber: isOn,
  icopSupplier: isOn,
  adminUser: isOn,
  sysServiceToken: isOn,
  sysDraft: { 0: 'waits', 1: 'done' },
  sysPublish: isOn,
  ubsProductOrder: { 0: 'work', 1: 'closed' },
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
  const own = field === 'status' || field === 'billStatus' ? statusOf[module] : undefined;
  const of = own ?? (field === 'fromNode' || field === 'toNode' ? tones['ivyId'] : tones[field]);
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
