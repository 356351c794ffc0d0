import { useMemo, useState } from 'react';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import type { Definition, MenuNode, OptionLists } from '#domain/definition/grammar.ts';
import { offeredOptions } from '#domain/definition/options.ts';
import { layOptionsOver } from '#domain/definition/overlay.ts';
import { useLanguage } from '#app/session.ts';
import { ButtonsEditor } from './ButtonsEditor.tsx';
import { ContentsChoice } from './ContentsChoice.tsx';
import { EditorFrame, type EditorChoice } from './EditorFrame.tsx';
import { FieldsEditor } from './FieldsEditor.tsx';
import { FormRows } from './FormRows.tsx';
import { Indexes } from './Indexes.tsx';
import { LinesEditor } from './LinesEditor.tsx';
import { ListEditor } from './ListEditor.tsx';
import { OptionsEditor } from './OptionsEditor.tsx';
import { OrderedNames } from './OrderedNames.tsx';
import { PreviewFrame } from './PreviewFrame.tsx';
import { RightsEditor } from './RightsEditor.tsx';
import { alterPart } from './rules.ts';
import { laidOver, sayList, type Editing } from './rules.editing.ts';
import { useDraftPart, type GivenPart } from './useDraftPart.ts';
import { useProblemSentence } from './useProblemSentence.ts';
import { WordsField } from './WordsField.tsx';

interface EditorProps extends GivenPart, EditorChoice {
  menuNo: string;
}

const sections = ['fields', 'options', 'list', 'search', 'form', 'detail', 'buttons', 'names', 'rights'] as const;
type SectionName = (typeof sections)[number];

/** The parts of a module to be changed, beside the module as it will be. Rule: definitions#drafts. */
export function Editor({ menuNo, model, draftId, part, place, ...choice }: EditorProps) {
  const translate = useTranslate();
  const lang = useLanguage();
  const say = (key: string, args?: object) => translate(`studio.configure.${key}`, args);
  const [section, setSection] = useState<SectionName>(place?.at === 'list' ? 'list' : 'fields');
  const current = model.current as Definition | null;
  const shipped = model.shipped as Definition | null;
  const label = (current ?? shipped)?.label[lang] ?? model.module;
  const editing = useDraftPart({ model, draftId, part }, label);
  const { change, edit, found, contents } = editing;
  const laid = useMemo(() => laidOver(current, change), [current, change]);
  const options = model.options as OptionLists;
  const lists = useMemo(() => layOptionsOver(options, change), [options, change]);
  const sentenceOf = useProblemSentence();
  if (!laid) return null;

  const at: Editing = {
    shipped: new Map(Object.entries(shipped?.fields ?? {})),
    published: new Set(Object.keys(current?.fields ?? {})),
    fields: laid.fields,
    optionLists: Object.entries(lists).map(([it, values]) => ({ value: it, label: sayList(it, values, lang) })),
    optionsOf: (list) => offeredOptions(lists, list).map((it) => ({ value: it.value, label: it.label[lang] })),
    modules: model.modules,
  };
  const names = Object.keys(laid.fields);
  const newLists = Object.keys(change.options ?? {}).filter((it) => !Object.hasOwn(options, it));
  const labelOf = (name: string) => (laid.fields[name]?.label ?? model.standard[name])?.[lang] ?? name;
  const here = (path: string) => found.filter((it) => it.path === path || it.path.startsWith(`${path}.`));
  const ofSection: Record<SectionName, string[]> = {
    ...{
      fields: ['fields'],
      options: ['options'],
      list: ['list'],
      search: ['search'],
      form: ['form'],
      detail: ['detail', 'lines'],
    },
    ...{ buttons: ['buttons', 'buttonOrder'], names: ['label', 'one', 'table'], rights: ['rights'] },
  };
  const needed = new Set((shipped?.form ?? []).flat().filter((it) => shipped?.fields[it]?.required));
  const indexes = <Indexes {...{ laid, current, change, labelOf }} rowCount={model.rowCount} onChange={edit} />;
  return (
    <EditorFrame
      {...choice}
      menuNo={menuNo}
      editing={editing}
      preview={
        <PreviewFrame
          menuNo={`${model.module}List`}
          draftId={editing.draftId}
          isForm={section === 'form'}
          checkedAt={editing.checkedAt}
          isChecked={editing.isChecked}
          isBroken={found.length > 0}
          canAdd={laid.buttons?.some((it) => it.script === 'create') === true}
        />
      }
    >
      <Tabs
        value={section}
        variant="scrollable"
        allowScrollButtonsMobile
        onChange={(_, to: SectionName) => setSection(to)}
        sx={{ minHeight: 36, mb: 3, borderBottom: 1, borderColor: 'divider' }}
      >
        {sections.map((it) => {
          const count = ofSection[it].flatMap(here).length;
          return (
            <Tab
              key={it}
              value={it}
              label={count > 0 ? `${say(it)} (${count})` : say(it)}
              sx={{ minHeight: 36, minWidth: 0, px: 2, ...(count > 0 && { color: 'error.main' }) }}
            />
          );
        })}
      </Tabs>
      <Box role="tabpanel" aria-label={say(section)}>
        {section !== 'fields' &&
          ofSection[section].flatMap(here).map((it) => (
            <Alert key={it.path + it.kind + it.name} severity="error" sx={{ py: 0, mb: 2 }}>
              {sentenceOf(it)}
            </Alert>
          ))}
        {section === 'fields' && (
          <FieldsEditor
            opened={place?.at === 'fields' ? place.name : undefined}
            isAdding={place?.at === 'newField'}
            editing={at}
            columns={model.columns}
            laid={laid}
            current={current}
            change={change}
            contents={contents}
            problems={here('fields').map((it) => ({ path: it.path, text: sentenceOf(it) }))}
            onChange={edit}
          />
        )}
        {section === 'options' && (
          <OptionsEditor
            names={[...new Set([...Object.values(laid.fields).flatMap((it) => it.options ?? []), ...newLists])]}
            published={options}
            laid={lists}
            othersWith={(list) =>
              (model.optionUses[list] ?? [])
                .filter((it) => it !== model.module)
                .map((it) => model.modules.find(({ module }) => module === it)?.label[lang] ?? it)
            }
            change={change}
            onChange={edit}
          />
        )}
        {section === 'list' && (
          <>
            <ListEditor
              focused={place?.at === 'list' ? place.name : undefined}
              {...{ laid, current, change, labelOf }}
              onChange={edit}
            />
            {indexes}
          </>
        )}
        {section === 'search' && (
          <>
            <OrderedNames
              label={say('search')}
              names={laid.search ?? []}
              offered={names.filter((it) => laid.fields[it]?.type !== 'List' && !laid.fields[it]?.computed)}
              labelOf={labelOf}
              onChange={(to) => edit(alterPart(change, current, 'search', to))}
            />
            {indexes}
          </>
        )}
        {section === 'form' && (
          <FormRows
            label={say('form')}
            rows={laid.form ?? []}
            offered={names.filter((it) => !laid.fields[it]?.readOnly || laid.fields[it].computed)}
            fixed={needed}
            labelOf={labelOf}
            onChange={(to) => edit(alterPart(change, current, 'form', to))}
          />
        )}
        {section === 'detail' && (
          <>
            <OrderedNames
              label={say('detail')}
              names={laid.detail ?? laid.list?.columns ?? names}
              offered={names}
              labelOf={labelOf}
              onChange={(to) => edit(alterPart(change, current, 'detail', to))}
            />
            <LinesEditor laid={laid} change={change} modules={model.modules} onChange={edit} />
          </>
        )}
        {section === 'buttons' && (
          <ButtonsEditor
            laid={laid}
            current={current}
            shipped={shipped}
            change={change}
            scripts={model.scripts}
            optionsOf={at.optionsOf}
            onChange={edit}
          />
        )}
        {section === 'names' && (
          <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4 }}>
            {contents
              .filter((it) => it.field === undefined)
              .map((held) => (
                <ContentsChoice key={held.table} {...{ held, change, current }} onChange={edit} />
              ))}
            <WordsField
              label={say('listName')}
              value={laid.label}
              problem={here('label').map(sentenceOf)[0]}
              onChange={(to) => edit(alterPart(change, current, 'label', to))}
            />
            <WordsField
              label={say('oneName')}
              value={laid.one ?? laid.label}
              problem={here('one').map(sentenceOf)[0]}
              onChange={(to) => edit(alterPart(change, current, 'one', to))}
            />
          </Box>
        )}
        {section === 'rights' && (
          <RightsEditor
            laid={laid}
            roles={model.roles}
            menu={model.menu as MenuNode[]}
            change={change}
            onChange={edit}
          />
        )}
      </Box>
    </EditorFrame>
  );
}
