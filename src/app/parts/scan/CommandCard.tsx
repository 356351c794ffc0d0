import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { type ChoiceList, type Command, textOf } from '#app/parts/scan/commands.ts';
import { CardBarcode, PrintedCard } from '#app/parts/scan/PrintedCard.tsx';
import { type TabsProps, useTabNames } from '#app/parts/StationTabs.tsx';

/** What a station's card offers besides submit and undo. */
export interface CardContents {
  /** Left out where there are none to choose from. */
  tabs?: TabsProps;
  quantities?: readonly number[];
  codes?: readonly { code: string; name: string; passFlag?: string | null }[];
  choices?: readonly { list: ChoiceList; title: string; items: readonly { value: string; name: string }[] }[];
}

interface Props {
  title: string;
  contents: CardContents;
  onClose: () => void;
}

/** The card that lies beside a scanner: each command of the station as a barcode, to be printed. */
export default function CommandCard({ title, contents, onClose }: Props) {
  const translate = useTranslate();
  const { tabs, quantities = [], codes = [], choices = [] } = contents;
  const names = useTabNames(tabs ?? noTabs);
  const say = (name: string, values?: object) => translate(`stations.command.${name}`, values);
  const actions: Entry[] = [
    { command: { do: 'submit' }, name: say('submit') },
    { command: { do: 'undo' }, name: translate('stations.undo') },
    ...(tabs === undefined ? [] : [{ command: { do: 'next' } as const, name: say('next') }]),
    ...names.map(({ name }, i) => ({ command: { do: 'tab', number: i + 1 } as const, name: say('tab', { name }) })),
    ...quantities.map((count) => ({ command: { do: 'quantity', count } as const, name: say('quantity', { count }) })),
  ];
  // What says whether the unit has passed is the result of a test.
  const isResults = codes.every((it) => it.passFlag != null);
  const found: Entry[] = codes.map(({ code, name }) => ({ command: { do: 'code', code }, name: `${code}  ${name}` }));
  return (
    <PrintedCard title={say('cardOf', { title })} onClose={onClose}>
      <Barcodes entries={actions} />
      <Group title={translate(isResults ? 'stations.test.results' : 'stations.field.issueCode')} entries={found} />
      {choices.map(({ list, title, items }) => (
        <Group
          key={list}
          title={title}
          entries={items.map(({ value, name }) => ({ command: { do: 'choose', list, value }, name }))}
        />
      ))}
    </PrintedCard>
  );
}

const noTabs = { tabs: [] };

interface Entry {
  command: Command;
  name: string;
}

function Group({ title, entries }: { title: string; entries: readonly Entry[] }) {
  if (entries.length === 0) return null;
  return (
    <>
      <Box component="h2" sx={{ fontSize: 14, fontWeight: 600, mt: 6, mb: 2 }}>
        {title}
      </Box>
      <Barcodes entries={entries} />
    </>
  );
}

const Barcodes = ({ entries }: { entries: readonly Entry[] }) => (
  <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'repeat(auto-fill, minmax(240px, 1fr))' }}>
    {entries.map(({ command, name }) => (
      <CardBarcode key={textOf(command)} text={textOf(command)} line={1.5}>
        <Box sx={{ fontWeight: 600 }}>{name}</Box>
      </CardBarcode>
    ))}
  </Box>
);
