import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { factsOfCard } from '#app/engine/list/columns.ts';
import { isPercent } from '#domain/definition/fieldBounds.ts';
import { findFault } from '#domain/definition/fieldRules.ts';
import type { Definition, Field, Option } from '#domain/definition/grammar.ts';
import { isQuantity } from '#domain/definition/isQuantity.ts';
import { allowedRows } from '#domain/definition/writes.ts';
import { validateNamePlaces } from '#domain/definition/nameSlips.ts';
import { namingFields } from '#domain/definition/namingFields.ts';
import { recordName } from '#domain/definition/recordName.ts';
import { schemaFile } from '#domain/definition/schemaFile.ts';
import * as enums from '#domain/enums.ts';
import { CURRENCY } from '#domain/money.ts';
import { nodes } from '#domain/nodes.ts';
import { platformRights } from '#domain/rights.ts';
import { parseLanguage, type Words } from '#domain/words.ts';
import { repairTypeOf } from '#features/repair/rules.ts';
import { pageScripts, recordPages } from '#features/scripts.ts';
import type { Context } from '#server/context.ts';
import { columnInfos } from '#server/engine/describe.ts';
import { readModel, standardFields } from '#server/definitions/read.ts';
import { createTypes } from '#server/definitions/types.ts';
import { ROOT } from '#server/root.ts';
import { registers } from '#tests/support/features.ts';

/** Checked as a whole: a definition that names something unknown throws here, as at the start. */
const model = readModel(registers);
const definitions = [...model.definitions.values()];
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const isChinese = (text: string) => /[\u3400-\u9fff]/.test(text);

/** It has no currency of its own and is shown in dollars. Rule: wire#money. */
const inDollars = ['rmaReceiveBill.payAmount'];

/** Work may be agreed to cost nothing; whatever else is entered as an amount is something. Rule: money#price-bills, money#expenses. */
const mayBeNothing = ['rmaPriceBill.unitPriceWithTax'];

describe('the amounts of all definitions', () => {
  const amounts = definitions.flatMap((it) =>
    Object.entries(it.fields).flatMap(([name, field]) =>
      field.type === 'BigDecimal' && !isPercent(field) ? [{ of: `${it.module}.${name}`, name, it }] : [],
    ),
  );
  const ofCurrency = amounts.filter(({ it }) => Object.hasOwn(it.fields, CURRENCY));

  it('name their currency in the same row, but for those that are known to be dollars', () => {
    expect(ofCurrency.length).toBeGreaterThan(10);
    const others = amounts.filter((it) => !ofCurrency.includes(it));
    expect(others.map((it) => it.of).toSorted()).toEqual(inDollars);
  });

  it('that people enter are more than nothing, but for those that are known not to be', () => {
    const entered = amounts.filter(
      ({ it, name }) => allowedRows(it, { script: 'create' }) && !it.fields[name]?.readOnly,
    );
    expect(entered.length).toBeGreaterThan(1);
    const nothing = entered.filter(({ it, name }) => !findFault(it.fields[name] as Field, '0'));
    expect(nothing.map((it) => it.of)).toEqual(mayBeNothing);
  });

  it.each(ofCurrency)(
    '$of goes with its currency into list and form, so that its sign is the row’s',
    ({ name, it }) => {
      if (it.list?.columns.includes(name)) expect(it.list.columns).toContain(CURRENCY);
      if (it.form?.flat().includes(name)) expect(it.form.flat()).toContain(CURRENCY);
      const { shown = [], under = {} } = it.list ?? {};
      if (shown.includes(name)) expect([...shown, ...Object.values(under)]).toContain(CURRENCY);
    },
  );
});

describe('the definitions', () => {
  it('are as many as the files say and are all right as a whole', () => {
    expect(definitions.length).toBeGreaterThan(40);
  });

  it('have the schema that editors complete from, and the types that the server is compiled with', () => {
    expect(JSON.parse(read('definitions/definition.schema.json'))).toEqual(schemaFile());
    expect(read('src/server/db/tables.ts')).toBe(createTypes(definitions));
  });

  it('show seven columns of a list at most at first, and say what stands under another only of others', () => {
    // The specification says all 27 of them, and the bill's own page shows few of them at first.
    const lists = definitions.flatMap((it) => (it.module === 'rmaMaintainBillLineItem' ? [] : (it.list ?? [])));
    const shownOf = ({ columns, shown = columns }: NonNullable<Definition['list']>) => shown;
    expect(lists.filter((it) => shownOf(it).length > 7).map((it) => it.columns[0])).toEqual([]);
    for (const list of lists) {
      const shown = shownOf(list);
      const lower = Object.values(list.under ?? {});
      expect(shown[0]).toBe(list.columns[0]);
      expect(Object.keys(list.under ?? {}).filter((it) => !shown.includes(it))).toEqual([]);
      expect(lower.filter((it) => shown.includes(it) || lower.indexOf(it) !== lower.lastIndexOf(it))).toEqual([]);
    }
  });

  it('name no field twice in one place, and no password where values are read', () => {
    expect(definitions.flatMap(validateNamePlaces)).toEqual([]);
  });

  it('say on a card all that a list shows at first: amounts, quantities and times are not behind names', () => {
    const missing = definitions.flatMap((it) => {
      if (!it.list || it.module === 'rmaMaintainBillLineItem') return [];
      const { columns, shown = columns, under = {} } = it.list;
      const column = (name: string) => ({ name, label: name, type: 'String' as const });
      const named = namingFields(it);
      const drawn = shown.map((name) => ({ ...column(name), ...(under[name] && { below: column(under[name]) }) }));
      const facts = factsOfCard(drawn, ({ name }) => named.includes(name)).map(({ name }) => name);
      return shown.filter((name) => ![...named, ...facts].includes(name)).map((name) => `${it.module}.${name}`);
    });
    expect(missing).toEqual([]);
  });

  it('have no number in small under what is none, where it would stand under no heading and at no edge', () => {
    const isNumber = (of: Definition, name = '') => {
      const type = of.fields[name]?.type;
      return type !== undefined && isQuantity({ name, type });
    };
    const hidden = definitions.flatMap((it) =>
      Object.entries(it.list?.under ?? {})
        .filter(([upper, lower]) => isNumber(it, lower) && !isNumber(it, upper))
        .map(([upper, lower]) => `${it.module}: ${lower} under ${upper}`),
    );
    expect(hidden).toEqual([]);
  });

  it('have ids, which are no amounts, at the left of their columns, and amounts at the right', () => {
    const ctx = { lang: 'en', model } as Context;
    const infos = definitions.flatMap((it) => columnInfos(it, Object.keys(it.fields), ctx));
    const ofIds = infos.filter(({ name, type }) => name.endsWith('Id') && ['Integer', 'Long'].includes(type));
    expect(ofIds.length).toBeGreaterThan(4);
    expect(ofIds.filter((it) => it.align)).toEqual([]);
    expect(infos.filter((it) => it.type === 'BigDecimal' && it.align !== 'right')).toEqual([]);
  });

  it('add up counts and amounts alone: no price of one, no rate, no size, nothing that is counted at each step again', () => {
    const sums = definitions.flatMap((it) => (it.list?.totals ?? []).map((name) => `${it.module}.${name}`));
    expect(sums.filter((it) => !/(count|qty|amount)$/i.test(it))).toEqual([]);
    for (const it of ['rmaStoreBill.packageCount', 'icopWip.inputQty', 'icopWip.outputQty'])
      expect(sums).not.toContain(it);
    expect(sums.length).toBeGreaterThan(20);
  });

  it('have a grammar that explains each of its properties', () => {
    const explained = new Map<string, unknown>();
    const visit = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [name, inside] of Object.entries(schema)) {
        if (name === 'properties') {
          for (const [property, it] of Object.entries(inside as Record<string, { description?: unknown }>)) {
            explained.set(`${path}${property}`, it.description);
            visit(it, `${path}${property}.`);
          }
        } else if (name !== 'default') visit(inside, path);
      }
    };
    visit(schemaFile(), '');
    const isSentence = (it: unknown) => typeof it === 'string' && /^[A-Z`].{8,}\.$/.test(it);
    expect([...explained].filter(([, it]) => !isSentence(it)).map(([property]) => property)).toEqual([]);
    expect(explained.size).toBeGreaterThan(70);
  });

  it.each(['zh', 'en'] as const)(
    'have no two buttons of one toolbar with the same words, the search among them, %s',
    (lang) => {
      const { search } = JSON.parse(read(`i18n/${lang}/shell.json`)) as { search: Record<string, string> };
      const ofSearch = ['submit', 'reset', 'more'].map((it) => search[it] ?? '');
      const twice = definitions.flatMap(({ module, buttons = [] }) => {
        const words = [...buttons.map((it) => it.label[lang]), ...ofSearch];
        return words.filter((it, i) => words.indexOf(it) !== i).map((it) => `${module}: ${it}`);
      });
      expect(twice).toEqual([]);
    },
  );

  it('say every label, option and button in both languages [W-COM-06]', () => {
    const labels: [string, Words][] = [
      ...definitions.flatMap((it): [string, Words][] => [
        [it.module, it.label],
        [`${it.module}.one`, recordName(it)],
        ...Object.entries(it.fields).map(([name, field]): [string, Words] => [`${it.module}.${name}`, field.label]),
        ...(it.buttons ?? []).map((button): [string, Words] => [`${it.module}:${button.btnNo}`, button.label]),
      ]),
      ...Object.entries(model.options).flatMap(([list, options]) =>
        options.map((it): [string, Words] => [`${list} ${it.value}`, it.label]),
      ),
      ...Object.entries(standardFields()).map(([name, it]): [string, Words] => [name, it.label]),
      ...model.roles.map((it): [string, Words] => [it.roleId, it.label]),
      ...groupsOf(model.menu).map((it): [string, Words] => [it.menuNo, it.label as Words]),
    ];
    const isAcronym = (text: string) => /^[A-Z]{2,4}$/.test(text);
    const wrong = labels.filter(
      ([, { zh, en }]) => !(isChinese(zh) || isAcronym(zh)) || isChinese(en) || en.trim() === '',
    );
    expect(wrong).toEqual([]);
    expect(labels.length).toBeGreaterThan(400);
    expect([undefined, '', 'fr', 'zh'].map(parseLanguage)).toEqual(['zh', 'zh', 'zh', 'zh']);
    expect(parseLanguage('en')).toBe('en');
  });

  it('begin each list’s label differently, so that nobody looks for a list in the wrong place', () => {
    for (const lang of ['zh', 'en'] as const) {
      const labels = definitions.map((it) => it.label[lang]);
      expect(labels.filter((it, i) => labels.indexOf(it) !== i)).toEqual([]);
    }
  });

  it('call one row otherwise than the list in English, where one is opened or entered by itself', () => {
    const inMenu = new Set(entriesOf(model.menu));
    const opened = definitions.filter(
      (it) => inMenu.has(`${it.module}List`) && (it.form ?? it.detail ?? it.list?.link) !== undefined,
    );
    const wrong = opened.filter(({ label, one }) => !one || one.en === label.en || /(?<!s)s$/.test(one.en));
    expect(wrong.map(({ module, label, one }) => ({ module, list: label.en, one: one?.en }))).toEqual([]);
    expect(opened.length).toBeGreaterThan(40);
  });

  it('tell in a detail all that its row tells, each once', () => {
    const nameOf = (it: string) => it.replace(/(Id)?$/, 'Name');
    /** When a receipt was written down is when it was received. */
    const isSaid = (it: string, detail: readonly string[]) =>
      detail.includes(it) || detail.includes(nameOf(it)) || (it === 'createTime' && detail.includes('billTime'));
    const untold = definitions.flatMap(({ module, detail, list }) =>
      (list?.columns ?? []).filter((it) => detail && !isSaid(it, detail)).map((it) => `${module}.${it}`),
    );
    expect(untold).toEqual([]);
    const twice = definitions.flatMap(({ module, detail = [] }) =>
      detail.filter((it, i) => detail.indexOf(it) !== i).map((it) => `${module}.${it}`),
    );
    expect(twice).toEqual([]);
  });

  it('are each reached from the menu or through another’s lines', () => {
    const inMenu = new Set(entriesOf(model.menu).map((it) => it.replace(/List$/, '')));
    const asLines = new Set(definitions.flatMap((it) => (it.lines ?? []).map((lines) => lines.module)));
    const lost = definitions.map((it) => it.module).filter((it) => !inMenu.has(it) && !asLines.has(it));
    expect(lost).toEqual([]);
  });

  it('open a page of one record by buttons that want one row, and by no others', () => {
    const opened = definitions.flatMap(({ module, buttons = [] }) =>
      buttons.map((it) => ({ page: `${module}:${it.script ?? ''}`, isOfOne: it.rows === 1 })),
    );
    const isPage = (page: string) => pageScripts.some((it) => it === page);
    const ofOne = opened.filter((it) => it.isOfOne && isPage(it.page)).map((it) => it.page);
    const details = pageScripts.filter((it) => it.endsWith(':detail'));
    expect([...recordPages].sort()).toEqual([...new Set([...ofOne, ...details])].sort());
    expect(opened.filter((it) => !it.isOfOne && recordPages.has(it.page))).toEqual([]);
  });

  it('take as many letters of a thing wherever it is written, of few lengths in all, and text of people has an end', () => {
    // A list's name, a printed code and the number of a work order, which its lines take with more room.
    const apart = ['modelCode', 'name', 'workOrderNo'];
    const lengths = new Map<string, Set<number>>();
    for (const { fields } of definitions) {
      for (const [name, { maxLength }] of Object.entries(fields)) {
        if (maxLength) lengths.set(name, (lengths.get(name) ?? new Set()).add(maxLength));
      }
    }
    expect([...lengths].flatMap(([name, it]) => (it.size > 1 ? [name] : [])).sort()).toEqual(apart);
    // Who needs another length takes one of these, or says here why not.
    const all = new Set([...lengths.values()].flatMap((it) => [...it]));
    expect([...all].sort((a, b) => a - b)).toEqual([2, 4, 10, 20, 30, 50, 64, 100, 200, 255, 500, 2000]);
    const endless = definitions.flatMap(({ module, fields }) =>
      Object.entries(fields)
        .filter(([name, it]) => /remark$/i.test(name) && it.type === 'LongString' && !it.maxLength)
        .map(([name]) => `${module}.${name}`),
    );
    expect(endless).toEqual([]);
  });

  it('want as many rows for a script wherever it has a button', () => {
    const rows = new Map<string, Set<string>>();
    for (const it of definitions.flatMap((one) => one.buttons ?? [])) {
      if (it.script) rows.set(it.script, (rows.get(it.script) ?? new Set()).add(String(it.rows)));
    }
    // A unit's site changes with others', a bill's alone.
    expect([...rows].filter(([, it]) => it.size > 1).map(([script]) => script)).toEqual(['updateSiteId']);
  });

  it('show at first whose it is by number too: of one name there may be two customers', () => {
    const lists = definitions.filter((it) => it.list?.columns.includes('btmUserId'));
    expect(lists.length).toBeGreaterThan(1);
    const hidden = lists.filter(({ list }) => {
      const { columns = [], shown = columns, under = {} } = list ?? {};
      return ![...shown, ...Object.values(under)].includes('btmUserId');
    });
    expect(hidden.map((it) => it.module)).toEqual([]);
  });

  it('let a form send what it requires, and no column be given a number twice', () => {
    for (const it of definitions.filter((one) => one.buttons?.some((button) => button.script === 'create'))) {
      const sent = new Set((it.form ?? []).flat());
      const required = Object.entries(it.fields).filter(([, field]) => field.required && !field.readOnly);
      expect(
        required.map(([name]) => name).filter((name) => !sent.has(name)),
        it.module,
      ).toEqual([]);
    }
    const prefixes = definitions.flatMap((it) => (it.number ? [it.number.prefix] : []));
    expect(new Set(prefixes).size).toBe(prefixes.length);
    for (const { number, fields } of definitions) {
      if (number) expect(fields[number.field]).toMatchObject({ readOnly: true, unique: true });
    }
  });

  it('show every operator by name', () => {
    const operators = definitions.flatMap(({ module, fields }) =>
      Object.entries(fields)
        .filter(([name, field]) => name === 'userId' && field.label.en === 'Operator')
        .map(([, field]) => ({ module, ref: field.ref })),
    );
    expect(operators.length).toBeGreaterThan(10);
    const ref = { module: 'adminUser', value: 'userId', label: 'userName' };
    expect(operators).toEqual(operators.map(({ module }) => ({ module, ref })));
  });

  it('give roles only buttons that exist', () => {
    const wrong = model.roles.flatMap((role) =>
      Object.entries(role.rights).flatMap(([module, buttons]) => {
        if (module === '*') return [];
        const definition = model.definitions.get(module);
        const own = definition && ['list', '*', ...(definition.buttons ?? []).map((it) => it.btnNo)];
        const known = own ?? platformRights[module] ?? [];
        return buttons.filter((it) => !known.includes(it)).map((it) => `${role.roleId}: ${module}:${it}`);
      }),
    );
    expect(wrong).toEqual([]);
    expect(model.roles.map((it) => it.roleId)).toEqual(
      'admin office warehouse tech supervisor aftersales finance auditor planner supplier viewer'.split(' '),
    );
  });

  it('call the two kinds of goods 0 and 1 wherever a type of goods is taken [W-COM-05]', () => {
    expect(enums.GoodsType).toEqual({ Device: '0', Board: '1' });
    expect(said('goodsType')).toEqual('0 整机/Device, 1 单板/Board');
    const types = definitions.flatMap((it) =>
      Object.entries(it.fields)
        .filter(([name]) => name === 'type' || name === 'deviceType')
        .map(([name, field]) => [`${it.module}.${name}`, field.options]),
    );
    expect(types.length).toBeGreaterThan(4);
    for (const [name, options] of types) expect(options, name).toBe('goodsType');
  });
});

interface StationWords {
  history: { do: Record<string, string> };
  [station: string]: { title: string } | StationWords['history'];
}

describe('a station', () => {
  it.each([
    ['check', 'rmaCheckBill', 'check'],
    ['aging', 'rmaBurninBill', 'burnin'],
    ['qc', 'rmaExamineBill', 'examine'],
  ])('has one name: %s', (station, module, btnNo) => {
    for (const lang of ['zh', 'en'] as const) {
      const words = JSON.parse(read(`i18n/${lang}/stations.json`)) as StationWords;
      const button = model.definitions.get(module)?.buttons?.find((it) => it.btnNo === btnNo)?.label[lang];
      const step = model.options['workflowSteps']?.find((it) => it.value === station)?.label[lang];
      expect([step, words.history.do[station]], lang).toEqual([button, button]);
      expect((words[station] as { title: string }).title.split(' (')[0]).toBe(button);
    }
  });
});

const item = 'rmaMaintainBillLineItem';

/** The requirements, word for word; the field is the one whose values they are. */
const enumerations: [ids: string, list: string, fields: string[], said: string][] = [
  [
    '[P-ENU-01] [W-ENU-02]',
    'deliverStatus',
    [`${item}.deliverStatus`],
    '0 不可发货/Cannot ship, 1 可发货/Can ship, 2 已发货/Shipped, 3 已报废/Scrapped, 4 已买断/Bought out',
  ],
  [
    '[P-ENU-02] [W-ENU-03]',
    'deliverPriority',
    [`${item}.deliverPriority`],
    '0 正常/Normal, 1 优先/Priority, 2 暂停/Paused',
  ],
  ['[P-ENU-03] [W-ENU-04]', 'deliverPayment', [`${item}.deliverPayment`], '0 寄付/Sender pays, 1 到付/Collect'],
  ['[W-ENU-05]', 'receiptPayment', ['rmaReceiveBill.payment'], '0 寄付/Sender pays, 1 到付/Collect'],
  ['[P-ENU-04] [W-ENU-06]', 'returness', [`${item}.returness`], '0 不返还/Not returned, 1 返还/Returned'],
  ['[P-ENU-05] [W-ENU-07]', 'packConfirm', ['rmaMaintainBill.packConfirm'], '0 否/No, 1 是/Yes'],
  [
    '[P-ENU-06] [W-ENU-01]',
    'billStatus',
    ['rmaMaintainBill.billStatus'],
    '0 待接收/Awaiting receipt, 1 已接收/Received, 2 已完结/Finished, 3 未接收/Not received, 4 后接收/Received later',
  ],
  [
    '[P-ENU-07] [W-ENU-08]',
    'nodes',
    ['rmaInventory.ivyId', 'rmaTransaction.fromNode', 'rmaTransaction.toNode'],
    '10 待初检/Awaiting initial test, 40 已报废/Scrapped or discarded, 50 待维修/Awaiting repair, ' +
      '60 待组装/Awaiting assembly, 70 待测试/Awaiting test, 80 待检验/Awaiting inspection, ' +
      '90 待入库/Awaiting storage, 100 可发货/Can ship, 900 已发货/Shipped',
  ],
  [
    '[P-ENU-08]',
    'dutySourse',
    ['rmaCheckBillLine.dutySourse'],
    '0 我司/Own company, 1 客户/Customer, 3 无法判定/Cannot determine',
  ],
  [
    '[W-ENU-09]',
    'repairType',
    ['rmaRepairBill.repairType'],
    '1 二手机/Second-hand, 2 不良机/Defective, 3 库存报废/Inventory scrapped',
  ],
  [
    '[W-ENU-10]',
    'receiveStatus',
    [`${item}.receiveStatus`],
    '0 待接收/Awaiting receipt, 1 已接收/Received, 2 未接收/Not received, 3 后接收/Received later',
  ],
  [
    '[W-ENU-11]',
    'componentTypes',
    ['ubsAssembly.componentType', 'rmaAssembleBillLine.componentType'],
    'COIT000000S1 电源/Power, COIT000000RZ 控制板/Controls, COIT000000S0 算力板/Computing board',
  ],
];

describe('an enumeration', () => {
  it.each(enumerations)(
    'has the codes and both labels of its requirement, and is what its fields take %s',
    (_, list, fields, rows) => {
      expect(said(list)).toBe(rows);
      for (const it of fields) expect(fieldOf(it)?.options, it).toBe(list);
    },
  );

  it('of the parts that are repaired has the ten of the requirement, and beyond them boards 5 to 8 and other [W-ENU-12]', () => {
    expect(said('partsTypes', 10)).toBe(
      '1 整机/Device, 2 电源/Power, 3 控制板/Controls, 4 电源板/Power board, 5 IO板/IO board, 6 BB板/BB board, ' +
        '7 算力板1/Computing 1, 8 算力板2/Computing 2, 9 算力板3/Computing 3, 10 算力板4/Computing 4',
    );
    expect(fieldOf('rmaRepairBillLine.partsType')?.options).toBe('partsTypes');
  });

  it('of repair methods has the codes 1 to 12 and other [W-ENU-13]', () => {
    expect(said('repairMethods')).toBe(
      '1 飞线/Fly line, 2 更换/Replace, 3 换位/Change slot, 4 烧录/Burnt, 5 IO重烧/IO reburn, 6 BB报废/BB scrapped, ' +
        '7 程序/Program, 8 补焊/Welding, 9 换料/Change material, 10 重换/Rechange, 11 刷机/Brush, 12 误测/Error test, 99 其他/Other',
    );
    expect(fieldOf('rmaRepairBillLine.repairMethod')?.options).toBe('repairMethods');
  });

  it('has for the code of the server the values that lists and forms offer', () => {
    const both: [string, object][] = [
      ['billStatus', enums.BillStatus],
      ['deliverStatus', enums.DeliverStatus],
      ['deliverPriority', enums.DeliverPriority],
      ['receiveStatus', enums.ReceiveStatus],
      ['receiptPayment', enums.ReceivePayment],
      ['arrivalStatus', enums.ArrivalStatus],
      ['stockupStatus', enums.StockupStatus],
      ['warranty', enums.Warranty],
      ['storageType', enums.StorageType],
      ['submitType', enums.SubmitType],
      ['repairType', enums.RepairType],
      ['operateStatus', enums.OperateStatus],
      ['yesNo', enums.Flag],
    ];
    for (const [list, values] of both) expect(valuesOf(list), list).toEqual(Object.values(values));
    expect(valuesOf('nodes')).toEqual(nodes);
    expect(repairTypeOf(true, '')).toEqual({ repairType: enums.RepairType.Defective, problems: [] });
  });

  it('names no value twice', () => {
    for (const list of Object.keys(model.options))
      expect(new Set(valuesOf(list)).size, list).toBe(valuesOf(list).length);
  });
});

const valuesOf = (list: string) => (model.options[list] ?? []).map((it: Option) => it.value);

/** `0 否/No, 1 是/Yes` */
function said(list: string, count?: number): string {
  const options = (model.options[list] ?? []).slice(0, count);
  return options.map((it) => `${it.value} ${it.label.zh}/${it.label.en}`).join(', ');
}

function fieldOf(path: string): Definition['fields'][string] | undefined {
  const [module = '', name = ''] = path.split('.');
  return model.definitions.get(module)?.fields[name];
}

type Menu = typeof model.menu;

function groupsOf(menu: Menu): Menu {
  return menu.flatMap((it) => (it.children ? [it, ...groupsOf(it.children)] : []));
}

function entriesOf(menu: Menu): string[] {
  return menu.flatMap((it) => (it.children ? entriesOf(it.children) : [it.menuNo]));
}
