import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { Panel } from '#app/parts/Facts.tsx';
import { type ChosenCode, IssueCodeEntry } from '#app/parts/IssueCodeEntry.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import { PictureUpload } from '#app/parts/PictureUpload.tsx';
import { atEnter } from '#app/parts/enter.ts';
import { snInput } from '#app/parts/scan/labels.ts';
import type { DraftChange } from '#app/parts/useDraft.ts';
import { findAllVisible } from '#app/parts/visibleElements.ts';
import { besideLabelSx } from '#app/theme.ts';
import { imageLimits } from '#domain/images.ts';
import { needsChipCount, needsImage } from '#domain/issueCode.ts';

export interface CheckDraft {
  codes: readonly ChosenCode[];
  /** Null while nothing was entered: then the power that is bound to the device stands there. */
  powerSn: string | null;
  powerCodes: readonly ChosenCode[];
  urls: readonly string[];
  chips: string;
}

interface Props {
  draft: CheckDraft;
  change: (part: DraftChange<CheckDraft>) => void;
  /** Whether pictures are on their way. */
  onOpen: (why: string) => void;
  choices: readonly ChosenCode[];
  isDevice: boolean;
  powerSn: string;
  problems: Readonly<Record<string, string>>;
  /** Why a supervisor sent the unit back. */
  remarks: readonly string[];
}

/** What was found on the unit: codes, pictures, chips, and its power supply. */
export function CheckForm({ draft, change, onOpen, choices, isDevice, powerSn, problems, remarks }: Props) {
  const translate = useTranslate();
  return (
    <Panel title={translate('stations.check.found')}>
      {remarks.map((it) => (
        <Alert key={it} severity="warning" sx={{ mb: 3 }}>
          {translate('stations.check.sentBack', { remark: it })}
        </Alert>
      ))}
      <IssueCodeEntry
        label={translate('stations.field.issueCode')}
        required
        choices={choices}
        codes={draft.codes}
        onChange={(codes) => change({ codes })}
        error={problems['issueCodeIdList']}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 4, alignItems: 'flex-start', mt: 3 }}>
        <NumberField
          label={translate('stations.field.repairChipCount')}
          required={needsChipCount(draft.codes)}
          value={draft.chips}
          problem={problems['repairChipCount']}
          width={200}
          onChange={(chips) => change({ chips })}
        />
        <Box sx={{ ...besideLabelSx, flex: 1, minWidth: 240 }}>
          <PictureUpload
            label={translate('stations.picture.add')}
            urls={draft.urls}
            max={imageLimits.generic}
            withLogs
            required={needsImage(draft.codes)}
            onArrive={(url) => change(({ urls }) => ({ urls: [...urls, url] }))}
            onRemove={(url) => change(({ urls }) => ({ urls: urls.filter((it) => it !== url) }))}
            onOpen={onOpen}
          />
          {problems['checkUrls'] && <Box sx={{ color: 'error.main', fontSize: 12 }}>{problems['checkUrls']}</Box>}
        </Box>
      </Box>
      {isDevice && (
        <Box sx={{ mt: 2 }}>
          <TextField
            label={translate('stations.field.powerSn')}
            value={powerSn}
            helperText={translate('stations.check.powerHint')}
            onChange={(it) => change({ powerSn: it.target.value.toUpperCase() })}
            slotProps={{
              htmlInput: { ...snInput, 'data-scan': 'part', autoComplete: 'off', onKeyDown: atEnter(toNext) },
            }}
            sx={{ width: 320, maxWidth: 1, '& .MuiFormHelperText-root': { mx: 0 } }}
          />
          {powerSn !== '' && (
            <Box sx={{ mt: 3 }}>
              <IssueCodeEntry
                label={translate('stations.field.powerIssueCode')}
                choices={choices}
                codes={draft.powerCodes}
                onChange={(powerCodes) => change({ powerCodes })}
              />
            </Box>
          )}
        </Box>
      )}
    </Panel>
  );
}

/** From the power to its issue codes; where there is none, those of the device are the last that there are. */
const toNext = () => findAllVisible('input[data-scan=code]').at(-1)?.focus();
