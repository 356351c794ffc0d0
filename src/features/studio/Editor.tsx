import { useMemo, useRef, useState, type ReactNode } from 'react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import type { DataOf } from '#domain/call.ts';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition, OptionLists } from '#domain/definition/grammar.ts';
import { offeredOptions } from '#domain/definition/options.ts';
import { layOptionsOver, validateChange } from '#domain/definition/overlay.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { PageHead } from '#app/parts/PageHead.tsx';
import { send, sendTo } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';
import { checkDraft, openDrafts, type readModule } from './contract.ts';
import { ButtonsEditor } from './ButtonsEditor.tsx';
import { FieldsEditor } from './FieldsEditor.tsx';
import { FormRows } from './FormRows.tsx';
import { ListEditor } from './ListEditor.tsx';
import { OptionsEditor } from './OptionsEditor.tsx';
import { OrderedNames } from './OrderedNames.tsx';
import { PreviewFrame } from './PreviewFrame.tsx';
import { RightsEditor } from './RightsEditor.tsx';
import { alterPart } from './rules.ts';
import { laidOver, sayList, type Editing } from './rules.editing.ts';
import { useDraftChange } from './useDraftChange.ts';
import { useProblemSentence } from './useProblemSentence.ts';
import { WordsField } from './WordsField.tsx';

type Model = DataOf<typeof readModule>;

interface EditorProps {
  menuNo: string;
  model: Model;
  /** 0 where the first change makes one. */
  draftId: number;
  drafts: readonly { id: number; name: string }[];
  part: { version: number; change: Record<string, unknown> } | undefined;
  /** Which module of the draft, where there is a choice. */
  chooser?: ReactNode;
  /** Another draft is chosen; left out where the address says which. */
  onDraft?: (id: number) => void;
}

const sections = ['fields', 'options', 'list', 'search', 'form', 'detail', 'buttons', 'names', 'rights'] as const;
type SectionName = (typeof sections)[number];

/** The parts of a module to be changed, beside the module as it will be. Rule: definitions#drafts. */
export function Editor({ menuNo, model, draftId, drafts, part, chooser, onDraft }: EditorProps) {
  const translate = useTranslate();
  const lang = useLanguage();
  const client = useQueryClient();
  const say = (key: string, args?: object) => translate(`studio.configure.${key}`, args);
  const [section, setSection] = useState<SectionName>('fields');
  const made = useRef(draftId);
  const current = model.current as Definition | null;
  const shipped = model.shipped as Definition | null;
  const label = (current ?? shipped)?.label[lang] ?? model.module;
  const editing = useDraftChange({
    module: model.module,
    version: part?.version ?? 0,
    change: part?.change ?? {},
    draftId: async () => {
      if (made.current > 0) return made.current;
      const { id } = await sendTo<{ id: number }>(
        { method: 'POST', path: '/api/sysDraft/create.json', writes: true },
        { name: say('draftName', { label }) },
      );
      made.current = id;
      void client.invalidateQueries({ queryKey: [openDrafts.path] });
      return id;
    },
  });
  const { change, edit } = editing;
  const laid = useMemo(() => laidOver(current, change), [current, change]);
  const options = model.options as OptionLists;
  const lists = useMemo(() => layOptionsOver(options, change), [options, change]);
  const found = useProblems(model, change, made.current, editing.saved);
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
      detail: ['detail'],
    },
    ...{ buttons: ['buttons', 'buttonOrder'], names: ['label', 'one'], rights: ['rights'] },
  };
  const needed = new Set((shipped?.form ?? []).flat().filter((it) => shipped?.fields[it]?.required));
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100%', p: 4, pt: 3, gap: 3 }}>
      <PageHead menuNo={menuNo} status={{ label: statusOf(editing, change, say) }}>
        {chooser}
        {onDraft && (
          <Choice
            place="inside"
            label={say('draft')}
            value={made.current > 0 ? String(made.current) : ''}
            none={say('newDraft')}
            required
            options={drafts.map((it) => ({ value: String(it.id), label: it.name }))}
            onChange={(it) => onDraft(Number(it))}
          />
        )}
        {made.current > 0 && (
          <Button component={Link} to={`/sysDraftList/detail/${made.current}`} variant="contained">
            {say('review')}
          </Button>
        )}
      </PageHead>
      {editing.problem && (
        <Alert severity="error" role="alert">
          {editing.problem}
        </Alert>
      )}
      {editing.conflict && (
        <Alert
          severity="warning"
          role="alert"
          action={
            <>
              <Button onClick={() => editing.settle('theirs')}>{say('theirs')}</Button>
              <Button onClick={() => editing.settle('mine')}>{say('mine')}</Button>
            </>
          }
        >
          {say('conflict', { user: editing.conflict.updateBy })}
        </Alert>
      )}
      <Box
        sx={{
          flex: 1,
          display: 'grid',
          gap: 4,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(380px, 2fr) minmax(0, 3fr)' },
        }}
      >
        <Box sx={{ minWidth: 0 }}>
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
                editing={at}
                laid={laid}
                current={current}
                change={change}
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
              <ListEditor laid={laid} current={current} change={change} labelOf={labelOf} onChange={edit} />
            )}
            {section === 'search' && (
              <OrderedNames
                label={say('search')}
                names={laid.search ?? []}
                offered={names.filter((it) => laid.fields[it]?.type !== 'List')}
                labelOf={labelOf}
                onChange={(to) => edit(alterPart(change, current, 'search', to))}
              />
            )}
            {section === 'form' && (
              <FormRows
                label={say('form')}
                rows={laid.form ?? []}
                offered={names.filter((it) => !laid.fields[it]?.readOnly)}
                fixed={needed}
                labelOf={labelOf}
                onChange={(to) => edit(alterPart(change, current, 'form', to))}
              />
            )}
            {section === 'detail' && (
              <OrderedNames
                label={say('detail')}
                names={laid.detail ?? laid.list?.columns ?? names}
                offered={names}
                labelOf={labelOf}
                onChange={(to) => edit(alterPart(change, current, 'detail', to))}
              />
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
            {section === 'rights' && <RightsEditor laid={laid} roles={model.roles} change={change} onChange={edit} />}
          </Box>
        </Box>
        <PreviewFrame
          menuNo={`${model.module}List`}
          draftId={made.current}
          isForm={section === 'form'}
          saved={editing.saved}
          isBroken={found.length > 0}
          canAdd={laid.buttons?.some((it) => it.script === 'create') === true}
        />
      </Box>
    </Box>
  );
}

function statusOf(
  { isSaving, saved }: { isSaving: boolean; saved: number },
  change: DefinitionChange,
  say: (key: string) => string,
): string {
  if (isSaving) return say('saving');
  if (Object.keys(change).length === 0) return say('unchanged');
  return say(saved > 0 ? 'saved' : 'changed');
}

/** What is wrong: at once what the change alone shows, and of the whole what the server finds once it is saved. */
function useProblems(model: Model, change: DefinitionChange, draftId: number, saved: number) {
  const { module } = model;
  const own = useMemo(() => {
    if (Object.keys(change).length === 0) return [];
    const standing = {
      current: (model.current ?? undefined) as Definition | undefined,
      shipped: (model.shipped ?? undefined) as Definition | undefined,
    };
    return validateChange(standing, model.module, change).map(({ where, path = '', name = '', ...it }) => ({
      ...it,
      ...{ module: where, path, name },
    }));
  }, [change, model]);
  const lang = useLanguage();
  // Asked anew each time that something was saved.
  const { data } = useQuery({
    queryKey: [checkDraft.path, draftId, saved, lang],
    queryFn: () => send(checkDraft, { id: draftId }),
    enabled: draftId > 0,
    placeholderData: keepPreviousData,
  });
  return own.length > 0 ? own : (data?.problems ?? []).filter((it) => it.module === module);
}
