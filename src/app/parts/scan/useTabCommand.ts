import type { Command } from '#app/parts/scan/commands.ts';
import { type TabsProps, useTabNames } from '#app/parts/StationTabs.tsx';

const none: TabsProps = { value: '', tabs: [] };

/** Turns to the tab that a command means and gives its name, or why it cannot; nothing where there is no such tab. */
export function useTabCommand(
  tabs: TabsProps = none,
): (command: Command) => { name: string } | { blocked: string } | undefined {
  const names = useTabNames(tabs);
  return (command) => {
    const at = names.findIndex((it) => it.tab === tabs.value);
    const to =
      command.do === 'next'
        ? names[(at + 1) % names.length]
        : command.do === 'tab'
          ? names[command.number - 1]
          : undefined;
    // The tab in front stays as it is: turning to it anew could put its scans away.
    if (!to) return undefined;
    if (to.tab !== tabs.value) {
      if (tabs.blocked) return { blocked: tabs.blocked };
      tabs.onChange?.(to.tab);
    }
    return { name: to.name };
  };
}
