import type { Problem } from '#domain/refusal.ts';
import { ftBins, GOOD_BIN, MOST_DIES, Stage } from '#domain/wafer.ts';
import { isUnseen } from '#domain/signs.ts';

/** A wafer or a bin that was taken from a bank into an order that is not made yet. */
export interface SelectedLot {
  wipId: string;
  waferLotId: string;
  stage: string;
  /** For which part the order was when this was taken: the wafer's, or the device's. */
  part: string;
  devicePn: string;
  /** The wafer's number, or the bin. */
  piece: string;
  inputQty: number;
  remainQty: number;
  /** Final test: which lots are tested together, and by what. */
  group?: number;
  ftTestProgram?: string;
  /** Of its line. */
  remark?: string;
  originPlace?: string;
}

export const ORIGIN_LENGTH = 50;
export const PROGRAM_LENGTH = 100;

const word = (field: string) => ({ module: 'icopFtWorkOrderLine', field });

/** An order takes something. */
export const validateNotEmpty = (count: number, field: string): Problem[] =>
  count > 0 ? [] : [{ key: 'required', field, args: { fields: [{ zh: '晶圆', en: 'Wafers' }] } }];

/** And no more than can be counted. Rule: wafer-bank#counting. */
export const validateDies = (dies: number, field: string): Problem[] =>
  dies <= MOST_DIES ? [] : [{ key: 'atMost', field, args: { field: word('chipQty'), max: MOST_DIES } }];

/**
 * What is tested together: each lot with its bin and its program, and in one group one device, one program and one
 * bank; bins may differ. Rule: wafer-bank#groups.
 */
export function validateGroups(
  lots: readonly Pick<SelectedLot, 'group' | 'piece' | 'ftTestProgram' | 'devicePn' | 'stage'>[],
) {
  const problems: Problem[] = [];
  lots.forEach((it, i) => {
    const at = `ftWorkOrderLineGroupList.${i}`;
    if (isUnseen(it.ftTestProgram ?? '')) {
      problems.push({ key: 'required', field: `${at}.ftTestProgram`, args: { fields: [word('ftTestProgram')] } });
    }
    if (isUnseen(it.piece)) problems.push({ key: 'required', field: `${at}.bin`, args: { fields: [word('bin')] } });
    const first = lots.find((other) => other.group === it.group);
    if (!first || first === it) return;
    const isSame =
      first.devicePn === it.devicePn && first.ftTestProgram === it.ftTestProgram && first.stage === it.stage;
    if (!isSame) problems.push({ key: 'mixedGroup', field: at, args: { group: it.group ?? 0 } });
  });
  return problems;
}

/** A lot as it would lie in its bank without the draft that is being changed. */
interface OwnLot {
  wipId: string;
  waferLotId: string;
  stage: string;
  devicePn: string;
  waferList: { waferId: string; chipQty: number }[];
}

/** What a draft holds, as it was picked. */
export function selectedOf(
  { lots, lines }: { lots: readonly OwnLot[]; lines: readonly HeldLine[] },
  part: string,
): SelectedLot[] {
  return lines.map(({ group, ...it }) => {
    const {
      waferLotId = it.wipId,
      stage = '',
      devicePn = '',
      waferList = [],
    } = lots.find((lot) => lot.wipId === it.wipId) ?? {};
    const all = waferList.find((one) => one.waferId === it.piece)?.chipQty ?? it.inputQty;
    return { ...it, waferLotId, stage, part, devicePn, remainQty: all - it.inputQty, ...(group !== null && { group }) };
  });
}

interface HeldLine {
  wipId: string;
  piece: string;
  inputQty: number;
  group: number | null;
  ftTestProgram: string;
  originPlace: string;
  remark: string;
}

/** The lots of the banks, with those of a draft as they would lie there without it. Rule: wafer-bank#drafts. */
export function withOwnLots<L extends OwnLot>(bank: readonly L[], own: readonly L[], isNarrowed: boolean): L[] {
  const mine = new Map(own.map((it) => [it.wipId, it]));
  const missing = own.filter((it) => bank.every((lot) => lot.wipId !== it.wipId));
  return [...(isNarrowed ? [] : missing), ...bank.map((it) => mine.get(it.wipId) ?? it)];
}

const isOf = (it: Pick<SelectedLot, 'wipId' | 'piece'>, wipId: string, piece: string): boolean =>
  it.wipId === wipId && it.piece === piece;

/** What can still be taken of a lot beside what was picked: the rest of a wafer, of a bin only one that was not. Rule: wafer-bank#taking. */
export const restOf = <L extends Pick<OwnLot, 'wipId' | 'waferList'>>(
  lot: L,
  picked: readonly Pick<SelectedLot, 'wipId' | 'piece' | 'inputQty'>[],
  isFt: boolean,
): L => ({
  ...lot,
  waferList: lot.waferList
    .map((one) => {
      const own = picked.filter((it) => isOf(it, lot.wipId, one.waferId));
      const taken = own.reduce((sum, it) => sum + it.inputQty, 0);
      return { ...one, chipQty: isFt && own.length > 0 ? 0 : one.chipQty - taken };
    })
    .filter((one) => one.chipQty > 0),
});

/** What was picked with more: of a wafer that is picked already it is added up. Rule: wafer-bank#taking. */
export function withMore(picked: readonly SelectedLot[], more: readonly SelectedLot[]): SelectedLot[] {
  const again = (it: SelectedLot) => more.find((one) => isOf(one, it.wipId, it.piece));
  const grown = picked.map((it) => {
    const { inputQty = 0, remainQty = it.remainQty } = again(it) ?? {};
    return { ...it, inputQty: it.inputQty + inputQty, remainQty };
  });
  return [...grown, ...more.filter((it) => picked.every((one) => !isOf(one, it.wipId, it.piece)))];
}

/** Groups count from 1 on; one that was taken out is not given again. */
export const nextGroup = (selected: readonly Pick<SelectedLot, 'group'>[]): number =>
  Math.max(0, ...selected.map((it) => it.group ?? 0)) + 1;

export const isBin = (stage: string, bin: string): boolean =>
  stage === Stage.AssemblyBank ? bin === GOOD_BIN : ftBins.some((it) => it === bin);

/** What an order would hold, and what of it would come out good if it went as usual. */
interface Foreseen {
  lots: number;
  pieces: number;
  dies: number;
  /** Null where no order of this kind is done yet. */
  good: number | null;
}

/** Adds up what was picked; what is usually good of it is rounded down to whole dies. Rule: wafer-bank#foresight. */
export function foresee(
  picked: readonly Pick<SelectedLot, 'wipId' | 'piece' | 'inputQty'>[],
  usual: number | null,
): Foreseen {
  const dies = picked.reduce((sum, it) => sum + it.inputQty, 0);
  return {
    lots: new Set(picked.map((it) => it.wipId)).size,
    pieces: new Set(picked.map((it) => `${it.wipId}/${it.piece}`)).size,
    dies,
    // A share such as 0.95 is not exact: the dies of a whole lot must not lose one by it.
    good: usual === null ? null : Math.floor(dies * usual + 1e-6),
  };
}
