import homeEn from '#i18n/en/shell.json' with { type: 'json' };
import homeZh from '#i18n/zh/shell.json' with { type: 'json' };
import queuesEn from '#i18n/en/queues.json' with { type: 'json' };
import queuesZh from '#i18n/zh/queues.json' with { type: 'json' };
import type { Model } from '#domain/definition/grammar.ts';
import type { Words } from '#domain/words.ts';
import reads from './reads.json' with { type: 'json' };

/** By module the fields that are read. */
type Fields = Readonly<Record<string, readonly string[]>>;
type Names = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A query of the code: whatever a definition says, it reads these fields. */
interface Reader {
  kind: 'report' | 'chart' | 'queue';
  name: Words;
  fields: readonly string[];
}

const charts: Readonly<Record<string, Words>> = {
  cards: { zh: homeZh.home.waitingChart, en: homeEn.home.waitingChart },
  turnaround: { zh: homeZh.home.turnaround, en: homeEn.home.turnaround },
  returns: { zh: homeZh.home.returns, en: homeEn.home.returns },
};

/**
 * Which reports, and which charts and queues of the home page, read fields of a module. Their queries are SQL; a test asks
 * the database what each of them reads and holds the register to it.
 */
export function readersOf(module: string, { definitions }: Pick<Model, 'definitions'>): Reader[] {
  const buttons = definitions.get('rmaReport')?.buttons ?? [];
  const reading = (kind: Reader['kind'], of: Readonly<Record<string, Fields>>, nameOf: (key: string) => Words) =>
    Object.entries(of).flatMap(([key, fields]): Reader[] => {
      const own = Object.hasOwn(fields, module) ? fields[module] : undefined;
      return own ? [{ kind, name: nameOf(key), fields: own }] : [];
    });
  const plain = (text: string): Words => ({ zh: text, en: text });
  return [
    ...reading('report', reads.reports, (key) => buttons.find((it) => it.btnNo === key)?.label ?? plain(key)),
    ...reading('chart', reads.charts, (key) => charts[key] ?? plain(key)),
    ...reading('queue', reads.queues, (key) => {
      const [of = '', btnNo = ''] = key.split(':');
      const [zh, en] = [queuesZh as Names, queuesEn as Names].map((it) => it[of]?.[btnNo] ?? key);
      return { zh: zh ?? key, en: en ?? key };
    }),
  ];
}
