import type { Ref } from 'react';

export interface Option {
  value: string;
  label: string;
}

/** The field whose choices the server finds by what is typed. */
export interface Asked {
  module: string;
  field: string;
  /** What another field holds that narrows them down. */
  within?: string;
  /** Also what is offered no more: to search by. */
  all?: true;
}

/** Above the field; inside the box, where fields make a line; or for a screen reader alone, where a heading says it. */
export type LabelPlace = 'above' | 'inside' | 'unseen';

export interface ChoiceProps {
  label: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
  /** There are more than these: what is typed is looked for by the server. */
  asked?: Asked | undefined;
  /** What it means that none is chosen; with it, what is chosen can be taken back. */
  none?: string;
  required?: boolean | undefined;
  disabled?: boolean | undefined;
  error?: string | undefined;
  /** The options are not here yet, or did not come. */
  state?: 'loading' | 'failed' | undefined;
  place?: LabelPlace;
  minWidth?: number;
  /** What stands below it while nothing is wrong. */
  hint?: string;
  /** Keeps the room of a message below, where other fields of the row have it. */
  hasRoom?: boolean;
  /** After a choice the next thing is a scan, not the next field. */
  thenScan?: boolean;
  /** It is what the page is opened for. */
  autoFocus?: boolean | undefined;
  inputRef?: Ref<HTMLInputElement> | undefined;
  onBlur?: (() => void) | undefined;
}
