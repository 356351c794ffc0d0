import { describe, expect, it } from 'vitest';
import { validateNofault, validateScrap, type NofaultWord, type ScrapWord } from './rules.ts';

const said = (problems: ReturnType<typeof validateScrap>) => problems.map((it) => `${it.key} ${it.field}`);

describe("a supervisor's word on a scrap", () => {
  const nothing: ScrapWord = { scrapStatus: '', declineScrapRemark: '', dutySourse: '', dutySourseRemark: '' };
  const cases: [what: string, word: Partial<ScrapWord>, problems: string[]][] = [
    ['nothing chosen', {}, ['required scrapStatus']],
    ['please select', { scrapStatus: '0', dutySourse: '1', dutySourseRemark: 'x' }, ['required scrapStatus']],
    ['a status that there is not', { scrapStatus: '3' }, ['format scrapStatus']],
    ['a yes alone', { scrapStatus: '1' }, ['required dutySourse', 'required dutySourseRemark']],
    ['a yes without its remark', { scrapStatus: '1', dutySourse: '0' }, ['required dutySourseRemark']],
    ['a yes without whose fault', { scrapStatus: '1', dutySourseRemark: 'burnt' }, ['required dutySourse']],
    ['the fault 2', { scrapStatus: '1', dutySourse: '2', dutySourseRemark: 'burnt' }, ['format dutySourse']],
    ['a no alone', { scrapStatus: '2' }, ['required declineScrapRemark']],
    ['a no', { scrapStatus: '2', declineScrapRemark: 'try once more' }, []],
    ...['0', '1', '3'].map((dutySourse): [string, Partial<ScrapWord>, string[]] => [
      `a yes, fault ${dutySourse}`,
      { scrapStatus: '1', dutySourse, dutySourseRemark: 'burnt' },
      [],
    ]),
  ];
  it.each(cases)('%s', (_, word, problems) => {
    expect(said(validateScrap({ ...nothing, ...word }))).toEqual(problems);
  });
});

describe("a supervisor's word on a no-fault", () => {
  const cases: [what: string, word: NofaultWord, problems: string[]][] = [
    ['nothing chosen', { nofaultConfirmStatus: '', nofaultConfirmRemark: '' }, ['required nofaultConfirmStatus']],
    ['please select', { nofaultConfirmStatus: '0', nofaultConfirmRemark: 'x' }, ['required nofaultConfirmStatus']],
    ['what there is not', { nofaultConfirmStatus: '9', nofaultConfirmRemark: 'x' }, ['format nofaultConfirmStatus']],
    ['a yes', { nofaultConfirmStatus: '1', nofaultConfirmRemark: '' }, []],
    ['a no alone', { nofaultConfirmStatus: '2', nofaultConfirmRemark: '' }, ['required nofaultConfirmRemark']],
    ['a no', { nofaultConfirmStatus: '2', nofaultConfirmRemark: 'it does not start' }, []],
  ];
  it.each(cases)('%s', (_, word, problems) => {
    expect(said(validateNofault(word))).toEqual(problems);
  });
});
