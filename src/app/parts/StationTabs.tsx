import { memo } from 'react';
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

export interface TabsProps {
  value: string;
  /** Left out where there is but one. */
  onChange?: (tab: string) => void;
  /** Why the tab in front cannot be left now; nothing where it can. */
  blocked?: string;
  tabs?: readonly string[];
}

const bothKinds: readonly string[] = Object.values(GoodsType);

/** The tabs in their order, each with its name. */
export function useTabNames({ tabs = bothKinds }: Pick<TabsProps, 'tabs'>): { tab: string; name: string }[] {
  const translate = useTranslate();
  return tabs.map((tab) => ({ tab, name: translate(`stations.tab.${words[tab]}`) }));
}

/**
 * What is worked on: devices, boards, and what else a station tells apart. Drawn anew by what changes in it, not by
 * every scan: tabs measure themselves each time. Rule: scanning#tabs.
 */
export const StationTabs = memo(function StationTabs({ value, onChange, tabs }: Omit<TabsProps, 'blocked'>) {
  const names = useTabNames({ tabs });
  return (
    <Tabs value={value} onChange={(_, tab: string) => onChange?.(tab)} sx={{ minHeight: 36 }}>
      {names.map((it) => (
        <Tab key={it.tab} value={it.tab} label={it.name} sx={{ minHeight: 36 }} />
      ))}
    </Tabs>
  );
});
