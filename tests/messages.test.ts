import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The texts of the stations. Rule: refusals#station-texts. */
const texts: Record<string, [zh: string, en: string]> = {
  emptyMsg: ['必填项不为空！', 'The required fields must not be empty'],
  selectMsg: ['请选择一条操作数据！', 'Select the Data'],
  shipNoMsg: ['请先输入单号并加载工单', 'Enter the waybill number and load the bill first'],
  repeateSn: ['SN重复', 'Duplicate SN'],
  scanMsg: ['请先扫描SN', 'Please scan the SN first'],
  slotMsg: ['位号不在BOM位号列表中', 'The slot is not in the BOM slot list'],
  qrCodeIllegal: ['二维码编号不符合规则', 'The QR code number does not meet the rules'],
  errorCountMsg: ['扫描数量与数量不一致', 'The scanned count differs from the count'],
  confirmCountMsg: ['数量不一致，请确认数量', 'The count does not match, please confirm the count'],
  completeDelivery: ['该单已无可发货明细', 'The bill has no lines to deliver'],
};
const successes: Record<string, [zh: string, en: string]> = {
  submitMsg: ['提交成功', 'Submitted'],
  deleteMsg: ['删除成功', 'Deleted'],
  verified: ['校验通过', 'Verified'],
};

interface Words {
  [key: string]: string | Words;
}
const wordsOf = (lang: 'zh' | 'en', of = 'stations') =>
  JSON.parse(readFileSync(new URL(`../i18n/${lang}/${of}.json`, import.meta.url), 'utf8')) as Words;

/** What transfers and scrap repairs refuse, each with what it is about beside the words of the specification. */
const ofBills: Record<string, [zh: string, en: string]> = {
  notInBill: ['SN不在单据中', 'The SN is not in the bill'],
  notStore: ['SN不在发货站点', 'The SN is not at the deliver site'],
  lineFull: ['该行已录满', 'The line is already full'],
  notAuxiliary: ['主SN不能作为辅助SN', 'A main SN cannot be an auxiliary SN'],
  assemblyInfo: ['请完善组装信息', 'The assembly information is incomplete'],
  checkInfo: ['请录入检测故障', 'The check issues are missing'],
  repairInfo: ['请录入维修信息', 'The repair information is missing'],
  auxiliaryInfo: ['请录入辅助SN', 'The auxiliary SNs are missing'],
  submitInfo: ['请至少添加一台设备', 'Add at least one unit'],
};

describe('each message of the stations has a text of its own, in both languages', () => {
  it.each(Object.entries(texts))('%s says what is wrong [W-MSG-01] [W-MSG-03] [S-MSG-02]', (key, [zh, en]) => {
    expect([wordsOf('zh')[key], wordsOf('en')[key]]).toEqual([zh, en]);
  });

  it.each(Object.entries(successes))('%s says what was done [W-MSG-02] [W-MSG-03] [S-MSG-04]', (key, [zh, en]) => {
    expect([wordsOf('zh')[key], wordsOf('en')[key]]).toEqual([zh, en]);
  });

  it.each(Object.entries(ofBills))('%s is refused in these words [S-MSG-03]', (key, [zh, en]) => {
    expect(wordsOf('zh', 'refusals')[key]).toMatch(new RegExp(`^${zh}`));
    expect(wordsOf('en', 'refusals')[key]).toMatch(new RegExp(`^${en}`));
  });

  it('supplierMsg says what to choose first [S-MSG-04]', () => {
    const [zh, en] = (['zh', 'en'] as const).map((it) => (wordsOf(it, 'bills')['order'] as Words)['supplierMsg']);
    expect([zh, en]).toEqual(['请先选择供应商', 'Choose the supplier first']);
  });

  it('deliverItemMsg, the code and misMatch are one sentence of the server, which names the SN as well [W-MSG-01] [W-MSG-03] [S-MSG-02]', () => {
    expect(wordsOf('zh', 'refusals')['mismatch']).toMatch(/^SN %\{sn\} 的销售编码 %\{code\} 与单据不匹配$/);
    expect(wordsOf('en', 'refusals')['mismatch']).toMatch(/%\{code\}.*does not match any bill line/);
  });

  it('receiveSucceed says how many as well [W-MSG-02] [W-MSG-03]', () => {
    const [zh, en] = (['zh', 'en'] as const).map((it) => (wordsOf(it)['receive'] as Words)['told']);
    expect(zh).toMatch(/^接收成功：%\{smart_count\}/);
    expect(en).toMatch(/^Received: %\{smart_count\}/);
  });
});
