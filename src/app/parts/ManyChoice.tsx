import { loadTypedChoice } from '#app/parts/Choice.tsx';
import type { ChoiceProps } from '#app/parts/choiceProps.ts';
import { TypedChoice } from '#app/parts/TypedChoice.tsx';

interface Props extends Omit<ChoiceProps, 'value' | 'onChange'> {
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** The field's name in a form that leads from one field to the next. */
  name?: string;
}

// What has this part has the one that it is made of: a choice beside it has nothing to wait for.
void loadTypedChoice();

/** Some of several, each a chip by its name that can be taken off; typing narrows the rest down. */
export const ManyChoice = (props: Props) => <TypedChoice hasRoom {...props} many />;
