import type { WireOption } from '#app/engine/wire.ts';
import type { Option } from '#app/parts/choiceProps.ts';

/** The choices of the wire, as a Choice has them. */
export const toOptions = (options: readonly WireOption[] = []): Option[] =>
  options.map((it) => ({ value: it.value, label: it.optionName }));
