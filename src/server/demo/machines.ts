import { ComponentType } from '#domain/assembly.ts';
import { DAY_MS } from '#domain/day.ts';
import { GoodsType, Origin } from '#domain/enums.ts';
import { createDayFormatter } from './calendar.ts';
import { notOur, type Item, type Model } from './items.ts';
import type { Random } from './random.ts';
import type { Row, Rows } from './rows.ts';

export interface Part {
  sn: string;
  item: Item;
  componentType: ComponentType;
  qrCodeNum: string | null;
  binding: Row<'ubs_assembly'>;
}

/** A device or a loose board as it left the factory. */
export interface Machine {
  sn: string;
  item: Item;
  model: Model | null;
  parts: Part[];
  warrantyEnds: number;
  /** A loose board that is put aside at receipt. Rule: events#e04. */
  isBeyondRepair?: boolean;
  /** It comes back with other parts than it left with. */
  isMixed?: boolean;
}

/** Makes machines, and their records in the archive. */
export interface Factory {
  /** It left the factory some time before `sold`. */
  device(model: Model, customer: string | null, sold?: number): Machine;
  /** A board that came in without an SN and got one at receipt. */
  looseBoard(item: Item, at: number): Machine;
  /** A device of another maker, of which the archive learns at receipt. Rule: events#e05. */
  nonOfficial(sn: string, at: number): Machine;
  /** A part that replaces another one. */
  part(item: Item, componentType: ComponentType, at: number): Omit<Part, 'binding'>;
}

/** `firstSerial`: from where the serial numbers of each model are counted, so that two factories give no SN twice. */
export function openFactory(rows: Rows, random: Random, now: number, timeZone: string, firstSerial = 0): Factory {
  const dayAt = createDayFormatter(timeZone);
  const serials = new Map<string, number>();

  /** 17 characters: what it is, revision, year and month, line, serial. */
  function nextSn(stem: string, at: number): string {
    const serial = (serials.get(stem) ?? firstSerial + random.int(100, 900)) + random.int(1, 4);
    serials.set(stem, serial);
    const month = dayAt(at).slice(2, 7).replace('-', '');
    return `${stem}4A${month}0${'KMR'[serial % 3]}${String(serial).padStart(4, '0')}`;
  }

  function record(sn: string, item: Item, at: number, customer: string | null, order: string | null): number {
    const warrantyEnds = at + 365 * DAY_MS;
    rows.add('ubs_item_object', {
      sn,
      itemId: item.itemId,
      salesCode: item.salesCode,
      itemName: item.name,
      type: item.type,
      origin: Origin.Ours,
      productOrder: order,
      customer,
      outTime: new Date(at),
      warrantyUntil: dayAt(warrantyEnds),
      createBy: 'system',
      createTime: new Date(at),
    });
    return warrantyEnds;
  }

  function part(item: Item, componentType: ComponentType, at: number, order: string | null = null) {
    const sn = nextSn(item.stem, at);
    record(sn, item, at, null, order);
    const qrCodeNum =
      componentType === ComponentType.Board
        ? `${sn}${random.int(0x1000_0000, 0xffff_ffff).toString(16).toUpperCase()}`
        : null;
    return { sn, item, componentType, qrCodeNum };
  }

  return {
    part,
    nonOfficial(sn, at) {
      const { salesCode, type } = notOur;
      rows.add('ubs_item_object', {
        sn,
        salesCode,
        type,
        origin: Origin.NotOurs,
        createBy: 'warehouse',
        createTime: new Date(at),
      });
      return { sn, item: notOur, model: null, parts: [], warrantyEnds: 0 };
    },
    looseBoard(item, at) {
      const sn = nextSn(`${item.stem.slice(0, 4)}R`, at);
      return { sn, item, model: null, parts: [], warrantyEnds: record(sn, item, at, null, null) };
    },
    device(model, customer, sold = now) {
      const at = sold - random.int(170, 1100) * DAY_MS;
      const order = `PO${dayAt(at).slice(2, 7).replace('-', '')}${random.digits(5)}`;
      const sn = nextSn(model.stem, at);
      const warrantyEnds = record(sn, model, at, customer, order);
      const made = [
        part(model.power, ComponentType.Power, at, order),
        part(model.controls, ComponentType.Controls, at, order),
        ...Array.from({ length: model.boardCount ?? 3 }, () => part(model.board, ComponentType.Board, at, order)),
      ];
      const parts = made.map((it) => ({ ...it, binding: bind(rows, sn, it, null, at, 'system') }));
      return { sn, item: model, model, parts, warrantyEnds };
    },
  };
}

/** Writes down that a part sits in a device from now on. */
export const bind = (
  rows: Rows,
  deviceSn: string,
  part: Omit<Part, 'binding'>,
  billId: string | null,
  at: number,
  userId: string,
): Row<'ubs_assembly'> =>
  rows.add('ubs_assembly', {
    deviceSn,
    componentSn: part.sn,
    componentType: part.componentType,
    qrCodeNum: part.qrCodeNum,
    salesCode: part.item.salesCode,
    bindTime: new Date(at),
    unbindTime: null,
    billId,
    createBy: userId,
    createTime: new Date(at),
  });

export const isDevice = (machine: Machine): boolean => machine.item.type === GoodsType.Device;
