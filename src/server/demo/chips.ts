export const foundry = 'FAB01';

/** The stores of chips at the site that plans them. */
export const stores = [
  { btmId: 'IC01', name: '芯片原料仓', nameEn: 'IC raw materials', remark: '晶圆与来料 Wafers and what comes in' },
  { btmId: 'IC02', name: '芯片在制仓', nameEn: 'IC work in process', remark: null },
  { btmId: 'IC03', name: '芯片成品仓', nameEn: 'IC finished goods', remark: null },
];

export const suppliers = [
  {
    supplierId: foundry,
    supplierName: '台新晶圆代工',
    supplierNameEn: 'Taixin Foundry',
    supplierType: '1',
    contact: '林志豪',
    phone: '+886 3 5678 900',
    address: '台湾新竹科学园区力行路 8 号',
  },
  {
    supplierId: 'FAB02',
    supplierName: '沪芯晶圆制造',
    supplierNameEn: 'Huxin Wafer Fab',
    supplierType: '1',
    contact: '顾晨',
    phone: '021-5080 6612',
    address: '上海市浦东新区张江路 18 号',
  },
  {
    supplierId: 'BMP01',
    supplierName: '华凸先进封测',
    supplierNameEn: 'Huatu Advanced Packaging',
    supplierType: '2',
    contact: '陆毅',
    phone: '0512-6288 1107',
    address: '苏州工业园区星龙街 428 号',
  },
  {
    supplierId: 'CPS01',
    supplierName: '晶测半导体',
    supplierNameEn: 'Jingce Semiconductor',
    supplierType: '3',
    contact: '郭倩',
    phone: '0510-8522 3306',
    address: '无锡市新吴区长江东路 177 号',
  },
  {
    supplierId: 'ASY01',
    supplierName: '长电芯封装',
    supplierNameEn: 'Changdianxin Packaging',
    supplierType: '4',
    contact: '高翔',
    phone: '0510-8685 4410',
    address: '江阴市滨江中路 275 号',
  },
  {
    supplierId: 'ASY02',
    supplierName: '槟城封装',
    supplierNameEn: 'Penang Assembly Sdn Bhd',
    supplierType: '4',
    contact: 'Tan Wei Ming',
    phone: '+60 4 641 0877',
    address: 'Bayan Lepas FIZ Phase 4, Penang',
  },
  {
    supplierId: 'FTS01',
    supplierName: '粤芯测试服务',
    supplierNameEn: 'Yuexin Test Services',
    supplierType: '5',
    contact: '梁静',
    phone: '0769-2302 5518',
    address: '东莞市松山湖科技四路 16 号',
  },
];

export interface PartNumber {
  waferPn: string;
  waferMpn: string;
  grossDie: number;
  process: string;
  cpTestProgram: string;
  /** With which the foundry begins its lot numbers. */
  lotStem: string;
  devices: {
    devicePn: string;
    deviceErpCode: string;
    packageType: string;
    productName: string;
    ft1Program: string;
    ft2Program: string;
    msl: string;
  }[];
}

const part = (
  waferPn: string,
  waferMpn: string,
  grossDie: number,
  process: string,
  lotStem: string,
  names: string[],
): PartNumber => ({
  waferPn,
  waferMpn,
  grossDie,
  process,
  cpTestProgram: `CP_${waferPn}_V12`,
  lotStem,
  devices: names.map((productName, i) => ({
    devicePn: `${productName}-${['QFN', 'FCLGA'][i] ?? 'QFN'}`,
    deviceErpCode: `8102${waferPn.slice(-3)}0${i + 1}`,
    packageType: i === 0 ? 'QFN 8x8' : 'FCLGA 7x7',
    productName,
    ft1Program: `FT1_${productName}_V08`,
    ft2Program: `FT2_${productName}_V03`,
    msl: 'MSL3',
  })),
});

/** The chips of the machines that the workshop repairs. */
export const partNumbers: PartNumber[] = [
  part('WR-A15', 'N7-HB15-A', 4820, '7 nm', 'N7A', ['RXA15', 'RXA15B']),
  part('WR-A17', 'N7-HB17-B', 5160, '7 nm', 'N7B', ['RXA17']),
  part('WR-A19', 'N5-HB19-A', 6240, '5 nm', 'N5A', ['RXA19', 'RXA19P']),
  part('WR-A21', 'N5-HB21-C', 6510, '5 nm', 'N5C', ['RXA21']),
  part('WR-T07', 'N12-TX7-A', 3980, '12 nm', 'N12', ['TXA7']),
];
