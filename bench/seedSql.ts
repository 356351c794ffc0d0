import pg from 'pg';

/** How many units a maintain bill of the bulk has. */
export const UNITS_A_BILL = 20;

/** The tables that are filled; their indexes are made anew afterwards, which is several times as fast. */
export const filled = [
  'rma_maintain_bill',
  'rma_maintain_bill_line',
  'rma_maintain_bill_line_item',
  'rma_inventory',
  'ubs_item_object',
  'rma_transaction',
  'rma_check_bill',
  'rma_check_bill_line',
  'rma_repair_bill',
  'rma_repair_bill_line',
  'rma_stockup_bill',
  'rma_stockup_bill_line',
  'rma_deliver_bill',
  'rma_deliver_bill_line',
] as const;

/** Numbers of which a bill has one, and those of which each of its units has one. */
const ofBills = ['MTB', 'MBL', 'SKB', 'DVB'] as const;
const ofUnits = ['MBI', 'SKL', 'CKB', 'RPB'] as const;
const prefixes = [...ofBills, ...ofUnits];
const isOfUnits = (prefix: string) => ofUnits.some((it) => it === prefix);
const numbered = (prefix: (typeof prefixes)[number]) => {
  const n = isOfUnits(prefix) ? `(b.of_day - 1) * ${UNITS_A_BILL} + i` : 'b.of_day';
  return `'${prefix}' || to_char(b.day, 'YYYYMMDD') || lpad((b.${prefix} + ${n})::text, 5, '0') AS "${prefix.toLowerCase()}"`;
};

/**
 * Three in five bills are old and finished, over three years; the others came in within the last two months. Each
 * knows where the numbers of its day go on.
 */
export const planBills = (bills: number, timeZone: string) => [
  `CREATE TEMP TABLE seed_model AS
   SELECT row_number() OVER (ORDER BY "salesCode") - 1 AS k, "itemId", "salesCode", name, "productName",
          rpad(left(regexp_replace("salesCode", '[^A-Z0-9]', '', 'g'), 5), 5, '0') AS stem
     FROM ubs_item WHERE type = '0' AND "salesCode" <> 'NOT-OUR'`,
  `SELECT setseed(0.26)`,
  `CREATE TEMP TABLE seed_bill AS
   SELECT b.*, row_number() OVER (PARTITION BY day ORDER BY b.b) AS of_day, ${prefixes.map((it) => `coalesce(l.${it}, 0) AS ${it}`).join(', ')}
     FROM (SELECT b, f, at, (at AT TIME ZONE ${pg.escapeLiteral(timeZone)})::date AS day, k,
                  CASE WHEN r < 0.5 THEN 'SZ' WHEN r < 0.85 THEN 'NB' ELSE 'US' END AS site
             FROM (SELECT b, f, random() AS r, floor(random() * (SELECT count(*) FROM seed_model))::int AS k,
                          now() - CASE WHEN f < 0.6 THEN interval '60 days' + (0.6 - f) / 0.6 * interval '1035 days'
                                       ELSE interval '8 days' + (1 - f) / 0.4 * interval '52 days' END AS at
                     FROM (SELECT b, b::float8 / ${bills} AS f FROM generate_series(0, ${bills - 1}) AS b) AS b) AS b) AS b
     LEFT JOIN (SELECT day, ${prefixes.map((it) => `max(last) FILTER (WHERE prefix = '${it}') AS ${it}`).join(', ')}
                  FROM bill_number GROUP BY day) AS l USING (day)`,
];

/** The highest number of a day that will be given: it has five digits. */
export const highestNumber = `SELECT max(greatest(${ofUnits.join(', ')}) + of_day * ${UNITS_A_BILL})::int AS highest FROM seed_bill`;

export interface Round {
  firstBill: number;
  lastBill: number;
  /** How many units there will be in all. */
  sns: number;
  /** How many an earlier run made. */
  before: number;
}

/** The units of some bills. */
export const planUnits = ({ firstBill, lastBill, sns, before }: Round) => [
  `DROP TABLE IF EXISTS seed_unit`,
  `CREATE TEMP TABLE seed_unit AS
   SELECT u.*, mtb AS "mtbId", mbl AS "mtblId", mbi AS "mtbliId", skb AS "skbId", skl AS "skblId", dvb AS "dvbId",
          ckb AS "ckbId", rpb AS "rpbId", m."itemId", m."salesCode", m.name, m."productName", m.stem || '9Z' || lpad((u.n + ${before})::text, 10, '0') AS sn,
          CASE WHEN f < 0.6 THEN CASE WHEN r < 0.03 THEN '40' ELSE '900' END
               WHEN r < 0.10 THEN '10' WHEN r < 0.14 THEN '40' WHEN r < 0.34 THEN '50' WHEN r < 0.46 THEN '60'
               WHEN r < 0.61 THEN '70' WHEN r < 0.71 THEN '80' WHEN r < 0.81 THEN '90' WHEN r < 0.96 THEN '100'
               ELSE '900' END AS node
     FROM (SELECT b.b, b.f, b.at, b.site, b.k, i, b.b * ${UNITS_A_BILL} + i AS n, random() AS r,
                  ${prefixes.map(numbered).join(', ')}
             FROM seed_bill AS b, generate_series(1, ${UNITS_A_BILL}) AS i
            WHERE b.b BETWEEN ${firstBill} AND ${lastBill} AND b.b * ${UNITS_A_BILL} + i <= ${sns}) AS u
     JOIN seed_model AS m USING (k)`,
];

const ofBill = `
  SELECT b, "mtbId", "mtblId", "skbId", "dvbId", min(site) AS site, min(at) AS at, min("salesCode") AS "salesCode",
         min(name) AS name, min("productName") AS "productName", count(*) AS units,
         count(*) FILTER (WHERE node = '900') AS delivered, count(*) FILTER (WHERE node IN ('100', '900')) AS stocked,
         count(*) FILTER (WHERE node = '40') AS scrapped, bool_or(node NOT IN ('40', '900')) AS open
    FROM seed_unit GROUP BY b, "mtbId", "mtblId", "skbId", "dvbId"`;

/** Who has passed the repair. */
const isRepaired = `node IN ('60', '70', '80', '90', '100', '900')`;
/** Who has done it all. */
const worker = '(SELECT "userId" FROM admin_user ORDER BY id LIMIT 1)';

/** What is inserted for each round of units, in this order. */
export const inserts: { table: (typeof filled)[number]; sql: string }[] = [
  {
    table: 'rma_maintain_bill',
    sql: `INSERT INTO rma_maintain_bill ("mtbId", "receiveShipNo", "receivePackageCount", "billStatus", "siteId",
            "receiveShipId", "btmUserId", "userName", mobile, "countryId", "packConfirm", "operateStatus", "createBy", "createTime")
          SELECT "mtbId", 'SF' || lpad((b * 7919 + 1000003)::text, 13, '0'), 1 + b % 6, CASE WHEN open THEN '1' ELSE '2' END,
                 site, 'SF', 'customer' || b % 500, '客户 ' || b % 500, '138' || lpad((b % 100000000)::text, 8, '0'),
                 CASE WHEN site = 'US' THEN '231' ELSE '95' END, (b % 2)::text, 'Normal', 'seed', at
            FROM (${ofBill}) AS b ORDER BY b`,
  },
  {
    table: 'rma_maintain_bill_line',
    sql: `INSERT INTO rma_maintain_bill_line ("mtblId", "mtbId", type, "salesCode", "itemName", "productName", count,
            "receiveCount", "deliverCount", "scrapCount", "discardCount", "buyOutCount", "createBy", "createTime")
          SELECT "mtblId", "mtbId", '0', "salesCode", name, "productName", units, units, delivered, scrapped, 0, 0, 'seed', at
            FROM (${ofBill}) AS b ORDER BY b`,
  },
  {
    table: 'rma_maintain_bill_line_item',
    sql: `INSERT INTO rma_maintain_bill_line_item ("mtbliId", "mtblId", "mtbId", "siteId", "receiveSn", "receiveStatus",
            "receiveTime", warranty, maintains, "secondHand", depreciation, "checkTime", continues, mixbound, scrap, "checkIcdIds",
            returness, payed, exchange, "deliverPayment", stockup, "deliverStatus", "deliverTime", "deliverShipNo", "deliverSn",
            "deliverSalesCode", "deliverPriority", "deliverSiteId", "deliverShipId", "createBy", "createTime")
          SELECT "mtbliId", "mtblId", "mtbId", site, sn, '1', at, (n % 2)::text, 0, '0', substr('ABBBC', (n % 5)::int + 1, 1),
                 CASE WHEN node <> '10' THEN at + interval '18 hours' END, '0', '0', CASE WHEN node = '40' THEN '1' ELSE '0' END,
                 CASE WHEN node = '40' THEN 'UM17' WHEN node <> '10' THEN (ARRAY['FX54', 'FX55', 'FX56', 'CL15'])[n % 4 + 1] END,
                 '0', (n % 3)::text, '0', '0', CASE WHEN node = '100' THEN '1' ELSE '0' END,
                 CASE node WHEN '900' THEN '2' WHEN '40' THEN '3' WHEN '100' THEN '1' ELSE '0' END,
                 CASE WHEN node = '900' THEN at + interval '126 hours' END, CASE WHEN node = '900' THEN "skbId" END,
                 CASE WHEN node = '900' THEN sn END, CASE WHEN node = '900' THEN "salesCode" END, '0',
                 CASE WHEN node = '900' THEN site END, CASE WHEN node = '900' THEN 'SF' END, 'seed', at
            FROM seed_unit ORDER BY n`,
  },
  {
    table: 'rma_inventory',
    sql: `INSERT INTO rma_inventory (sn, type, "salesCode", "itemName", "siteId", "ivyId", "mtbId", "mtblId", "mtbliId",
            "subinventoryCode", "storageType", "createBy", "createTime", "updateTime")
          SELECT sn, '0', "salesCode", name, site, node, "mtbId", "mtblId", "mtbliId",
                 CASE WHEN node IN ('100', '900') THEN 'FG' WHEN node = '40' THEN 'SCR' END,
                 CASE WHEN node IN ('100', '900') THEN '0' WHEN node = '40' THEN '2' ELSE '1' END, 'seed', at,
                 at + interval '126 hours'
            FROM seed_unit ORDER BY n`,
  },
  {
    table: 'ubs_item_object',
    sql: `INSERT INTO ubs_item_object (sn, "itemId", "salesCode", "itemName", type, origin, "productOrder", customer, "outTime",
            "warrantyUntil", "createBy", "createTime")
          SELECT sn, "itemId", "salesCode", name, '0', '1', 'PO' || lpad((b % 100000)::text, 9, '0'), '客户 ' || b % 500,
                 at - interval '300 days', (at + interval '65 days')::date, 'seed', at - interval '300 days'
            FROM seed_unit ORDER BY n`,
  },
  {
    table: 'rma_transaction',
    sql: `INSERT INTO rma_transaction (sn, "mtbId", "mtbliId", "siteId", step, "billId", "fromNode", "toNode", "operateStatus",
            "eventTime", "userId", "createBy", "createTime")
          SELECT u.sn, u."mtbId", u."mtbliId", u.site, s.step, CASE WHEN s.step = 'deliver' THEN u."dvbId" END, s.was, s.becomes, 'Normal',
                 u.at + s.nth * interval '18 hours', ${worker}, 'seed', u.at + s.nth * interval '18 hours'
            FROM seed_unit AS u
            JOIN (VALUES (0, 'receive', NULL, '10', 10, true, true), (1, 'check', '10', '50', 50, true, false),
                         (1, 'check', '10', '10', 0, false, true), (2, 'scrapConfirm', '10', '40', 0, false, true),
                         (2, 'repair', '50', '60', 60, true, false), (3, 'assemble', '60', '70', 70, true, false),
                         (4, 'aging', '70', '80', 80, true, false), (5, 'qc', '80', '90', 90, true, false),
                         (6, 'store', '90', '100', 100, true, false), (7, 'deliver', '100', '900', 900, true, false))
                 AS s(nth, step, was, becomes, reached, repaired, scrapped)
              ON CASE WHEN u.node = '40' THEN s.scrapped ELSE s.repaired AND s.reached <= u.node::int END
           ORDER BY u.n, s.nth`,
  },
  {
    table: 'rma_check_bill',
    sql: `INSERT INTO rma_check_bill ("ckbId", "mtbId", "userId", "siteId", "createBy", "createTime")
          SELECT "ckbId", "mtbId", ${worker}, site, 'seed', at + interval '18 hours'
            FROM seed_unit WHERE node <> '10' ORDER BY n`,
  },
  {
    table: 'rma_check_bill_line',
    sql: `INSERT INTO rma_check_bill_line ("ckbId", sn, "mtbliId", "salesCode", name, "billTime", "icdIds", "icdDescriptions",
            "repairChipCount", disposition, "scrapStatus", "dutySourse", "createBy", "createTime")
          SELECT "ckbId", sn, "mtbliId", "salesCode", name, at + interval '18 hours', c.code, c.what,
                 CASE WHEN c.n = 1 THEN (u.n % 9)::int END, CASE WHEN proposed THEN 'scrap' ELSE 'repair' END,
                 CASE WHEN node = '40' THEN '1' WHEN proposed THEN '2' END,
                 CASE WHEN node = '40' THEN (ARRAY['0', '1', '3'])[u.n % 3 + 1] END, 'seed', at + interval '18 hours'
            FROM seed_unit AS u CROSS JOIN LATERAL (SELECT node = '40' OR u.n % 50 = 0 AS proposed) AS p
            JOIN (VALUES (0, 'FX54', '算力板不识别'), (1, 'FX55', '算力板芯片数不足'), (2, 'FX56', '56 域电压异常'), (3, 'CL15', '芯片虚焊 15'),
                         (4, 'UM17', 'PCB 烧穿')) AS c(n, code, what) ON c.n = CASE WHEN proposed THEN 4 ELSE u.n % 4 END
           WHERE node <> '10' ORDER BY u.n`,
  },
  {
    table: 'rma_repair_bill',
    sql: `INSERT INTO rma_repair_bill ("rpbId", "mtbId", "mtbliId", sn, "userId", "repairType", "siteId", "createBy", "createTime")
          SELECT "rpbId", "mtbId", "mtbliId", sn, ${worker}, '2', site, 'seed', at + interval '36 hours'
            FROM seed_unit WHERE ${isRepaired} ORDER BY n`,
  },
  {
    table: 'rma_repair_bill_line',
    sql: `INSERT INTO rma_repair_bill_line ("rpbId", "partsType", sn, "icdIds", "icdDescriptions", slot, "repairMethod",
            "repairMarking", "spendCount", "createBy", "createTime")
          SELECT u."rpbId", l.part, 'HB' || right(u.sn, 14) || l.nth, l.code, l.what, l.slot, l.method, l.marking, l.spent, 'seed',
                 u.at + interval '36 hours'
            FROM seed_unit AS u
            JOIN (VALUES (0, '7', 'RP01', '芯片故障 / Chip fault', 'U8,U16,U32', '9', 'RC7104', 3),
                         (1, '8', 'RP02', '电源模块故障 / Power stage', 'Q5', '1', NULL, 1))
                 AS l(nth, part, code, what, slot, method, marking, spent) ON l.nth <= u.n % 2
           WHERE ${isRepaired} ORDER BY u.n, l.nth`,
  },
  {
    table: 'rma_stockup_bill',
    sql: `INSERT INTO rma_stockup_bill ("skbId", "mtbId", status, "allCount", "deliveredCount", "deliverShipNo", "deliverShipId",
            "deliverSiteId", "siteId", "createBy", "createTime")
          SELECT "skbId", "mtbId", CASE WHEN delivered = 0 THEN '0' WHEN delivered < stocked THEN '1' ELSE '2' END, stocked,
                 delivered, "skbId", 'SF', site, site, 'seed', at + interval '108 hours'
            FROM (${ofBill}) AS b WHERE stocked > 0 ORDER BY b`,
  },
  {
    table: 'rma_stockup_bill_line',
    sql: `INSERT INTO rma_stockup_bill_line ("skblId", "skbId", "mtbId", "mtblId", "mtbliId", "itemId", sn, "salesCode",
            "productName", delivered, "createBy", "createTime")
          SELECT u."skblId", u."skbId", u."mtbId", u."mtblId", u."mtbliId", i.id, u.sn, u."salesCode", u."productName",
                 CASE WHEN u.node = '900' THEN '1' ELSE '0' END, 'seed', u.at + interval '108 hours'
            FROM seed_unit AS u JOIN seed_item AS i USING ("mtbliId") WHERE u.node IN ('100', '900') ORDER BY u.n`,
  },
  {
    table: 'rma_deliver_bill',
    sql: `INSERT INTO rma_deliver_bill ("dvbId", "skbId", "submitType", "deliverShipNo", "deliverShipId", "userId", "siteId",
            "createBy", "createTime")
          SELECT "dvbId", "skbId", '0', "skbId", 'SF', ${worker}, site, 'seed', at + interval '126 hours'
            FROM (${ofBill}) AS b WHERE delivered > 0 ORDER BY b`,
  },
  {
    table: 'rma_deliver_bill_line',
    sql: `INSERT INTO rma_deliver_bill_line ("dvbId", "skbId", "deliverItemId", "mtbId", "mtbliId", sn, "salesCode",
            "deliverSalesCode", name, "createBy", "createTime")
          SELECT u."dvbId", u."skbId", i.id, u."mtbId", u."mtbliId", u.sn, u."salesCode", u."salesCode", u.name, 'seed',
                 u.at + interval '126 hours'
            FROM seed_unit AS u JOIN seed_item AS i USING ("mtbliId") WHERE u.node = '900' ORDER BY u.n`,
  },
];

/** The row ids of the items of this round: those after `last`. */
export const itemIds = (last: number) => [
  `DROP TABLE IF EXISTS seed_item`,
  `CREATE TEMP TABLE seed_item AS SELECT id, "mtbliId" FROM rma_maintain_bill_line_item WHERE id > ${last}`,
  `ANALYZE seed_item`,
];

/** The server goes on counting where the bulk ends. */
export const saveNumbers = `
  INSERT INTO bill_number AS it (prefix, day, last)
  SELECT prefix, day, before + bills * each
    FROM (SELECT day, count(*) AS bills, ${prefixes.map((it) => `max(${it}) AS ${it}`).join(', ')} FROM seed_bill GROUP BY day) AS b,
         LATERAL (VALUES ${prefixes.map((it) => `('${it}', ${it}, ${isOfUnits(it) ? UNITS_A_BILL : 1})`).join(', ')}) AS p(prefix, before, each)
      ON CONFLICT (prefix, day) DO UPDATE SET last = greatest(it.last, excluded.last)`;
