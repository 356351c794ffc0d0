import { DOMESTIC_COUNTRY } from '#domain/billLanguage.ts';
import { SELF_PICKUP } from '#domain/enums.ts';

export interface Customer {
  name: string;
  account: string;
  mobile: string;
  countryId: string;
  stateName: string;
  cityName: string;
  street: string;
  /** Which site it sends to, and how. */
  siteId: string;
  shipId: string;
}

const customer = (
  siteId: string,
  shipId: string,
  name: string,
  account: string,
  mobile: string,
  address: [countryId: string, stateName: string, cityName: string, street: string],
): Customer => {
  const [countryId, stateName, cityName, street] = address;
  return { siteId, shipId, name, account, mobile, countryId, stateName, cityName, street };
};

/** Those who send machines in: farms, hosters and a few single owners. */
export const customers: Customer[] = [
  customer('SZ', 'SF', '成都锦江云算科技有限公司', 'jjcloud', '13880214476', [
    DOMESTIC_COUNTRY,
    '四川省',
    '成都市',
    '武侯区天府大道北段 1480 号 4 栋 1102',
  ]),
  customer('SZ', 'DEPPON', '鄂尔多斯市草原绿能数据中心', 'greendata', '15047736120', [
    DOMESTIC_COUNTRY,
    '内蒙古自治区',
    '鄂尔多斯市',
    '达拉特旗树林召镇工业园区 9 号',
  ]),
  customer('SZ', 'SF', '深圳市远航算力有限公司', 'yuanhang', '13924660835', [
    DOMESTIC_COUNTRY,
    '广东省',
    '深圳市',
    '南山区科技园高新南七道 18 号 B 座 2306',
  ]),
  customer('SZ', 'JD', '昆明滇池水电服务有限公司', 'dianchi', '13708846291', [
    DOMESTIC_COUNTRY,
    '云南省',
    '昆明市',
    '官渡区春城路 219 号附 3 号',
  ]),
  customer('SZ', SELF_PICKUP, '林嘉豪', 'linjiahao', '13617302258', [
    DOMESTIC_COUNTRY,
    '广东省',
    '东莞市',
    '长安镇乌沙社区兴发南路 66 号',
  ]),
  customer('SZ', 'DHL', 'Borneo Hashworks Sdn. Bhd.', 'borneohash', '+60 82 555 371', [
    '132',
    'Sarawak',
    'Kuching',
    'Lot 7093, Muara Tebas Industrial Estate',
  ]),
  customer('SZ', 'DHL', 'Ekibastuz Digital LLP', 'ekidigital', '+7 718 755 5214', [
    '112',
    'Pavlodar Region',
    'Ekibastuz',
    '14 Energetikov Street',
  ]),
  customer('NB', 'SF', '宁波甬江数字能源有限公司', 'yongjiang', '13858294403', [
    DOMESTIC_COUNTRY,
    '浙江省',
    '宁波市',
    '北仑区大碶街道坝头西路 158 号',
  ]),
  customer('NB', 'DEPPON', '新疆天山北坡算力中心', 'tianshan', '18999157726', [
    DOMESTIC_COUNTRY,
    '新疆维吾尔自治区',
    '昌吉市',
    '高新技术产业开发区希望大道 26 号',
  ]),
  customer('NB', 'JD', '嘉兴南湖智算有限公司', 'nanhu', '15967306618', [
    DOMESTIC_COUNTRY,
    '浙江省',
    '嘉兴市',
    '南湖区亚太路 705 号创新大厦 8 层',
  ]),
  customer('NB', 'FEDEX', 'Nordlys Compute AS', 'nordlys', '+47 75 55 50 31', [
    '165',
    'Nordland',
    'Mo i Rana',
    'Mo Industripark, Halvor Heyerdahls vei 33',
  ]),
  customer('US', 'UPS', 'Lone Star Hosting LLC', 'lonestar', '+1 512 555 0193', [
    '231',
    'Texas',
    'Rockdale',
    '3410 Charles Martin Hall Road',
  ]),
  customer('US', 'FEDEX', 'Peachtree Mining Co.', 'peachtree', '+1 706 555 0127', [
    '231',
    'Georgia',
    'Dalton',
    '1207 Abutment Road SE',
  ]),
];

/** The number of a parcel as each carrier writes it. */
export function waybillOf(shipId: string, digits: (count: number) => string): string {
  const forms: Record<string, () => string> = {
    SF: () => `SF${digits(13)}`,
    DEPPON: () => `DPK${digits(12)}`,
    JD: () => `JDVA${digits(11)}`,
    DHL: () => digits(10),
    FEDEX: () => digits(12),
    UPS: () => `1Z${digits(16)}`,
    PICKUP: () => `ZT${digits(10)}`,
  };
  return (forms[shipId] ?? forms['SF'])?.() ?? '';
}
