import type { Definition, Field } from '#domain/definition/grammar.ts';

/** The field by which accounts are switched off and on. */
const SWITCH = { module: 'adminUser', field: 'status' } as const;

/** Whether a field of a module switches its rows off and on, whatever is published over it. Rule: rights#accounts. */
export const isSwitch = ({ module }: Pick<Definition, 'module'>, field: string): boolean =>
  module === SWITCH.module && field === SWITCH.field;

/** The rows of a form; what switches its rows stands there also where a publish has left it out. */
export function formRows({ module, fields, form = [] }: Definition): string[][] {
  const left = Object.keys(fields).filter((it) => isSwitch({ module }, it) && !form.flat().includes(it));
  return left.length > 0 && form.length > 0 ? [...form, left] : form;
}

/** A field of a form without the rules that could keep its rows from being switched. */
export const asRuled = (definition: Definition, name: string, field: Field): Field => {
  if (!isSwitch(definition, name)) return field;
  const { type, label, options, required, default: first } = field;
  return {
    ...{ type, label },
    ...(options !== undefined && { options }),
    ...(required && { required }),
    ...(first !== undefined && { default: first }),
  };
};
