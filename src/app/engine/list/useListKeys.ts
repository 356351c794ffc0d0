import { useEffect } from 'react';
import { focusRow } from '#app/engine/list/useRows.ts';
import { findVisible } from '#app/parts/visibleElements.ts';
import { isShortcut } from '#app/shell/shortcuts.ts';

/** Keys of a list wherever the focus is, as long as nobody types and nothing lies over it: `/` goes to the search, an arrow to the rows. */
export function useListKeys(frame: React.RefObject<HTMLElement | null>, firstRow: number | undefined): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (handlesOwnKeys(event.target as Element)) return;
      if (isShortcut(event, 'search')) {
        const field = frame.current?.querySelector<HTMLElement>('[role=search] input, [role=search] [role=combobox]');
        if (!field) return;
        event.preventDefault();
        field.focus();
      } else if (event.key === 'ArrowDown' && document.activeElement === document.body && firstRow !== undefined) {
        event.preventDefault();
        focusRow(frame.current, firstRow);
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [frame, firstRow]);
}

function handlesOwnKeys(target: Element): boolean {
  const types = 'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=combobox]';
  return target.matches?.(types) || findVisible('[role=dialog], [role=menu], [role=listbox]') !== undefined;
}
