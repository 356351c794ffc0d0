import { useState } from 'react';
import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import { FormChangesNotice } from '#app/engine/FormChangesNotice.tsx';
import { useFormChanges } from '#app/engine/useFormChanges.ts';
import { useNotices } from '#app/notify.ts';
import { FormFrame } from '#app/parts/FormFrame.tsx';
import { HeaderFields } from '#app/parts/HeaderFields.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { useAddForm } from '#app/parts/useAddForm.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { normaliseSn } from '#domain/sn.ts';
import { BillLines, type EnteredLine, freshLine } from './BillLines.tsx';
import { createMaintainBill } from './contract.ts';
import { validateDeclaredLines } from './rules.ts';

/** A customer's bill is made: who sends what. Rule: bills#creating. */
export default function MaintainBillCreatePage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const notices = useNotices();
  const { byField } = useProblemWords();
  const { form, error } = useAddForm('rmaMaintainBill');
  const [header, setHeader] = useState<Readonly<Record<string, string>>>({});
  const [lines, setLines] = useState<readonly EnteredLine[]>([freshLine()]);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const { changes, forgetChanges } = useFormChanges(form?.items, header);
  const { submit, sending, problem, problems: refused, forget } = useSubmit(createMaintainBill);

  const press = async () => {
    const values = valuesOf(form?.items ?? [], header);
    const entered = lines
      .filter((it) => it.salesCode.trim() !== '' || it.count !== '')
      .map((it) => ({ type: it.type, salesCode: normaliseSn(it.salesCode), count: Number(it.count) }));
    const empty = (form?.items ?? []).filter((it) => it.required && !values[it.queryName]?.trim());
    const found = {
      ...byField(validateDeclaredLines(entered)),
      ...Object.fromEntries(empty.map((it) => [it.queryName, translate('stations.emptyMsg')])),
    };
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    const { receivePackageCount, ...texts } = values;
    const count = receivePackageCount ? Number(receivePackageCount) : null;
    const bill = { ...texts, receivePackageCount: count, rmaMaintainBillLineList: entered };
    const answer = await submit(bill);
    if (!answer) return;
    notices.success(translate('stations.maintainBill.told', { mtbId: answer.mtbId }));
    void navigate(`/${menuNo}/detail/${answer.id}`);
  };

  const allProblems = { ...problems, ...Object.fromEntries(refused.map((it) => [it.field ?? '', it.msg])) };
  return (
    <FormFrame
      wide
      menuNo={menuNo}
      title={translate('stations.maintainBill.create')}
      problem={problem || error || allProblems['rmaMaintainBillLineList'] || ''}
      primary={{ label: translate('stations.maintainBill.do'), press: () => void press(), disabled: sending }}
    >
      <FormChangesNotice changes={changes} onClose={forgetChanges} />
      <HeaderFields
        autoFocus
        form={form}
        values={header}
        problems={allProblems}
        onChange={(part) => {
          setHeader({ ...header, ...part });
          setProblems({});
          forget();
        }}
      />
      <Box sx={{ mt: 2 }}>
        <BillLines
          lines={lines}
          onChange={(it) => {
            setLines(it);
            setProblems({});
            forget();
          }}
          problems={allProblems}
        />
      </Box>
    </FormFrame>
  );
}

/** What the form asks for: as it was entered, else as the server proposes it for a new bill. */
const valuesOf = (
  items: readonly { queryName: string; value?: unknown }[],
  entered: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    items.flatMap(({ queryName, value }) => {
      const text = entered[queryName] ?? value;
      return text == null ? [] : [[queryName, String(text)]];
    }),
  );
