import { codesWithImage, Disposition, IssueCategory } from '#domain/issueCode.ts';

type Names = [code: string, name: string, nameEn: string];

const checkCodes: Names[] = [
  ['FX57', '57 域芯片丢失', 'Chips of domain 57 missing'],
  ['FX56', '56 域电压异常', 'Voltage of domain 56 out of range'],
  ['FX55', '算力板芯片数不足', 'Chips of the board incomplete'],
  ['FX54', '算力板不识别', 'Board not found'],
  ['FXF18', '风扇转速异常 F18', 'Fan speed out of range F18'],
  ['FX404', '控制板无法启动', 'Control board does not start'],
  ['FX403', '控制板网口不通', 'Control board without network'],
  ['FX409', '整机未带电源', 'Device came without its power'],
  ['CL15', '芯片虚焊 15', 'Cold joint of a chip 15'],
  ['CL17', '芯片短路 17', 'Short circuit of a chip 17'],
  ['CL19', '芯片烧毁 19', 'Chip burnt 19'],
  ['CLNW15', '芯片无温度 15', 'Chip without temperature 15'],
];

const scrapCodes: Names[] = [
  ['PJBF', '配件报废', 'Part beyond repair'],
  ['UM11', '进水腐蚀', 'Water and corrosion'],
  ['UM17', 'PCB 烧穿', 'Circuit board burnt through'],
  ['UM27', 'PCB 断裂', 'Circuit board broken'],
  ['UM37', '铜箔大面积脱落', 'Copper lifted over a wide area'],
  ['UM47', '液冷板泄漏', 'Cooling plate leaks'],
  ['UM67', '人为改装', 'Altered by the customer'],
  ['UM77', '机身严重变形', 'Case badly bent'],
  ['UM87', '火灾损坏', 'Fire damage'],
  ['UM97', '零件缺失过多', 'Too many parts missing'],
  ['UM99', '其他不可维修', 'Not repairable for other reasons'],
  ['UMN99', '无维修价值', 'Not worth a repair'],
];

const otherCodes: [billType: string, codes: [...Names, passFlag?: '0' | '1'][]][] = [
  [
    IssueCategory.Receipt,
    [
      ['RC01', '包装破损', 'Packing damaged'],
      ['RC02', '配件缺失', 'Part missing'],
      ['RC03', '标签不清', 'Label unreadable'],
    ],
  ],
  [
    IssueCategory.Repair,
    [
      ['RP01', '芯片故障', 'Chip fault'],
      ['RP02', '电源模块故障', 'Power stage'],
      ['RP03', '连接器故障', 'Connector'],
      ['RP04', '线路烧断', 'Burnt trace'],
    ],
  ],
  [
    IssueCategory.Aging,
    [
      ['AT00', '老化通过', 'Aging passed', '1'],
      ['AT01', '算力偏低', 'Low hash rate', '0'],
      ['AT02', '算力板不识别', 'Board not found', '0'],
      ['AT03', '温度过高', 'Over temperature', '0'],
    ],
  ],
  [
    IssueCategory.Qc,
    [
      ['QC00', '质检合格', 'Inspection passed', '1'],
      ['QC01', '外观不良', 'Appearance', '0'],
      ['QC02', '标签不良', 'Label', '0'],
      ['QC03', '螺丝或风扇缺失', 'Screw or fan missing', '0'],
    ],
  ],
  [IssueCategory.Store, [['ST00', '良品', 'Good', '1']]],
];

const checkRow = ([code, name, nameEn]: Names, disposition: string) => ({
  code,
  name,
  nameEn,
  billType: IssueCategory.Check as string,
  disposition,
  passFlag: null as string | null,
  imageRequired: codesWithImage.includes(code) ? '1' : '0',
});

/** The issue codes of every step. Rule: checking#issue-codes. */
export const issueCodes = [
  ...checkCodes.map((it) => checkRow(it, Disposition.Repair)),
  ...scrapCodes.map((it) => checkRow(it, Disposition.Scrap)),
  checkRow(['NTF', '未发现故障', 'No fault found'], Disposition.NoFault),
  ...otherCodes.flatMap(([billType, codes]) =>
    codes.map(([code, name, nameEn, passFlag = null]) => ({
      code,
      name,
      nameEn,
      billType,
      disposition: null,
      passFlag: passFlag as string | null,
      imageRequired: '0',
    })),
  ),
].map((it, i) => ({ codeId: 101 + i, ...it }));
