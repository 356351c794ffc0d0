import type { Fact } from '#app/parts/Facts.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';

interface Part {
  componentType: string;
  componentSn: string;
}

/** The parts of a device as facts; where there are several of a kind they are numbered. */
export function usePartFacts(): (parts: readonly Part[]) => Fact[] {
  const labelOf = useLabelOf();
  return (parts) =>
    parts.map(({ componentType, componentSn }, i) => {
      const alike = (it: Part) => it.componentType === componentType;
      const number = parts.slice(0, i + 1).filter(alike).length;
      const label = labelOf('componentTypes', componentType);
      return {
        label: parts.filter(alike).length > 1 ? `${label} ${number}` : label,
        value: componentSn,
        code: true,
      };
    });
}
