import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { useNotices } from '#app/notify.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { Panel } from '#app/parts/Facts.tsx';
import { FormFrame } from '#app/parts/FormFrame.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import { RemarkField } from '#app/parts/RemarkField.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { useUser } from '#app/session.ts';
import { getSiteList, initiate } from './contract.ts';
import { type EnteredLine, noLine, TransferLines } from './TransferLines.tsx';
import { mergeLines, type NewLine, validateLine, validateLines, validateSites } from './rules.ts';

const LIST = 'rmaStockTransferLineRequestList';

/** A transfer is made: from where to where, and what. Rule: transfers#initiating. */
export default function InitiatePage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const notices = useNotices();
  const labelOf = useLabelOf();
  const { byField } = useProblemWords();
  const home = useUser()?.siteId ?? '';
  const { data, isPending, isError } = useLookup(getSiteList, {});
  const [sites, setSites] = useState({ deliverSiteId: home, receiveSiteId: '' });
  const [remark, setRemark] = useState('');
  const [entered, setEntered] = useState<EnteredLine>(noLine);
  const [lines, setLines] = useState<readonly NewLine[]>([]);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const { submit, sending, problem, problems: refused, forget } = useSubmit(initiate);
  const changed = () => {
    setProblems({});
    forget();
  };

  const add = (added: EnteredLine): boolean => {
    const line = { ...added, count: Number(added.count), remark: '' };
    const found = validateLine(line);
    const all = mergeLines([...lines, line]);
    const wrong = found.length > 0 ? found : validateLines(all);
    setProblems(byField(wrong));
    if (wrong.length > 0) return false;
    setLines(all);
    setEntered({ ...noLine, storageType: added.storageType });
    forget();
    return true;
  };
  const press = async () => {
    if (entered.salesCode !== '' || entered.count !== '') {
      return setProblems({ [LIST]: translate('bills.transfer.addFirst') });
    }
    const found = [...validateSites(sites), ...validateLines(lines)];
    const missing = Object.entries(sites).flatMap(([name, it]) =>
      it === '' ? [[name, translate('stations.emptyMsg')]] : [],
    );
    setProblems({ ...byField(found), ...(Object.fromEntries(missing) as Record<string, string>) });
    if (found.length > 0) return;
    const answer = await submit({
      ...sites,
      remark,
      [LIST]: lines.map((it) => ({
        ...it,
        storageTypeName: labelOf('storageType', it.storageType),
        itemTypeName: labelOf('itemTypes', it.itemType),
      })),
    });
    if (!answer) return;
    notices.success(translate('bills.transfer.made', { no: answer.sktbId }));
    void navigate(`/${menuNo}/detail/${answer.id}`);
  };
  const told = { ...problems, ...Object.fromEntries(refused.map((it) => [it.field ?? '', it.msg])) };
  const siteOptions = (data?.ubsSiteList ?? []).map((it) => ({ value: it.siteId, label: it.name }));
  return (
    <FormFrame
      wide
      menuNo={menuNo}
      title={translate('bills.transfer.initiate')}
      problem={problem || told[LIST] || ''}
      primary={{ label: translate('bills.transfer.make'), press: () => void press(), disabled: sending }}
    >
      <Panel title={translate('bills.transfer.sites')}>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, maxWidth: 800 }}>
          {(['deliverSiteId', 'receiveSiteId'] as const).map((name) => (
            <Choice
              key={name}
              required
              hasRoom
              autoFocus={name === 'receiveSiteId'}
              label={translate(`stations.field.${name}`)}
              value={sites[name]}
              options={siteOptions}
              state={isPending ? 'loading' : isError ? 'failed' : undefined}
              error={told[name]}
              onChange={(it) => {
                setSites({ ...sites, [name]: it });
                changed();
              }}
            />
          ))}
        </Box>
        <Box sx={{ maxWidth: 800 }}>
          <RemarkField label={translate('stations.field.remark')} value={remark} onChange={setRemark} />
        </Box>
      </Panel>
      <TransferLines
        entered={entered}
        lines={lines}
        problems={told}
        onEnter={(it) => {
          setEntered(it);
          changed();
        }}
        onAdd={add}
        onRemove={(line) => {
          setLines(lines.filter((it) => it !== line));
          changed();
        }}
      />
    </FormFrame>
  );
}
