import { useRef, useState } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useQueryClient } from '@tanstack/react-query';
import { useCreate, useTranslate } from 'ra-core';
import { Choice } from '#app/parts/Choice.tsx';
import { Panel } from '#app/parts/Facts.tsx';
import { useOptions } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import type { SiteRule } from '#app/parts/scan/labels.ts';
import { ScanField } from '#app/parts/scan/ScanField.tsx';
import { StationTitle } from '#app/parts/scan/StationTitle.tsx';
import { labelRulesQueryKey, useLabelRulesNow } from '#app/parts/scan/useLabelRules.ts';
import { useScanFocus } from '#app/parts/scan/useScanFocus.ts';
import { useNotifyRefusal } from '#app/parts/scan/useRefusal.ts';
import { useWedge } from '#app/parts/scan/useWedge.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { NumberField } from '#app/parts/NumberField.tsx';
import { WorkFooter, WorkFrame } from '#app/parts/WorkFrame.tsx';
import { useNotices } from '#app/notify.ts';
import { readAnew } from '#app/queryClient.ts';
import { useUser } from '#app/session.ts';
import { isOpenTo } from '#app/shell/Guard.tsx';
import { besideLabelSx, codeSx } from '#app/theme.ts';
import { Flag } from '#domain/enums.ts';
import { LabelKind, validateLabelRule, TEMPLATE_LENGTH } from '#domain/labelRule.ts';
import { type DraftRule, freshDraft, isBegun, ruleOf } from './rules.ts';
import ScannerCardDialog from './ScannerCardDialog.tsx';
import { TriedLabels } from './TriedLabels.tsx';

/** As many as one compares. */
const MOST = 10;

/** Shows what the site's rules, and one that is not saved yet, make of a label that is scanned here; nothing else happens. */
export default function TryLabelPage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const { byField } = useProblemWords();
  const siteRules = useLabelRulesNow();
  const field = useRef<HTMLInputElement>(null);
  const [texts, setTexts] = useState<readonly string[]>([]);
  const [draft, setDraft] = useState<DraftRule>(freshDraft);
  const [card, setCard] = useState(false);
  const draftName = translate('labels.try.draft');
  const drafted: SiteRule = { ...ruleOf(draft), id: 0, name: draftName };
  const problems = isBegun(draft) ? validateLabelRule(drafted) : [];
  const isTried = isBegun(draft) && problems.length === 0 && !Number.isNaN(drafted.snLength);
  const rules = isTried ? [drafted, ...siteRules] : siteRules;

  const scan = (text: string) => {
    if (text.trim() !== '') setTexts((before) => [text, ...before].slice(0, MOST));
  };
  useWedge(field, scan, useNotifyRefusal());
  useScanFocus(field, texts);

  return (
    <WorkFrame
      title={<StationTitle menuNo={menuNo} />}
      aside={
        <>
          <Panel title={translate('labels.try.rules')}>
            <Box component="ol" sx={{ m: 0, pl: 5, display: 'flex', flexDirection: 'column', gap: 2 }}>
              <li>{translate('labels.try.always')}</li>
              {siteRules.map((it) => (
                <li key={it.id}>
                  {it.name}
                  <Box
                    sx={{
                      ...codeSx,
                      fontSize: 12,
                      color: 'text.secondary',
                      whiteSpace: 'normal',
                      overflowWrap: 'anywhere',
                    }}
                  >
                    {[it.template, it.snLength && translate('labels.try.length', { count: it.snLength })]
                      .filter(Boolean)
                      .join(' · ')}
                  </Box>
                </li>
              ))}
            </Box>
          </Panel>
          <DraftPanel
            draft={draft}
            onChange={setDraft}
            problems={byField(problems)}
            menuNo={menuNo}
            isReady={isTried}
            onSaved={() => setDraft(freshDraft)}
          />
        </>
      }
      footer={
        <WorkFooter>
          <Box sx={{ flex: 1 }} />
          <Button onClick={() => setCard(true)}>{translate('labels.card.title')}</Button>
          <Button onClick={() => setTexts([])} disabled={texts.length === 0}>
            {translate('labels.try.clear')}
          </Button>
        </WorkFooter>
      }
    >
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, minWidth: 0 }}>
        <ScanField field={field} onScan={scan} label={translate('labels.try.field')} />
        {texts.length === 0 ? (
          <Alert severity="info">{translate('labels.try.hint')}</Alert>
        ) : (
          <TriedLabels texts={texts} rules={rules} />
        )}
      </Box>
      {card && <ScannerCardDialog onClose={() => setCard(false)} />}
    </WorkFrame>
  );
}

interface DraftProps {
  draft: DraftRule;
  onChange: (draft: DraftRule) => void;
  problems: Record<string, string>;
  menuNo: string;
  isReady: boolean;
  onSaved: () => void;
}

/** A rule that is only typed: it is tried before those of the site, and kept by who may. */
function DraftPanel({ draft, onChange, problems, menuNo, isReady, onSaved }: DraftProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const queries = useQueryClient();
  const kinds = useOptions('labelKinds');
  const user = useUser();
  const maySave = isOpenTo(['ubsLabelRule:create'], user?.access ?? []);
  const [name, setName] = useState('');
  const [create, { isPending }] = useCreate();
  const change = (part: Partial<DraftRule>) => onChange({ ...draft, ...part });
  const save = async () => {
    const { kind, template, snLength } = ruleOf(draft);
    const data = { name: name.trim(), kind, template, snLength, seq: 10, enabled: Flag.Yes, siteId: user?.siteId };
    try {
      await create(menuNo, { data }, { returnPromise: true });
    } catch (error) {
      return notices.failed(translate('labels.try.save'), error);
    }
    notices.success(translate('shell.form.created'));
    setName('');
    onSaved();
    await readAnew(queries, { queryKey: labelRulesQueryKey(user?.siteId ?? '') });
  };
  return (
    <Panel title={translate('labels.try.draft')}>
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, '& .MuiFormHelperText-root': { mx: 0 } }}>
        <Choice
          label={translate('labels.try.kind')}
          value={draft.kind}
          options={kinds}
          onChange={(kind) => change({ kind })}
        />
        {draft.kind === LabelKind.Template && (
          <TextField
            label={translate('labels.try.template')}
            placeholder="https://qr.example.com/d/{sn}"
            value={draft.template}
            error={problems['template'] !== undefined}
            helperText={problems['template'] ?? translate('labels.try.templateHint')}
            onChange={(it) => change({ template: it.target.value })}
            slotProps={{ htmlInput: { maxLength: TEMPLATE_LENGTH, spellCheck: false, autoComplete: 'off' } }}
            sx={{ '& input': codeSx }}
          />
        )}
        <NumberField
          label={translate('labels.try.snLength')}
          value={draft.snLength}
          problem={problems['snLength']}
          hint={translate('labels.try.lengthHint')}
          onChange={(snLength) => change({ snLength })}
        />
        {maySave && (
          <Box sx={{ display: 'flex', gap: 2, alignItems: 'flex-start', mt: 2 }}>
            <TextField
              label={translate('labels.try.name')}
              value={name}
              onChange={(it) => setName(it.target.value)}
              slotProps={{ htmlInput: { maxLength: 100, autoComplete: 'off' } }}
              sx={{ flex: 1 }}
            />
            <Button
              variant="outlined"
              size="medium"
              loading={isPending}
              disabled={!isReady || name.trim() === ''}
              sx={besideLabelSx}
              onClick={() => void save()}
            >
              {translate('labels.try.save')}
            </Button>
          </Box>
        )}
      </Box>
    </Panel>
  );
}
