import { type KeyboardEvent, useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { Choice } from '#app/parts/Choice.tsx';
import { Panel } from '#app/parts/Facts.tsx';
import { type ChosenCode, IssueCodeEntry } from '#app/parts/IssueCodeEntry.tsx';
import { PictureUpload } from '#app/parts/PictureUpload.tsx';
import type { DraftChange } from '#app/parts/useDraft.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { PIECES_MAX } from '#domain/enums.ts';
import { imageLimits } from '#domain/images.ts';
import {
  isCountedBySlots,
  needsReplaceSn,
  NO_SLOT_TYPE,
  problemsOfRecord,
  spendCountOf,
} from '#domain/repairRecord.ts';
import type { Problem } from '#domain/refusal.ts';
import { normaliseSn } from '#domain/sn.ts';
import { problemsOfSlots } from './rules.ts';
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
  /** The slots of a part's own bill of material; none are known of a device. */
  slots?: readonly string[] | null;
  row: RepairRow;
  /** Changes the record as it is by then. */
  onChange: (change: (now: RepairRow) => RepairRow) => void;
  onAdd: (row: RepairRow) => void;
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

/** One row of a repair: which board, how, for which codes, at which slots. Spec 2 §5 Repair. */
export function RepairRecordForm({
  partsTypes,
  methods,
  choices,
  components,
  bomId,
  slots,
  row,
  onChange,
  onAdd,
}: Props) {
  const translate = useTranslate();
  const { byField } = useProblemWords();
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [slotMsg, setSlotMsg] = useState('');
  const [hasPicturesOnTheWay, setPicturesOnTheWay] = useState(false);
  const told = byField(problems);
  const count = spendCountOf(row);
  const nameOf = (items: readonly Named[], value: string) => items.find((it) => it.value === value)?.name ?? '';
  const change = (part: DraftChange<RepairRow>) => {
    onChange((now) => ({ ...now, ...(typeof part === 'function' ? part(now) : part) }));
    setProblems([]);
    setSlotMsg('');
  };

  const add = () => {
    const wrong = problemsOfRecord({ ...row, issueCodes: row.codes, repairUrls: row.urls });
    const isElsewhere = problemsOfSlots(row, 0, slots ? new Set(slots) : null).length > 0;
    setSlotMsg(isElsewhere ? translate('stations.slotMsg') : '');
    setProblems(wrong);
    if (isElsewhere) return;
    if (wrong.length > 0) return;
    onAdd({
      ...row,
      sn: normaliseSn(row.sn),
      replaceSn: normaliseSn(row.replaceSn),
      spendItemCount: count,
      partsTypeName: nameOf(partsTypes, row.partsType),
      repairMethodName: nameOf(methods, row.repairMethod),
    });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (
      event.key === 'Enter' &&
      !event.ctrlKey &&
      event.target instanceof HTMLInputElement &&
      !event.defaultPrevented
    ) {
      event.preventDefault();
    }
  };
  const field = (name: 'sn' | 'replaceSn' | 'repairMarking' | 'spendItemDescription', required = false) => ({
    label: translate(`stations.repair.${name}`),
    value: row[name],
    required,
    error: told[name] !== undefined,
    helperText: told[name] ?? ' ',
    onChange: (it: { target: { value: string } }) => change({ [name]: it.target.value }),
  });
  const scanned = { htmlInput: { 'data-scan': 'part', autoComplete: 'off', list: 'bound-parts' } };

  return (
    <Panel title={translate('stations.repair.newRow')}>
      <Box
        onKeyDown={onKeyDown}
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(200px, 1fr))' }}
      >
        <Choice
          hasRoom
          required
          label={translate('stations.repair.partsType')}
          value={row.partsType}
          error={told['partsType']}
          options={partsTypes.map((it) => ({ value: it.value, label: it.name }))}
          onChange={(partsType) => change({ partsType })}
        />
        <Choice
          hasRoom
          required
          label={translate('stations.repair.repairMethod')}
          value={row.repairMethod}
          error={told['repairMethod']}
          options={methods.map((it) => ({ value: it.value, label: it.name }))}
          onChange={(repairMethod) => change({ repairMethod })}
        />
        <SlotField
          label={translate('stations.repair.slot')}
          value={row.slot}
          required={row.partsType !== NO_SLOT_TYPE}
          problem={slotMsg || told['slot']}
          bomId={bomId}
          onChange={(slot) => change({ slot })}
          onChoose={(slot, { productName }) =>
            change({ slot, spendItemDescription: row.spendItemDescription || (productName ?? '') })
          }
        />
        <TextField {...field('sn')} slotProps={scanned} />
        {needsReplaceSn(row.repairMethod) && (
          <TextField
            {...field('replaceSn', true)}
            helperText={told['replaceSn'] ?? translate('stations.repair.replaceHint')}
            slotProps={{ htmlInput: { 'data-scan': 'part', autoComplete: 'off' } }}
          />
        )}
        <TextField
          type="number"
          label={translate('stations.repair.spendItemCount')}
          value={count ?? ''}
          error={told['spendItemCount'] !== undefined}
          helperText={told['spendItemCount'] ?? ' '}
          onChange={(it) => change({ spendItemCount: it.target.value === '' ? null : Number(it.target.value) })}
          slotProps={{ htmlInput: { min: 1, max: PIECES_MAX, readOnly: isCountedBySlots(row.repairMethod) } }}
        />
        <TextField {...field('spendItemDescription')} />
        <TextField {...field('repairMarking')} />
      </Box>
      <datalist id="bound-parts">
        {components.map((it) => (
          <option key={it.componentSn} value={it.componentSn} />
        ))}
      </datalist>
      <IssueCodeEntry
        required
        label={translate('stations.field.issueCode')}
        choices={choices}
        codes={row.codes}
        error={told['issueCodeIdList']}
        onChange={(codes) => change({ codes })}
      />
      <Box sx={{ display: 'flex', gap: 3, alignItems: 'flex-start', mt: 3 }}>
        <Box sx={{ flex: 1 }}>
          <PictureUpload
            label={translate('stations.picture.add')}
            urls={row.urls}
            max={imageLimits.repairRow}
            maxAtOnce={imageLimits.repairUpload}
            onArrive={(url) => change(({ urls }) => ({ urls: [...urls, url] }))}
            onRemove={(url) => change(({ urls }) => ({ urls: urls.filter((it) => it !== url) }))}
            onBusy={setPicturesOnTheWay}
          />
        </Box>
        <Button
          variant="outlined"
          size="medium"
          onClick={add}
          disabled={hasPicturesOnTheWay}
          title={hasPicturesOnTheWay ? translate('stations.picture.wait') : undefined}
        >
          {translate('stations.repair.addRow')}
        </Button>
      </Box>
    </Panel>
  );
}
