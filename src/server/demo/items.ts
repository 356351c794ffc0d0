import { GoodsType, ItemType } from '#domain/enums.ts';
import { inBoth } from '#domain/words.ts';

export interface Item {
  itemId: number;
  salesCode: string;
  name: string;
  productName: string;
  type: string;
  itemType: ItemType;
  bomId: string | null;
  boardCount: number | null;
  slaveCodes: string | null;
  /** The five letters with which its SNs begin. */
  stem: string;
}

export interface Model extends Item {
  board: Item;
  power: Item;
  controls: Item;
}

const bomOf = ({ salesCode }: Pick<Item, 'salesCode'>): string => `BOM-${salesCode}`;

const part = (itemId: number, stem: string, salesCode: string, name: string, productName: string): Item => ({
  itemId,
  stem,
  salesCode,
  name,
  productName,
  type: GoodsType.Board,
  // A power is bought as it is; the other boards are made in the house.
  itemType: stem.startsWith('PU') ? ItemType.Materials : ItemType.SemiFinished,
  bomId: bomOf({ salesCode }),
  boardCount: null,
  slaveCodes: null,
});

const boards = {
  rx15: part(2001, 'HB15S', 'HB-RX15', inBoth('RX-15 算力板', 'Hash board'), 'Hash board RX-15'),
  rx17: part(2002, 'HB17S', 'HB-RX17', inBoth('RX-17 算力板', 'Hash board'), 'Hash board RX-17'),
  rx19: part(2003, 'HB19S', 'HB-RX19', inBoth('RX-19 算力板', 'Hash board'), 'Hash board RX-19'),
  rx19p: part(2004, 'HB19P', 'HB-RX19P', inBoth('RX-19 Pro 算力板', 'Hash board'), 'Hash board RX-19 Pro'),
  rx21: part(2005, 'HB21S', 'HB-RX21', inBoth('RX-21 算力板', 'Hash board'), 'Hash board RX-21'),
  rx21h: part(2006, 'HB21H', 'HB-RX21H', inBoth('RX-21 Hydro 算力板', 'Hash board'), 'Hash board RX-21 Hydro'),
  tx7: part(2007, 'HBTX7', 'HB-TX7', inBoth('TX-7 算力板', 'Hash board'), 'Hash board TX-7'),
};

const powers = {
  p16: part(2101, 'PU16A', 'PU-1600A', inBoth('1600 W 电源', 'Power unit'), 'Power unit 1600 W'),
  p33: part(2102, 'PU33B', 'PU-3300B', inBoth('3300 W 电源', 'Power unit'), 'Power unit 3300 W'),
  p36: part(2103, 'PU36C', 'PU-3600C', inBoth('3600 W 电源', 'Power unit'), 'Power unit 3600 W'),
  p55: part(2104, 'PU55H', 'PU-5500H', inBoth('5500 W 液冷电源', 'Hydro power unit'), 'Hydro power unit 5500 W'),
};

const controls = {
  c7: part(2201, 'CB07A', 'CB-C7A', inBoth('C7 控制板', 'Control board'), 'Control board C7'),
  c9: part(2202, 'CB09B', 'CB-C9B', inBoth('C9 控制板', 'Control board'), 'Control board C9'),
};

export const controlBoards: Item[] = Object.values(controls);
export const parts: Item[] = [...Object.values(boards), ...Object.values(powers), ...controlBoards];

const model = (
  itemId: number,
  stem: string,
  salesCode: string,
  name: string,
  boardCount: number,
  of: { board: Item; power: Item; controls: Item; slaves?: string[] },
): Model => ({
  itemId,
  stem,
  salesCode,
  name,
  productName: name.replace(/ \S+[TG]$/, ''),
  type: GoodsType.Device,
  itemType: ItemType.Finished,
  bomId: of.board.bomId,
  boardCount,
  slaveCodes: of.slaves?.join('|') ?? null,
  board: of.board,
  power: of.power,
  controls: of.controls,
});

export const models: Model[] = [
  model(1001, 'RX15S', 'RX15-56T', 'RX-15 56T', 3, { board: boards.rx15, power: powers.p16, controls: controls.c7 }),
  model(1002, 'RX17S', 'RX17-76T', 'RX-17 76T', 3, { board: boards.rx17, power: powers.p33, controls: controls.c7 }),
  model(1003, 'RX17X', 'RX17P-82T', 'RX-17 Plus 82T', 3, {
    board: boards.rx17,
    power: powers.p33,
    controls: controls.c7,
    slaves: ['RX17P-80T', 'RX17P-84T'],
  }),
  model(1004, 'RX19S', 'RX19-95T', 'RX-19 95T', 3, { board: boards.rx19, power: powers.p33, controls: controls.c9 }),
  model(1005, 'RX19P', 'RX19P-104T', 'RX-19 Pro 104T', 3, {
    board: boards.rx19p,
    power: powers.p33,
    controls: controls.c9,
    slaves: ['RX19P-100T', 'RX19P-110T'],
  }),
  model(1006, 'RX19X', 'RX19XP-141T', 'RX-19 XP 141T', 3, {
    board: boards.rx19p,
    power: powers.p36,
    controls: controls.c9,
  }),
  model(1007, 'RX21S', 'RX21-188T', 'RX-21 188T', 4, { board: boards.rx21, power: powers.p36, controls: controls.c9 }),
  model(1008, 'RX21P', 'RX21P-200T', 'RX-21 Pro 200T', 4, {
    board: boards.rx21,
    power: powers.p36,
    controls: controls.c9,
    slaves: ['RX21P-195T'],
  }),
  model(1009, 'RX21H', 'RX21H-335T', 'RX-21 Hydro 335T', 4, {
    board: boards.rx21h,
    power: powers.p55,
    controls: controls.c9,
  }),
  model(1010, 'RX21I', 'RX21I-234T', 'RX-21 Immersion 234T', 4, {
    board: boards.rx21,
    power: powers.p36,
    controls: controls.c9,
  }),
  model(1011, 'TX7SA', 'TX7-9G', 'TX-7 9.3G', 3, { board: boards.tx7, power: powers.p33, controls: controls.c7 }),
  model(1012, 'TX7PA', 'TX7P-16G', 'TX-7 Pro 16G', 4, { board: boards.tx7, power: powers.p33, controls: controls.c7 }),
];

/** Devices that are not ours hang on this code. Rule: events#e05. */
export const notOur: Item = {
  itemId: 9001,
  salesCode: 'NOT-OUR',
  name: inBoth('非我司设备', 'Not our company'),
  productName: 'Not our company',
  type: GoodsType.Device,
  itemType: ItemType.Finished,
  bomId: null,
  boardCount: null,
  slaveCodes: null,
  stem: '',
};

const itemRow = (it: Item) => ({
  itemId: it.itemId,
  salesCode: it.salesCode,
  name: it.name,
  productName: it.productName,
  family: familyOf(it),
  type: it.type,
  deviceType: it.type,
  itemType: it.itemType,
  slaveCodes: it.slaveCodes,
  snControl: '1',
  bomId: it.bomId,
  boardCount: it.boardCount,
  modelCode: it.stem.slice(0, 4) || null,
  saleDesc: it.productName,
  productVerList: it.stem === '' ? null : '4A|4B',
});

/** Models that are repaired alike, with their boards. */
export const modelFamilies = ['RX-15', 'RX-17', 'RX-19', 'RX-21', 'TX-7'];
/** What prices are made for: models, and parts that fit several of them. */
export const families = [...modelFamilies, 'PSU', 'CTRL'];

export function familyOf({ name, stem }: Item): string | null {
  if (stem.startsWith('PU')) return 'PSU';
  if (stem.startsWith('CB')) return 'CTRL';
  return modelFamilies.find((it) => name.startsWith(it)) ?? null;
}

export const itemRows = [...models, ...parts, notOur].map(itemRow);

/** What repairs use up, as the lists of slots call it. */
export const materials = { chip: inBoth('RC7104 算力芯片', 'Hash chip') };

/** What sits on each kind of part, and how many of it. */
const slotsOfPart: Record<string, [letter: string, count: number, material: string][]> = {
  HB: [
    ['U', 63, materials.chip],
    ['C', 12, inBoth('22 uF 贴片电容', 'Chip capacitor')],
    ['Q', 6, inBoth('30 V MOS 管', 'MOSFET')],
    ['L', 6, inBoth('0.47 uH 电感', 'Inductor')],
    ['T', 4, inBoth('温度传感器', 'Temperature sensor')],
    ['J', 3, inBoth('18 针连接器', '18-pin connector')],
  ],
  PU: [
    ['Q', 8, inBoth('650 V MOS 管', 'MOSFET')],
    ['C', 10, inBoth('450 V 电解电容', 'Electrolytic capacitor')],
    ['D', 6, inBoth('整流二极管', 'Rectifier diode')],
    ['F', 2, inBoth('20 A 保险丝', 'Fuse')],
  ],
  CB: [
    ['U', 9, inBoth('主控及接口芯片', 'Processor and interface chip')],
    ['J', 6, inBoth('网口及信号座', 'Network and signal socket')],
    ['Y', 2, inBoth('25 MHz 晶振', 'Crystal')],
    ['R', 12, inBoth('贴片电阻', 'Chip resistor')],
  ],
};

export const boms = parts.map((it) => ({
  bomid: bomOf(it),
  bomdescription: `${it.name} BOM`,
  salesCode: it.salesCode,
}));

export const bomItems = parts.flatMap((it) =>
  (slotsOfPart[it.stem.slice(0, 2)] ?? []).flatMap(([letter, count, productName]) =>
    Array.from({ length: count }, (_, i) => ({ bomid: bomOf(it), location: `${letter}${i + 1}`, productName })),
  ),
);
