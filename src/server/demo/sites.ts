import { Flag, SELF_PICKUP, StorageType, Warehouse } from '#domain/enums.ts';
import { LabelKind } from '#domain/labelRule.ts';

/** The sites of the demo and everything that stands still around them. Rule: operating#demo. */
export const sites = [
  {
    siteId: 'SZ',
    siteName: '深圳维修中心',
    country: '中国',
    address: '广东省深圳市宝安区福海街道新田大道 71-6 号 3 栋',
    contact: '陈志远',
    phone: '+86 755 2788 6612',
  },
  {
    siteId: 'NB',
    siteName: '宁波维修中心',
    country: '中国',
    address: '浙江省宁波市鄞州区下应北路 717 号 2 栋',
    contact: '沈佳怡',
    phone: '+86 574 8819 3305',
  },
  {
    siteId: 'US',
    siteName: '休斯顿维修中心 Houston',
    country: 'United States',
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

export const subinventories = sites.flatMap(({ siteId }) => [
  { siteId, subinventoryCode: Warehouse.Goods, name: `${siteId} 良品仓 Good`, storageType: StorageType.Goods },
  {
    siteId,
    subinventoryCode: Warehouse.Defectives,
    name: `${siteId} 不良品仓 Defective`,
    storageType: StorageType.Defectives,
  },
  { siteId, subinventoryCode: Warehouse.Scraps, name: `${siteId} 报废仓 Scrap`, storageType: StorageType.Scraps },
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
  { shipId: 'SF', name: '顺丰速运 SF Express' },
  { shipId: 'DEPPON', name: '德邦快递 Deppon' },
  { shipId: 'JD', name: '京东物流 JD Logistics' },
  { shipId: 'DHL', name: 'DHL Express' },
  { shipId: 'FEDEX', name: 'FedEx' },
  { shipId: 'UPS', name: 'UPS' },
  { shipId: SELF_PICKUP, name: '客户自提 Self-pickup' },
];

export const countries = [
  { countryId: 'CN', name: '中国' },
  { countryId: 'US', name: 'United States' },
  { countryId: 'CA', name: 'Canada' },
  { countryId: 'KZ', name: 'Kazakhstan' },
  { countryId: 'NO', name: 'Norway' },
  { countryId: 'MY', name: 'Malaysia' },
  { countryId: 'AE', name: 'United Arab Emirates' },
  { countryId: 'PY', name: 'Paraguay' },
];

const regions: [countryId: string, stateId: string, state: string, cities: string[]][] = [
  ['CN', 'CN-GD', '广东省', ['深圳市', '东莞市', '广州市', '惠州市']],
  ['CN', 'CN-ZJ', '浙江省', ['宁波市', '杭州市', '嘉兴市']],
  ['CN', 'CN-SC', '四川省', ['成都市', '绵阳市', '雅安市']],
  ['CN', 'CN-NM', '内蒙古自治区', ['呼和浩特市', '鄂尔多斯市']],
  ['CN', 'CN-XJ', '新疆维吾尔自治区', ['乌鲁木齐市', '昌吉市']],
  ['CN', 'CN-YN', '云南省', ['昆明市', '大理市']],
  ['US', 'US-TX', 'Texas', ['Houston', 'Rockdale', 'Corsicana', 'Austin']],
  ['US', 'US-GA', 'Georgia', ['Atlanta', 'Dalton']],
  ['US', 'US-NY', 'New York', ['Massena', 'Niagara Falls']],
  ['CA', 'CA-QC', 'Québec', ['Montréal', 'Sherbrooke']],
  ['CA', 'CA-AB', 'Alberta', ['Calgary', 'Medicine Hat']],
  ['KZ', 'KZ-PAV', 'Pavlodar Region', ['Ekibastuz', 'Pavlodar']],
  ['NO', 'NO-18', 'Nordland', ['Bodø', 'Mo i Rana']],
  ['MY', 'MY-13', 'Sarawak', ['Kuching', 'Miri']],
  ['AE', 'AE-AZ', 'Abu Dhabi', ['Abu Dhabi']],
  ['PY', 'PY-10', 'Alto Paraná', ['Ciudad del Este', 'Hernandarias']],
];

export const states = regions.map(([countryId, stateId, name]) => ({ stateId, countryId, name }));

export const cities = regions.flatMap(([, stateId, , names]) =>
  names.map((name, i) => ({ cityId: `${stateId}-${String(i + 1).padStart(2, '0')}`, stateId, name })),
);
