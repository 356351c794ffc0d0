import { Confirmation, DeliverStatus, DutySourse, Flag, flag } from '#domain/enums.ts';
import { joinUrls } from '#domain/images.ts';
import { Disposition, isChipCode, IssueCategory, needsImage, NO_POWER } from '#domain/issueCode.ts';
import { Node } from '#domain/nodes.ts';
import { dayOf } from '#domain/day.ts';
import { ComponentType } from '#domain/assembly.ts';
import { issueCodes } from '#server/base/codes.ts';
import { storages } from './intake.ts';
import { moveUnit } from './moves.ts';
import type { Row } from './rows.ts';
import { stamp, touch, type Site, type Unit, type World } from './world.ts';

const codesOf = (billType: string, disposition: string | null = null) =>
  issueCodes.filter((it) => it.billType === billType && it.disposition === disposition);
const choices = {
  repair: codesOf(IssueCategory.Check, Disposition.Repair).filter((it) => it.code !== NO_POWER),
  scrap: codesOf(IssueCategory.Check, Disposition.Scrap),
  nofault: codesOf(IssueCategory.Check, Disposition.NoFault),
};
type Finding = keyof typeof choices;

export const pickTech = (world: World, site: Site) => world.random.pick(site.crew.techs);

/**
 * The first test of one unit: its codes and pictures, and what follows from them. Rule: events#e08, events#e09,
 * events#e10.
 */
export function check(world: World, unit: Unit, finding: Finding, at: number): void {
  const { random, rows } = world;
  const by = pickTech(world, unit.site);
  const codes = random.some(choices[finding], finding === 'repair' ? random.int(1, 2) : 1);
  const power = unit.machine.parts.find((it) => it.componentType === ComponentType.Power);
  const powerSn = power && random.chance(0.85) ? power.sn : null;
  const pictures =
    needsImage(codes) || random.chance(0.4) ? random.some(unit.site.photos.slice(0, 7), random.int(1, 3)) : [];
  const checkUrls = joinUrls(pictures) || null;
  const icdIds = codes.map((it) => it.code).join(',');
  const ckbId = world.numberAt('CKB', at);
  rows.add('rma_check_bill', {
    ckbId,
    mtbId: unit.row.mtbId ?? null,
    userId: by,
    checkUrls,
    agentAnswer: null,
    siteId: unit.site.siteId,
    ...stamp(at, by),
  });
  const lastDelivery = unit.history.findLast((it) => it.deliverTime)?.deliverTime;
  rows.add('rma_check_bill_line', {
    ckbId,
    sn: unit.machine.sn,
    mtbliId: unit.row.mtbliId ?? null,
    salesCode: unit.machine.item.salesCode,
    name: unit.machine.item.name,
    billTime: new Date(at),
    icdIds,
    icdDescriptions: codes.map((it) => it.name).join(','),
    maintainDate: lastDelivery ? dayOf(Number(lastDelivery), world.timeZone) : null,
    repairChipCount: codes.some((it) => isChipCode(it.code)) ? random.int(1, 6) : null,
    powerSn,
    disposition: finding,
    scrapStatus: finding === 'scrap' ? Confirmation.Waiting : null,
    nofaultConfirmStatus: finding === 'nofault' ? Confirmation.Waiting : null,
    ...stamp(at, by),
  });
  if (unit.item) {
    Object.assign(unit.item, { checkTime: new Date(at), checkUrls, powerSn });
    unit.item.checkIcdIds = icdIds;
    touch(unit.item, at, by);
  }
  moveUnit(
    world,
    unit,
    'check',
    finding === 'repair' ? Node.AwaitingRepair : Node.AwaitingCheck,
    ckbId,
    at,
    by,
    icdIds,
  );
}

const lastCheck = (world: World, unit: Unit): Row<'rma_check_bill_line'> =>
  world.rows.of('rma_check_bill_line').findLast((it) => it.sn === unit.machine.sn) as Row<'rma_check_bill_line'>;

/** Mostly the customer's; each in its turn, so that a site has all of them. */
const duties = [DutySourse.Customer, DutySourse.OwnCompany, DutySourse.Unclear, DutySourse.Customer];
const scrapsAt = ({ units }: World, site: Site): number =>
  [...units.values()].filter((it) => it.site === site && it.item?.scrap === Flag.Yes).length;

/** A supervisor's yes to a proposed scrap: it is kept, or goes back unrepaired. Rule: events#e11. */
export function confirmScrap(world: World, unit: Unit, isReturned: boolean, at: number): void {
  const by = unit.site.crew.supervisor;
  const line = lastCheck(world, unit);
  const dutySourse = duties[scrapsAt(world, unit.site) % duties.length];
  const remark = world.random.pick(['板面烧毁面积大，无维修价值', '客户机房进水导致腐蚀', '多处铜箔脱落，无法补线']);
  Object.assign(line, { scrapStatus: Confirmation.Confirmed, dutySourse, dutySourseRemark: remark });
  touch(line, at, by);
  if (unit.item) {
    unit.item.scrap = Flag.Yes;
    unit.item.returness = isReturned ? Flag.Yes : Flag.No;
    if (!isReturned) unit.item.deliverStatus = DeliverStatus.Scrapped;
    touch(unit.item, at, by);
  }
  if (!isReturned) Object.assign(unit.row, storages.scrap);
  const to = isReturned ? Node.AwaitingStorage : Node.Scrapped;
  moveUnit(world, unit, 'scrapConfirm', to, line.ckbId, at, by, remark);
}

/** A supervisor's no, with the reason that the next check shows. Rule: events#e12. */
export function declineScrap(world: World, unit: Unit, at: number): void {
  const by = unit.site.crew.supervisor;
  const line = lastCheck(world, unit);
  const remark = world.random.pick([
    '换板后可继续使用，请重新检测',
    '客户要求维修，不同意报废',
    '请补拍背面照片后再判',
  ]);
  Object.assign(line, { scrapStatus: Confirmation.Declined, declineScrapRemark: remark });
  touch(line, at, by);
  moveUnit(world, unit, 'scrapConfirm', Node.AwaitingCheck, line.ckbId, at, by, remark);
}

/** Nothing is wrong with it: aging has to prove that. Rule: events#e13. */
export function confirmNofault(world: World, unit: Unit, at: number): void {
  const by = unit.site.crew.supervisor;
  const line = lastCheck(world, unit);
  Object.assign(line, { nofaultConfirmStatus: Confirmation.Confirmed });
  touch(line, at, by);
  moveUnit(world, unit, 'nofaultConfirm', Node.AwaitingTest, line.ckbId, at, by);
}

/** Something is wrong with it after all, with the reason that the next check shows. Rule: events#e14. */
export function declineNofault(world: World, unit: Unit, at: number): void {
  const by = unit.site.crew.supervisor;
  const line = lastCheck(world, unit);
  const remark = world.random.pick(['客户提供的日志显示掉板，请重新检测', '高温下复测仍有掉算力，请带载检测']);
  Object.assign(line, { nofaultConfirmStatus: Confirmation.Declined, nofaultConfirmRemark: remark });
  touch(line, at, by);
  moveUnit(world, unit, 'nofaultConfirm', Node.AwaitingCheck, line.ckbId, at, by, remark);
}

/** The aging test of some units with one result. Rule: events#e18, events#e19. */
export function age(world: World, units: readonly Unit[], passes: boolean, at: number): void {
  const [first] = units;
  if (!first) return;
  const by = pickTech(world, first.site);
  const bnbId = world.numberAt('BNB', at);
  world.rows.add('rma_burnin_bill', { bnbId, userId: by, siteId: first.site.siteId, ...stamp(at, by) });
  for (const unit of units) {
    const code = passes ? 'AT00' : world.random.pick(['AT01', 'AT02', 'AT03']);
    const burninUrls = !passes || world.random.chance(0.2) ? (unit.site.photos[7] ?? null) : null;
    world.rows.add('rma_burnin_bill_line', {
      bnbId,
      ...lineOf(unit),
      icdId: code,
      passFlag: flag(passes),
      burninUrls,
      ...stamp(at, by),
    });
    moveUnit(world, unit, 'aging', passes ? Node.AwaitingInspection : Node.AwaitingRepair, bnbId, at, by, code);
  }
}

/** The inspection of some units with one result. Rule: events#e20, events#e21. */
export function inspect(world: World, units: readonly Unit[], passes: boolean, at: number): void {
  const [first] = units;
  if (!first) return;
  const by = pickTech(world, first.site);
  const exbId = world.numberAt('EXB', at);
  world.rows.add('rma_examine_bill', { exbId, userId: by, siteId: first.site.siteId, ...stamp(at, by) });
  for (const unit of units) {
    const icdId = passes ? 'QC00' : world.random.pick(['QC01', 'QC02', 'QC03']);
    world.rows.add('rma_examine_bill_line', {
      exbId,
      ...lineOf(unit),
      icdId,
      passFlag: flag(passes),
      ...stamp(at, by),
    });
    moveUnit(world, unit, 'qc', passes ? Node.AwaitingStorage : Node.AwaitingRepair, exbId, at, by, icdId);
  }
}

/** How a unit stands on the lines of bills. */
export const lineOf = (unit: Unit) => ({
  sn: unit.machine.sn,
  salesCode: unit.machine.item.salesCode,
  name: unit.machine.item.name,
  mtbId: unit.row.mtbId ?? null,
});
