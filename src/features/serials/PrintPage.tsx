import { useRef, useState } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import { Choice } from '#app/parts/Choice.tsx';
import { FactGrid, Panel } from '#app/parts/Facts.tsx';
import { FormFrame } from '#app/parts/FormFrame.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import { useOptions } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import { atEnter } from '#app/parts/enter.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useRecord } from '#app/parts/useRecord.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { findTabAddress } from '#app/shell/tabs.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { codeSx } from '#app/theme.ts';
import { LabelPrintKind } from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import { openOrders, printBarcode } from './contract.ts';
import { sendNewLabels } from './contract.labels.ts';
import { kindsOf, modeOf, validatePrint, ProductVerType, versionsIn } from './rules.ts';
import { LabelKind, labelKinds, TEST_SN } from '#domain/labelPrint.ts';
import { useLabelOutput } from '#app/parts/labels/LabelOutput.tsx';

interface Item {
  itemId: number;
  salesCode: string;
  name: string;
  type: string;
  modelCode: string | null;
  saleDesc: string | null;
  productVerList: string | null;
}

const fresh = { type: '', productVer: '', qty: '', productVerType: ProductVerType.Low as string, orderNo: '' };

/** New SNs of a catalogue item, each with its label. Rule: labels#printing. */
export default function PrintPage({ menuNo, id = '' }: PageProps) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const { byField } = useProblemWords();
  const { data: item, error } = useRecord<Item>('ubsItem', id);
  const { submit, sending, problem, forget } = useSubmit(printBarcode);
  const reasons = useOptions('printReason');
  const verTypes = useOptions('productVerType');
  const [form, setForm] = useState(fresh);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const count = useRef<HTMLInputElement>(null);
  const [given, setGiven] = useState<readonly string[]>([]);
  useTabName(item?.salesCode);
  const orderNo = normaliseNo(form.orderNo);
  const salesCode = item?.salesCode ?? '';
  const { data: orders } = useLookup(openOrders, { salesCode, orderNo }, { enabled: salesCode !== '' });
  const versions = versionsIn(item?.productVerList ?? null);
  const kinds = item ? kindsOf(item.type) : [];
  const wrong = byField(problems);
  const { print: printLabels, output } = useLabelOutput(
    sendNewLabels,
    LabelPrintKind.New,
    kinds[0] ?? LabelKind.Device,
    item && kinds[0] ? { sn: TEST_SN, modelCode: item.modelCode ?? '', kind: kinds[0] } : null,
  );

  const change = (part: Partial<typeof fresh>) => {
    setForm({ ...form, ...part });
    setProblems([]);
    forget();
  };
  const print = async (kind: LabelKind) => {
    if (!item || sending) return;
    const printing = { ...form, qty: Number(form.qty || 0), orderNo };
    const found = validatePrint(printing, kind, versions);
    setProblems(found);
    if (found.length > 0) return;
    const { itemId: saleItemId, modelCode, saleDesc } = item;
    const asked = { saleItemId, modelCode, saleDesc, ...printing, mode: modeOf(kind), barcodeType: kind };
    const done = await submit(asked);
    if (!done) return;
    printLabels({ ...done, kind });
    setGiven(done.snList);
    setForm({ ...form, qty: '' });
  };
  const [first = labelKinds[0], ...others] = kinds as [LabelKind?, ...LabelKind[]];
  const nameOf = (kind: LabelKind) => translate(`serials.print.do${kind}`);

  return (
    <FormFrame
      menuNo={menuNo}
      title={translate('serials.print.title')}
      problem={problem || error || (problems.length > 0 ? translate('stations.emptyMsg') : '')}
      primary={{
        label: nameOf(first as LabelKind),
        press: () => void print(first as LabelKind),
        disabled: !item || sending,
      }}
      more={
        <>
          <Button onClick={() => void navigate(findTabAddress(`/${menuNo}`))}>{translate('ra.action.cancel')}</Button>
          {labelKinds
            .filter((it) => it !== first)
            .map((it) => (
              <Button
                key={it}
                variant="outlined"
                size="medium"
                disabled={sending || !others.includes(it)}
                title={others.includes(it) ? undefined : translate('serials.print.otherKind')}
                onClick={() => void print(it)}
              >
                {nameOf(it)}
              </Button>
            ))}
        </>
      }
      aside={given.length > 0 && <Given snList={given} />}
    >
      {item && (
        <Panel title={item.name}>
          <FactGrid
            facts={[
              { label: translate('stations.field.salesCode'), value: item.salesCode, code: true },
              { label: translate('serials.modelCode'), value: item.modelCode, code: true },
              { label: translate('serials.description'), value: item.saleDesc },
            ]}
          />
        </Panel>
      )}
      {item && versions.length === 0 && <Alert severity="info">{translate('serials.print.noVersions')}</Alert>}
      <Box
        sx={{
          display: 'grid',
          columnGap: 3,
          rowGap: 1,
          gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
          alignItems: 'start',
        }}
      >
        <Choice
          required
          hasRoom
          autoFocus
          label={translate('serials.type')}
          value={form.type}
          options={reasons}
          error={wrong['type']}
          onChange={(type) => change({ type })}
        />
        <Choice
          required
          hasRoom
          label={translate('serials.version')}
          value={form.productVer}
          options={versions.map((it) => ({ value: it, label: it }))}
          error={wrong['productVer']}
          onChange={(productVer) => change({ productVer })}
        />
        <TextField
          label={translate('serials.order')}
          value={form.orderNo}
          error={wrong['orderNo'] !== undefined}
          helperText={wrong['orderNo'] ?? ' '}
          onChange={(it) => change({ orderNo: it.target.value.toUpperCase() })}
          slotProps={{
            htmlInput: {
              ...{ 'data-scan': 'number', list: 'open-orders', autoComplete: 'off', maxLength: 50 },
              onKeyDown: atEnter(() => count.current?.focus()),
            },
          }}
        />
        <datalist id="open-orders">
          {(orders?.items ?? []).map((it) => (
            <option key={it.orderNo} value={it.orderNo}>
              {`${it.productVer ?? ''} × ${it.qty}`}
            </option>
          ))}
        </datalist>
        <Choice
          hasRoom
          label={translate('serials.verType')}
          value={form.productVerType}
          options={verTypes}
          error={wrong['productVerType']}
          onChange={(productVerType) => change({ productVerType })}
        />
        <NumberField
          required
          inputRef={count}
          label={translate('serials.count')}
          value={form.qty}
          problem={wrong['qty']}
          htmlInput={{ 'data-enter': 'submit' }}
          onChange={(qty) => change({ qty })}
        />
      </Box>
      {output}
    </FormFrame>
  );
}

/** What was given at last, for who looks for a label that fell down. */
function Given({ snList }: { snList: readonly string[] }) {
  const translate = useTranslate();
  return (
    <Panel title={translate('serials.print.given', { smart_count: snList.length })}>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', maxHeight: 480, overflow: 'auto', ...codeSx }}>
        {snList.map((sn) => (
          <li key={sn}>{sn}</li>
        ))}
      </Box>
    </Panel>
  );
}
