import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The texts of the stations. Rule: refusals#station-texts. */
const texts: Record<string, [zh: string, en: string]> = {
  emptyMsg: ['必填项不为空！', 'The required fields must not be empty'],
  selectMsg: ['请选择一条操作数据！', 'Select the Data'],
  shipNoMsg: ['请先输入单号并加载工单', 'Enter the ship number and load the bill first'],
  repeateSn: ['SN重复', 'Duplicate SN'],
  scanMsg: ['请先扫描SN', 'Please scan the SN first'],
  slotMsg: ['位号不在BOM位号列表中', 'The slot is not in the BOM slot list'],
  qrCodeIllegal: ['二维码编号不符合规则', 'The QR code number does not meet the rules'],
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

describe('each message of the stations has a text of its own, in both languages', () => {
  it.each(Object.entries(texts))('%s says what is wrong [W-MSG-01] [W-MSG-03]', (key, [zh, en]) => {
    expect([wordsOf('zh')[key], wordsOf('en')[key]]).toEqual([zh, en]);
  });

  it.each(Object.entries(successes))('%s says what was done [W-MSG-02] [W-MSG-03]', (key, [zh, en]) => {
    expect([wordsOf('zh')[key], wordsOf('en')[key]]).toEqual([zh, en]);
  });

  it('deliverItemMsg, the code and misMatch are one sentence of the server, which names the SN as well [W-MSG-01] [W-MSG-03]', () => {
    expect(wordsOf('zh', 'refusals')['mismatch']).toMatch(/^SN %\{sn\} 的销售编码 %\{code\} 与单据不匹配$/);
    expect(wordsOf('en', 'refusals')['mismatch']).toMatch(/%\{code\}.*does not match any bill line/);
  });

  it('receiveSucceed says how many as well [W-MSG-02] [W-MSG-03]', () => {
    const [zh, en] = (['zh', 'en'] as const).map((it) => (wordsOf(it)['receive'] as Words)['told']);
    expect(zh).toMatch(/^接收成功：%\{smart_count\}/);
    expect(en).toMatch(/^Received: %\{smart_count\}/);
  });
});
