import { GoodsType, ItemType } from '#domain/enums.ts';

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
  rx15: part(2001, 'HB15S', 'HB-RX15', 'RX-15 算力板', 'Hash board RX-15'),
  rx17: part(2002, 'HB17S', 'HB-RX17', 'RX-17 算力板', 'Hash board RX-17'),
  rx19: part(2003, 'HB19S', 'HB-RX19', 'RX-19 算力板', 'Hash board RX-19'),
  rx19p: part(2004, 'HB19P', 'HB-RX19P', 'RX-19 Pro 算力板', 'Hash board RX-19 Pro'),
  rx21: part(2005, 'HB21S', 'HB-RX21', 'RX-21 算力板', 'Hash board RX-21'),
  rx21h: part(2006, 'HB21H', 'HB-RX21H', 'RX-21 Hydro 算力板', 'Hash board RX-21 Hydro'),
  tx7: part(2007, 'HBTX7', 'HB-TX7', 'TX-7 算力板', 'Hash board TX-7'),
};

const powers = {
  p16: part(2101, 'PU16A', 'PU-1600A', '电源 1600 W', 'Power unit 1600 W'),
  p33: part(2102, 'PU33B', 'PU-3300B', '电源 3300 W', 'Power unit 3300 W'),
  p36: part(2103, 'PU36C', 'PU-3600C', '电源 3600 W', 'Power unit 3600 W'),
  p55: part(2104, 'PU55H', 'PU-5500H', '液冷电源 5500 W', 'Hydro power unit 5500 W'),
};

const controls = {
  c7: part(2201, 'CB07A', 'CB-C7A', '控制板 C7', 'Control board C7'),
  c9: part(2202, 'CB09B', 'CB-C9B', '控制板 C9', 'Control board C9'),
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
  name: '非我司设备',
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

/** What sits on each kind of part, and how many of it. */
const slotsOfPart: Record<string, [letter: string, count: number, material: string][]> = {
  HB: [
    ['U', 63, '算力芯片 RC7104'],
    ['C', 12, '贴片电容 22uF'],
    ['Q', 6, 'MOS 管 30V'],
    ['L', 6, '电感 0.47uH'],
    ['T', 4, '温度传感器'],
    ['J', 3, '18 针连接器'],
  ],
  PU: [
    ['Q', 8, 'MOS 管 650V'],
    ['C', 10, '电解电容 450V'],
    ['D', 6, '整流二极管'],
    ['F', 2, '保险丝 20A'],
  ],
  CB: [
    ['U', 9, '主控及接口芯片'],
    ['J', 6, '网口及信号座'],
    ['Y', 2, '晶振 25MHz'],
    ['R', 12, '贴片电阻'],
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
