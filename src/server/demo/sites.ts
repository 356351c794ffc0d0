import { DOMESTIC_COUNTRY } from '#domain/billLanguage.ts';
import { Flag, SELF_PICKUP, StorageType, Warehouse } from '#domain/enums.ts';
import { LabelKind } from '#domain/labelRule.ts';

/** The sites of the demo and everything that stands still around them. Rule: operating#demo. */
export const sites = [
  {
    siteId: 'SZ',
    siteName: '深圳维修中心',
    siteNameEn: 'Shenzhen repair center',
    country: DOMESTIC_COUNTRY,
    address: '广东省深圳市宝安区福海街道新田大道 71-6 号 3 栋',
    contact: '陈志远',
    phone: '+86 755 2788 6612',
  },
  {
    siteId: 'NB',
    siteName: '宁波维修中心',
    siteNameEn: 'Ningbo repair center',
    country: DOMESTIC_COUNTRY,
    address: '浙江省宁波市鄞州区下应北路 717 号 2 栋',
    contact: '沈佳怡',
    phone: '+86 574 8819 3305',
  },
  {
    siteId: 'US',
    siteName: '休斯顿维修中心',
    siteNameEn: 'Houston repair center',
    country: '231',
    address: '10810 Northwest Freeway, Suite 240, Houston, TX 77092',
    contact: 'Daniel Reyes',
    phone: '+1 713 555 0148',
  },
];

export const siteZones: Record<string, string> = {
  SZ: 'Asia/Shanghai',
  NB: 'Asia/Shanghai',
  US: 'America/Chicago',
};

/** Who repairs for the sites: the one abroad works for the site in Houston. */
const [DOMESTIC, ABROAD] = ['深圳市鼎诚电子维修有限公司', 'Houston Board Works'] as const;
export const repairSupplierOf = (siteId: string): string => (siteId === 'US' ? ABROAD : DOMESTIC);
export const repairSuppliers = [
  {
    supplierName: DOMESTIC,
    supplierNameEn: 'Shenzhen Dingcheng Electronics Repair Co., Ltd.',
    contact: '梁启明',
    phone: '0755-2788 6130',
    email: 'settle@dingcheng.example',
  },
  {
    supplierName: ABROAD,
    supplierNameEn: ABROAD,
    contact: 'Dana Whitfield',
    phone: '+1 713 555 0142',
    email: 'billing@boardworks.example',
  },
];

export const subinventories = sites.flatMap(({ siteId }) => [
  {
    siteId,
    subinventoryCode: Warehouse.Goods,
    name: `${siteId} 良品仓`,
    nameEn: `${siteId} good stock`,
    storageType: StorageType.Goods,
  },
  {
    siteId,
    subinventoryCode: Warehouse.Defectives,
    name: `${siteId} 不良品仓`,
    nameEn: `${siteId} defective stock`,
    storageType: StorageType.Defectives,
  },
  {
    siteId,
    subinventoryCode: Warehouse.Scraps,
    name: `${siteId} 报废仓`,
    nameEn: `${siteId} scrap stock`,
    storageType: StorageType.Scraps,
  },
]);

/** What suppliers print besides the SN; AIM identifiers and GS1 labels are read without a rule. */
export const labelRules = sites.flatMap(({ siteId }) => [
  {
    siteId,
    name: "厂家二维码 Maker's QR code",
    kind: LabelKind.Template,
    template: 'https://qr.example.com/d/{sn}*',
    snLength: null,
    seq: 10,
    enabled: Flag.Yes,
    remark: null,
  },
  {
    siteId,
    name: '装箱标签 Packing label',
    kind: LabelKind.Template,
    template: 'SN:{sn};*',
    snLength: null,
    seq: 20,
    enabled: Flag.Yes,
    remark: null,
  },
  {
    siteId,
    name: '无标识的 GS1 GS1 without its identifier',
    kind: LabelKind.Elements,
    template: null,
    snLength: 17,
    seq: 30,
    enabled: Flag.No,
    remark: '扫码枪不发送 ]C1 时启用 For scanners that do not send ]C1',
  },
]);

export const shipments = [
  { shipId: 'SF', name: '顺丰速运', nameEn: 'SF Express' },
  { shipId: 'DEPPON', name: '德邦快递', nameEn: 'Deppon Express' },
  { shipId: 'JD', name: '京东物流', nameEn: 'JD Logistics' },
  { shipId: 'DHL', name: 'DHL 国际快递', nameEn: 'DHL Express' },
  { shipId: 'FEDEX', name: '联邦快递', nameEn: 'FedEx' },
  { shipId: 'UPS', name: '联合包裹', nameEn: 'UPS' },
  { shipId: SELF_PICKUP, name: '客户自提', nameEn: 'Self-pickup' },
];

export const countries = [
  { countryId: DOMESTIC_COUNTRY, name: '中国', nameEn: 'China' },
  { countryId: '231', name: '美国', nameEn: 'United States' },
  { countryId: '38', name: '加拿大', nameEn: 'Canada' },
  { countryId: '112', name: '哈萨克斯坦', nameEn: 'Kazakhstan' },
  { countryId: '165', name: '挪威', nameEn: 'Norway' },
  { countryId: '132', name: '马来西亚', nameEn: 'Malaysia' },
  { countryId: '229', name: '阿拉伯联合酋长国', nameEn: 'United Arab Emirates' },
  { countryId: '173', name: '巴拉圭', nameEn: 'Paraguay' },
];

/** Names are said as `zh|en`; the numbers are those by which bills are told domestic or foreign. Rule: parcels#language. */
const regions: [countryId: string, stateId: string, state: string, cities: string[]][] = [
  [
    DOMESTIC_COUNTRY,
    '93',
    '广东省|Guangdong',
    ['深圳市|Shenzhen', '东莞市|Dongguan', '广州市|Guangzhou', '惠州市|Huizhou'],
  ],
  [DOMESTIC_COUNTRY, '330000', '浙江省|Zhejiang', ['宁波市|Ningbo', '杭州市|Hangzhou', '嘉兴市|Jiaxing']],
  [DOMESTIC_COUNTRY, '94', '四川省|Sichuan', ['成都市|Chengdu', '绵阳市|Mianyang', "雅安市|Ya'an"]],
  [DOMESTIC_COUNTRY, '346', '内蒙古自治区|Inner Mongolia', ['呼和浩特市|Hohhot', '鄂尔多斯市|Ordos']],
  [DOMESTIC_COUNTRY, '650000', '新疆维吾尔自治区|Xinjiang', ['乌鲁木齐市|Urumqi', '昌吉市|Changji']],
  [DOMESTIC_COUNTRY, '530000', '云南省|Yunnan', ['昆明市|Kunming', '大理市|Dali']],
  ['231', '3976', '得克萨斯州|Texas', ['休斯顿|Houston', '罗克代尔|Rockdale', '科西卡纳|Corsicana', '奥斯汀|Austin']],
  ['231', '3930', '佐治亚州|Georgia', ['亚特兰大|Atlanta', '道尔顿|Dalton']],
  ['231', '3956', '纽约州|New York', ['马塞纳|Massena', '尼亚加拉瀑布城|Niagara Falls']],
  ['38', '712', '魁北克省|Québec', ['蒙特利尔|Montréal', '舍布鲁克|Sherbrooke']],
  ['38', '663', '艾伯塔省|Alberta', ['卡尔加里|Calgary', '梅迪辛哈特|Medicine Hat']],
  ['112', '2001', '巴甫洛达尔州|Pavlodar Region', ['埃基巴斯图兹|Ekibastuz', '巴甫洛达尔|Pavlodar']],
  ['165', '2722', '诺尔兰郡|Nordland', ['博德|Bodø', '摩城|Mo i Rana']],
  ['132', '2299', '砂拉越州|Sarawak', ['古晋|Kuching', '美里|Miri']],
  ['229', '3864', '阿布扎比|Abu Dhabi', ['阿布扎比|Abu Dhabi']],
  ['173', '2844', '上巴拉那省|Alto Paraná', ['东方市|Ciudad del Este', '埃尔南达里亚斯|Hernandarias']],
];

const named = (names: string) => {
  const [name = '', nameEn = ''] = names.split('|');
  return { name, nameEn };
};

export const states = regions.map(([countryId, stateId, it]) => ({ stateId, countryId, ...named(it) }));

export const cities = regions.flatMap(([, stateId, , names]) =>
  names.map((it, i) => ({ cityId: `${stateId}-${String(i + 1).padStart(2, '0')}`, stateId, ...named(it) })),
);
