import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useTranslate } from 'ra-core';
import { GoodsType } from '#domain/enums.ts';

/** The third tab of the receipt: what is not the company's own. */
export const NOT_OUR_TAB = 'notOur';

/** The one tab of the assembly: its parts have fixed positions. */
export const SIMPLE_TAB = 'simple';

const words: Record<string, string> = {
  [GoodsType.Device]: 'device',
  [GoodsType.Board]: 'veneer',
  [NOT_OUR_TAB]: 'notOur',
  [SIMPLE_TAB]: 'simple',
};

interface Props {
  value: string;
  /** Left out where there is but one. */
  onChange?: (tab: string) => void;
  tabs?: readonly string[];
}

/** What is worked on: devices, boards, and what else a station tells apart. Spec 2 §2. */
export function StationTabs({ value, onChange, tabs = Object.values(GoodsType) }: Props) {
  const translate = useTranslate();
  return (
    <Tabs value={value} onChange={(_, tab: string) => onChange?.(tab)} sx={{ minHeight: 36 }}>
      {tabs.map((it) => (
        <Tab key={it} value={it} label={translate(`stations.tab.${words[it]}`)} sx={{ minHeight: 36 }} />
      ))}
    </Tabs>
  );
}
