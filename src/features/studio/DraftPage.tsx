import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import { Link, useNavigate } from 'react-router-dom';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import { mayDo } from '#domain/rights.ts';
import { MENU } from '#domain/definition/overlay.ts';
import { DraftStatus } from '#domain/enums.ts';
import { groupedCount, listed } from '#app/fields/format.ts';
import { useReasonOf } from '#app/notify.ts';
import { DetailLayout, Section } from '#app/parts/DetailLayout.tsx';
import { EmptyState } from '#app/parts/EmptyState.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { PageHead } from '#app/parts/PageHead.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { readAnew } from '#app/queryClient.ts';
import { useLanguage, useUser } from '#app/session.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { monospace } from '#app/theme.ts';
import type { DataOf } from '#domain/call.ts';
import { Changes } from './Changes.tsx';
import { ContentsChoice, useSavePart, WithdrawAnswer } from './ContentsChoice.tsx';
import { checkDraft, readDraft, readPublishing } from './contract.ts';
import { LeftOutNote } from './LeftOut.tsx';
import { ProblemList } from './ProblemList.tsx';
import { PublishingNote } from './PublishingProgress.tsx';
import { PublishModal } from './PublishModal.tsx';
import { pathOfHeld } from './rules.contents.ts';
import { groupUses, type UseGroup } from './rules.uses.ts';
import { useIsSaving } from './useDraftChange.ts';
import { isRunning, useLastPublishing } from './usePublishing.ts';
import { useWording, type ToldPart } from './useWording.ts';

type Checked = DataOf<typeof checkDraft>;
type Draft = DataOf<typeof readDraft>;

interface VerdictProps {
  draft: Draft;
  checked: Checked;
}

/** A draft before it is published: what it changes, what is wrong, what it would do, and whom it meets. Rule: definitions#drafts. */
export default function DraftPage({ menuNo, id = '' }: PageProps) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const client = useQueryClient();
  const navigate = useNavigate();
  const say = (key: string, args?: object) => translate(`studio.draft.${key}`, args);
  const [isPublishing, setPublishing] = useState(false);
  const input = { id: Number(id) };
  const { data: draft, error, isFetching, refetch } = useLookup(readDraft, input, { staleTime: 0 });
  const isOpen = draft?.status === DraftStatus.Open;
  const { last } = useLastPublishing(readPublishing, input.id);
  // While it is published, what it would do is half done.
  const isWaiting = isOpen && !isRunning(last);
  const check = useLookup(checkDraft, input, { enabled: isWaiting, staleTime: 0 });
  // Of the draft as it stands now: what was refused before it was changed again says nothing of it any more.
  const refused = isOpen && last?.state === 'failed' && last.version === draft.version ? last.msg : '';
  const rights = new Set(useUser()?.access);
  useTabName(draft?.name);
  const failure = error ?? check.error;
  const isCurrent = !useIsSaving() && !isFetching && !check.isFetching;
  // What was found before it was published, or while it changed something, says nothing of it any more.
  const checked = isWaiting && draft.parts.length > 0 ? check.data : undefined;
  const isReady = isCurrent && checked?.problems.length === 0;
  return (
    <DetailLayout
      isReading={!draft && !failure}
      head={
        <PageHead
          menuNo={menuNo}
          isReading={!draft && !failure}
          status={draft && { label: say(isOpen ? 'open' : 'published'), tone: isOpen ? 'waits' : 'done' }}
          actions={[
            ...(mayDo(rights, 'sysDraft:publish') && isWaiting
              ? [
                  {
                    ...{ label: say('publish'), tone: 'primary' as const, disabled: !isReady },
                    onPress: () => setPublishing(true),
                  },
                ]
              : []),
          ]}
        />
      }
    >
      {failure && <Alert severity="error">{reasonOf(failure)}</Alert>}
      <PublishingNote kind="publish" publishing={last} onOver={() => void refetch()} />
      {draft && !isOpen && !isPublishing && <LeftOutNote kind="publish" publishing={last} />}
      {refused && (
        <Alert severity="error" role="status">
          {say('refused', { msg: refused })}
        </Alert>
      )}
      {draft && (
        <>
          {draft.publishId !== null && (
            <MuiLink component={Link} to={`/sysPublishList/detail/${draft.publishId}`}>
              {say('publishedAs', { id: draft.publishId })}
            </MuiLink>
          )}
          {checked && <Verdict draft={draft} checked={checked} />}
          {checked && <Answered draft={draft} checked={checked} />}
          {isOpen && (
            <Section title={say('changes')}>
              {draft.parts.length === 0 && <EmptyState isSmall text={say('empty')} more={say('emptyHint')} />}
              {draft.parts.map((it) => (
                <Changes key={it.module} part={it as ToldPart} names={draft.names} />
              ))}
            </Section>
          )}
          {checked?.problems.length === 0 && <Plan draft={draft} checked={checked} />}
        </>
      )}
      {isPublishing && draft && (
        <PublishModal
          id={draft.id}
          version={draft.version}
          onClose={() => setPublishing(false)}
          onDone={(published) => {
            setPublishing(false);
            void refetch();
            void readAnew(client, { queryKey: ['sysDraftList'] });
            void navigate(`/sysPublishList/detail/${published}`);
          }}
        />
      )}
    </DetailLayout>
  );
}

/** Whether it can be published, else what is in the way, and what is told besides; each at its place. */
function Verdict({ draft, checked }: VerdictProps) {
  const translate = useTranslate();
  const say = (key: string, args?: object) => translate(`studio.draft.${key}`, args);
  const { problems, warnings } = checked;
  const all = (told: Checked['problems']) => (
    <ProblemList
      problems={told}
      placeOf={(it) => <Place draft={draft} {...it} />}
      actionOf={(it) => <Answering draft={draft} checked={checked} {...it} />}
    />
  );
  return (
    <>
      {problems.length === 0 && warnings.length === 0 && (
        <Alert severity="success" role="status">
          {say('fine')}
        </Alert>
      )}
      {problems.length > 0 && (
        <Alert severity="error" role="status">
          {say('problems', { smart_count: problems.length })}
          {all(problems)}
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert severity="warning" role="status">
          {say(problems.length > 0 ? 'warningsToo' : 'warnings', { smart_count: warnings.length })}
          {all(warnings)}
        </Alert>
      )}
    </>
  );
}

/** Of a problem about what is still there: what can be chosen right here. */
function Answering({ draft, checked, module, path, rule }: VerdictProps & Checked['problems'][number]) {
  const { save, isSaving } = useSavePart(draft.id);
  const rights = new Set(useUser()?.access);
  const part = draft.parts.find((it) => it.module === module);
  const held = checked.contents.find((it) => it.module === module && pathOfHeld(it) === path);
  if (!part || !mayDo(rights, 'sysModule:configure')) return null;
  const { change, before } = part as unknown as ToldPart;
  const onChange = (to: ToldPart['change']) => save(part, to);
  if (rule === 'contentsNotNew') {
    const [, field] = path.split('.');
    return <WithdrawAnswer {...(field !== undefined && { field })} {...{ change, onChange }} isBusy={isSaving} />;
  }
  if (!held) return null;
  return <ContentsChoice {...{ held, change, onChange }} current={before.definition} isBusy={isSaving} />;
}

/** What was chosen of what is still there, as long as it can be chosen otherwise. */
function Answered({ draft, checked }: VerdictProps) {
  const translate = useTranslate();
  const isAsked = (it: Checked['contents'][number]) =>
    checked.problems.some(({ module, path }) => module === it.module && path === pathOfHeld(it));
  const answered = checked.contents.filter((it) => !isAsked(it));
  if (answered.length === 0) return null;
  return (
    <Section title={translate('studio.contents.title')}>
      <Box component="ul" sx={listSx}>
        {answered.map((it) => (
          <li key={`${it.module} ${it.field}`}>
            <HeldSentence draft={draft} {...it} />
            <Answering draft={draft} checked={checked} kind="" name="" module={it.module} path={pathOfHeld(it)} />
          </li>
        ))}
      </Box>
    </Section>
  );
}

function HeldSentence({ draft, module, field, table, count }: { draft: Draft } & Checked['contents'][number]) {
  const translate = useTranslate();
  const { name, sayField } = usePart(draft, module);
  const told = field === undefined ? name : `${name} · ${sayField(field)}`;
  const key = count === undefined ? 'some' : field === undefined ? 'table' : 'column';
  const args = { name: told, table, smart_count: count ?? 1, rows: groupedCount(count ?? 0) };
  return <>{translate(`studio.contents.${key}`, args)}</>;
}

/** What the database does, which rows are met, what uses the fields. */
function Plan({ draft, checked }: VerdictProps) {
  const translate = useTranslate();
  const say = (key: string, args?: object) => translate(`studio.draft.${key}`, args);
  const { statements, broken, uses } = checked;
  return (
    <>
      <Section title={say('plan')}>
        {statements.length === 0 ? (
          <Box sx={noteSx}>{say('noStatements')}</Box>
        ) : (
          <Box component="ol" sx={listSx}>
            {statements.map((it) => (
              <li key={it.sql}>
                <Box
                  component="pre"
                  sx={{ m: 0, fontFamily: monospace, fontSize: 12, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
                >
                  {it.sql}
                </Box>
                <Box sx={noteSx}>
                  {say(`${it.beside ? 'beside' : 'inside'}${it.rows === null ? 'Unseen' : ''}`, {
                    rows: groupedCount(it.rows ?? 0),
                  })}
                </Box>
              </li>
            ))}
          </Box>
        )}
      </Section>
      {broken.length > 0 && (
        <Section title={say('broken')}>
          <Box component="ul" sx={listSx}>
            {broken.map((it) => (
              <BrokenRows key={`${it.module} ${it.field} ${it.rule}`} draft={draft} {...it} />
            ))}
          </Box>
        </Section>
      )}
      {uses.length > 0 && (
        <Section title={say('uses')}>
          <Box component="ul" sx={listSx}>
            {groupUses(uses).map((it) => (
              <Uses key={`${it.module} ${it.field} ${it.kind}`} draft={draft} {...it} />
            ))}
          </Box>
        </Section>
      )}
    </>
  );
}

/** The words of the part that changes a module; of a module that no part changes, its name. */
function usePart({ parts, names }: Draft, module: string) {
  const none = { module, change: {}, before: { definition: null, options: {}, menu: [], rights: {} } };
  return useWording((parts.find((it) => it.module === module) as ToldPart | undefined) ?? none, names);
}

/** Where something is wrong, as the editor calls it. */
function Place({ draft, module, path }: { draft: Draft } & Checked['problems'][number]) {
  const { name, sayPlace } = usePart(draft, module);
  const within = module === MENU ? `menu.${path}` : path;
  return path === '' ? name : `${name} · ${sayPlace(within, false)}`;
}

function BrokenRows({ draft, module, field, rule, count, ids }: { draft: Draft } & Checked['broken'][number]) {
  const translate = useTranslate();
  const { name, sayField } = usePart(draft, module);
  const args = {
    ...{ smart_count: count, rows: groupedCount(count), field: `${name} · ${sayField(field)}` },
    rule: translate(`studio.field.${rule}`),
  };
  const isEmptied = rule === 'visibleWhen';
  return (
    <li>
      {translate(`studio.draft.${isEmptied ? 'emptiedRows' : 'brokenRows'}`, args)} <Rows module={module} ids={ids} />
    </li>
  );
}

/** What people have called themselves stands between quotes. */
const quotedKinds: ReadonlySet<string> = new Set(['button', 'queue', 'view', 'report', 'chart']);

/** All that uses a field in one way, in one sentence: a site is referred to by some fifty lists. */
function Uses({ draft, module, field, kind, names }: { draft: Draft } & UseGroup) {
  const translate = useTranslate();
  const lang = useLanguage();
  const told = usePart(draft, module);
  const quote = (name: string) => (quotedKinds.has(kind) ? translate('studio.draft.quoted', { name }) : name);
  const all = [...new Set(names.map((it) => quote(it[lang])))];
  const args = { field: `${told.name} · ${told.sayField(field)}`, name: listed(all) };
  return <li>{translate(`studio.draft.usedBy.${kind}`, args)}</li>;
}

/** The first of the rows as a list, where they can be mended and exported. */
function Rows({ module, ids }: { module: string; ids: readonly number[] }) {
  const translate = useTranslate();
  const group = {
    connector: 'AND',
    rules: [{ connector: 'AND', column: 'id', relation: 'IN', value: ids.join() }],
    groups: [],
  };
  const filter = encodeURIComponent(JSON.stringify({ advanced: JSON.stringify(group) }));
  return (
    <MuiLink component={Link} to={`/${module}List?filter=${filter}`}>
      {translate('studio.draft.showRows', { ids: listed(ids.slice(0, 5).map(String)) })}
    </MuiLink>
  );
}

const noteSx = { fontSize: 13, color: 'text.secondary' } as const;
const listSx = { m: 0, pl: 5, fontSize: 13, display: 'flex', flexDirection: 'column', gap: 2 } as const;
