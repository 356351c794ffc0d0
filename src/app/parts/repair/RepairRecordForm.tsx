import { type KeyboardEvent, useEffect, useRef } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { Panel } from '#app/parts/Facts.tsx';
import type { ChosenCode } from '#app/parts/IssueCodeEntry.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import { PictureUpload } from '#app/parts/PictureUpload.tsx';
import { QuickChoice } from '#app/parts/QuickChoice.tsx';
import { isEnter } from '#app/parts/enter.ts';
import { snInput } from '#app/parts/scan/labels.ts';
import { SECOND_ENTER } from '#app/parts/scan/rhythm.ts';
import { useShowError } from '#app/parts/scan/stationLine.ts';
import { findVisible } from '#app/parts/visibleElements.ts';
import type { DraftChange } from '#app/parts/useDraft.ts';
import { useFocusWhenQuiet } from '#app/parts/useFocusWhenQuiet.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { imageLimits } from '#domain/images.ts';
import type { Problem } from '#domain/refusal.ts';
import {
  isCountedBySlots,
  needsReplaceSn,
  NO_SLOT_TYPE,
  validateRecord,
  validateSlots,
  spendCountOf,
} from '#domain/repairRecord.ts';
import { CodesField } from './CodesField.tsx';
import { SlotField } from './SlotField.tsx';

export interface RepairRow {
  sn: string;
  partsType: string;
  partsTypeName: string;
  repairMethod: string;
  repairMethodName: string;
  codes: readonly ChosenCode[];
  repairMarking: string;
  slot: string;
  spendItemDescription: string;
  spendItemCount: number | null;
  urls: readonly string[];
  replaceSn: string;
}

interface Named {
  value: string;
  name: string;
}

interface Props {
  partsTypes: readonly Named[];
  methods: readonly Named[];
  /** The codes of the step, and what the tests found. */
  choices: readonly ChosenCode[];
  /** The parts that are bound to the device. */
  components: readonly { componentType: string; componentSn: string }[];
  /** The bill of material of the model, which slots are chosen from. */
  bomId: string | null;
  row: RepairRow;
  /** What is wrong with the record as it stands. */
  problems: readonly Problem[];
  /** What of it was told, until something changes. */
  shownProblems: readonly Problem[];
  /** Changes each time something else than a hand has filled the record in; left out where the next thing is a scan. */
  filled?: unknown;
  /** Changes the record as it is by then. */
  onChange: (change: (now: RepairRow) => RepairRow) => void;
  /** The record is meant to be whole. */
  onAdd: () => void;
  onSubmit: () => void;
  /** Takes what a slow scanner typed as a slot; gives whether it is none. */
  onScanned: (text: string) => boolean;
  onOpen: (why: string) => void;
  /** At a customer: each record names its part, has slots, so many pictures, and no part that takes another's place. */
  asOnSite?: { pictures: number; countOf: (row: RepairRow) => number };
}

export const emptyRow: RepairRow = {
  sn: '',
  partsType: '',
  partsTypeName: '',
  repairMethod: '',
  repairMethodName: '',
  codes: [],
  repairMarking: '',
  slot: '',
  spendItemDescription: '',
  spendItemCount: 1,
  urls: [],
  replaceSn: '',
};

/** What is wrong with the record; `slots` is null where no bill of material is known. */
export function validateRow(row: RepairRow, slots: ReadonlySet<string> | null): Problem[] {
  const elsewhere = validateSlots(row, 0, slots).map((it) => ({ ...it, field: 'slot' }));
  return [...validateRecord({ ...row, issueCodes: row.codes, repairUrls: row.urls }), ...elsewhere.slice(0, 1)];
}

const findField = (name: string) => findVisible<HTMLInputElement>(`[data-field="${name}"]`);

/** Leads to the first field of these that is wrong. */
export const focusOn = (problems: readonly Problem[]): void => findField(problems[0]?.field ?? '')?.focus();

/**
 * One row of a repair: which board, how, for which codes, at which slots. Enter leads to what is still missing, and
 * adds the record when nothing is. Rule: repairing#records.
 */
export function RepairRecordForm(props: Props) {
  const { partsTypes, methods, choices, components, bomId, row, problems, shownProblems, filled } = props;
  const { onChange, onAdd, onSubmit, onScanned, onOpen, asOnSite } = props;
  const translate = useTranslate();
  const showError = useShowError();
  const { byField } = useProblemWords();
  const messages = byField(shownProblems);
  const count = asOnSite ? asOnSite.countOf(row) : spendCountOf(row);
  const goesOn = useRef(false);
  const addedAt = useRef(-Infinity);
  const change = (part: DraftChange<RepairRow>) =>
    onChange((now) => ({ ...now, ...(typeof part === 'function' ? part(now) : part) }));

  const goOn = () => {
    const [first] = problems;
    const isHere = first !== undefined && findField(first.field ?? '') === document.activeElement;
    if (first && !isHere) return focusOn(problems);
    if (!first) addedAt.current = performance.now();
    onAdd();
  };
  const choose = (part: Partial<RepairRow>) => {
    goesOn.current = true;
    change(part);
  };
  // What was chosen is in the record by then.
  useEffect(() => {
    if (!goesOn.current) return;
    goesOn.current = false;
    if (problems.length > 0) focusOn(problems);
  });
  useFocusWhenQuiet(() => (filled === undefined ? undefined : findField(problems[0]?.field ?? '')), filled);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target } = event;
    if (!isEnter(event) || event.defaultPrevented || !(target instanceof HTMLInputElement)) return;
    event.preventDefault();
    // A scanner that ends its code with two Enters means the record once.
    if (performance.now() - addedAt.current < SECOND_ENTER) return;
    if (target.dataset['field'] === 'slot' && onScanned(row.slot)) return change({ slot: '' });
    goOn();
  };
  // Before a list that is open takes it for a choice.
  const onChord = (event: KeyboardEvent<HTMLElement>) => {
    if (!isEnter(event) || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    onSubmit();
  };
  const field = (name: 'sn' | 'replaceSn' | 'repairMarking' | 'spendItemDescription', required = false) => ({
    label: translate(`stations.repair.${name}`),
    value: row[name],
    required,
    error: messages[name] !== undefined,
    helperText: messages[name] ?? ' ',
    onChange: (it: { target: { value: string } }) => change({ [name]: it.target.value }),
  });
  const scanned = (name: string, list?: string) => ({
    htmlInput: { ...snInput, 'data-scan': 'part', 'data-field': name, autoComplete: 'off', list },
  });
  const isReplacing = asOnSite === undefined && needsReplaceSn(row.repairMethod);

  return (
    <Panel isDense title={translate('stations.repair.newRow')}>
      <Box onKeyDownCapture={onChord} onKeyDown={onKeyDown}>
        <Box sx={gridSx}>
          <Box className="third">
            <QuickChoice
              required
              name="partsType"
              label={translate('stations.repair.partsType')}
              value={row.partsType}
              error={messages['partsType']}
              options={partsTypes.map((it) => ({ value: it.value, label: it.name }))}
              onChoose={(partsType) => choose({ partsType })}
            />
          </Box>
          <Box className="third">
            <QuickChoice
              required
              name="repairMethod"
              label={translate('stations.repair.repairMethod')}
              value={row.repairMethod}
              error={messages['repairMethod']}
              options={methods.map((it) => ({ value: it.value, label: it.name }))}
              onChoose={(repairMethod) => choose({ repairMethod })}
            />
          </Box>
          <Box className="third">
            <SlotField
              label={translate('stations.repair.slot')}
              value={row.slot}
              required={row.partsType !== NO_SLOT_TYPE}
              problem={messages['slot']}
              bomId={bomId}
              onChange={(slot) => change({ slot })}
              onChoose={(slot, { productName }) =>
                change({ slot, spendItemDescription: row.spendItemDescription || (productName ?? '') })
              }
            />
          </Box>
          <Box className={isReplacing ? 'half' : 'most'}>
            <CodesField
              label={translate('stations.field.issueCode')}
              choices={choices}
              codes={row.codes}
              error={messages['issueCodeIdList']}
              onChange={(codes) => change({ codes })}
              onUnknown={showError}
            />
          </Box>
          {isReplacing && (
            <Box className="third">
              <TextField
                fullWidth
                {...field('replaceSn', true)}
                helperText={messages['replaceSn'] ?? translate('stations.repair.replaceHint')}
                slotProps={scanned('replaceSn')}
              />
            </Box>
          )}
          <Box className="count">
            <NumberField
              width="100%"
              label={translate('stations.repair.spendItemCount')}
              value={String(count ?? '')}
              problem={messages['spendItemCount']}
              onChange={(it) => change({ spendItemCount: it === '' ? null : Number(it) })}
              htmlInput={{ readOnly: isCountedBySlots(row.repairMethod), 'data-field': 'spendItemCount' }}
            />
          </Box>
          <TextField
            className="third"
            {...field('sn', asOnSite !== undefined)}
            slotProps={scanned('sn', 'bound-parts')}
          />
          <TextField className="third" {...field('spendItemDescription')} />
          <TextField className="third" {...field('repairMarking')} />
        </Box>
        <datalist id="bound-parts">
          {components.map((it) => (
            <option key={it.componentSn} value={it.componentSn} />
          ))}
        </datalist>
        <Box sx={{ display: 'flex', gap: 3, alignItems: 'flex-start' }}>
          <Box sx={{ flex: 1 }}>
            <PictureUpload
              label={translate('stations.picture.add')}
              urls={row.urls}
              max={asOnSite?.pictures ?? imageLimits.repairRow}
              maxAtOnce={imageLimits.repairUpload}
              onArrive={(url) => change(({ urls }) => ({ urls: [...urls, url] }))}
              onRemove={(url) => change(({ urls }) => ({ urls: urls.filter((it) => it !== url) }))}
              onOpen={onOpen}
            />
          </Box>
          <Button variant="outlined" size="medium" onClick={onAdd}>
            {translate('stations.repair.addRow')}
          </Button>
        </Box>
      </Box>
    </Panel>
  );
}

/** What must be entered first, in as few rows as there is room for. */
const gridSx = {
  display: 'grid',
  columnGap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(12, minmax(0, 1fr))' },
  pt: 2,
  '& > *': { minWidth: 0 },
  '& > .third': { gridColumn: { sm: 'span 6', lg: 'span 4' } },
  '& > .count': { gridColumn: { sm: 'span 4', lg: 'span 2' } },
  '& > .half': { gridColumn: { sm: 'span 12', lg: 'span 6' } },
  '& > .most': { gridColumn: { sm: 'span 8', lg: 'span 10' } },
} as const;
