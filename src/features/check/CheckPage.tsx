import { useMemo, useState } from 'react';
import { useTranslate } from 'ra-core';
import { listed } from '#app/fields/format.ts';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import { ScanStation } from '#app/parts/scan/ScanStation.tsx';
import { isWaiting } from '#app/parts/scan/scanQueue.ts';
import { useQueryParameter } from '#app/parts/scan/useScanFromAddress.ts';
import { type StationView, useStation } from '#app/parts/scan/useStation.ts';
import { UnitFacts } from '#app/parts/UnitFacts.tsx';
import { type DraftChange, useDraft } from '#app/parts/useDraft.ts';
import { useBaseData, useLookup } from '#app/parts/useLookup.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { send } from '#app/send.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { GoodsType } from '#domain/enums.ts';
import { isPicture, joinUrls } from '#domain/images.ts';
import { IssueCategory, normaliseCode } from '#domain/issueCode.ts';
import { loadIssueCodeList } from '#domain/lookups.ts';
import type { Problem } from '#domain/refusal.ts';
import { normaliseSn } from '#domain/sn.ts';
import { CheckForm, type CheckDraft } from './CheckForm.tsx';
import { check, getScrapRemark, validateSn } from './contract.ts';
import { validateCheck, validateEntry } from './rules.ts';

type Unit = DataOf<typeof validateSn>;
const fresh: CheckDraft = { codes: [], powerSn: null, powerCodes: [], urls: [], chips: '' };

/** Fields whose label is filed under another name. */
const labels: Readonly<Record<string, string>> = {
  issueCodeIdList: 'issueCode',
  powerIssueCodeList: 'powerIssueCode',
};

/** First test: one unit, its issue codes and pictures. Rule: checking#station. */
export default function CheckPage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const { lineOf, byField } = useProblemWords();
  const codes = useBaseData(loadIssueCodeList, { billType: IssueCategory.Check });
  const choices = codes.data?.issueCodeList;
  const [type, setType] = useState<string>(GoodsType.Device);
  const isTurning = useQueryParameter('type', turn);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [openPictures, setOpenPictures] = useState('');

  const station: StationView<Unit, InputOf<typeof check>> = useStation<
    Unit,
    InputOf<typeof check>,
    DataOf<typeof check>
  >({
    name: 'check',
    bill: type,
    limit: 1,
    onCode: (text): boolean => current !== undefined && takeCode(text),
    check: (sn) => send(validateSn, { sn, checkType: type }),
    submit: (input, key) => send(check, input, { key }),
    onSubmitted: () => {
      setProblems([]);
      forget();
    },
    successText: ({ sn, nextNode, confirm, warning }) => {
      const where = confirm === 'none' ? labelOf('nodes', nextNode) : translate(`stations.check.held.${confirm}`);
      return [translate('stations.check.told', { sn, where }), warning].filter(Boolean).join(' · ');
    },
  });
  const current = station.accepted[0];
  const unit = current?.data;
  const [draft, setDraft, forget] = useDraft('check', current?.sn, fresh);
  const change = (part: DraftChange<CheckDraft>) => {
    setDraft(part);
    setProblems([]);
  };
  const remark = useLookup(getScrapRemark, { sn: current?.sn ?? '' }, { enabled: current !== undefined, staleTime: 0 });
  const tabs = { value: type, onChange: setType, blocked: openPictures };
  const powerSn = draft.powerSn ?? unit?.powerSn ?? '';

  /** What has not arrived yet would be gone with the form. */
  function turn(to: string) {
    if (openPictures && to !== type) station.actions.showVerdict({ kind: 'wrong', sn: '', text: openPictures });
    else setType(to);
  }
  function takeCode(text: string): boolean {
    const found = choices?.find((it) => it.code === normaliseCode(text));
    if (!found) return false;
    const known = draft.codes.some((it) => it.codeId === found.codeId);
    if (!known) change(({ codes }) => ({ codes: [...codes, found] }));
    station.actions.showVerdict({ kind: known ? 'duplicate' : 'ok', sn: found.code, text: found.name });
    return true;
  }

  const press = () => {
    if (!current) return station.actions.showVerdict({ kind: 'wrong', sn: '', text: translate('stations.scanMsg') });
    if (openPictures) {
      return station.actions.showVerdict({ kind: 'wrong', sn: current.sn, text: openPictures });
    }
    const isDevice = type === GoodsType.Device;
    const power = isDevice ? normaliseSn(powerSn) : '';
    const powerCodes = power === '' ? [] : draft.powerCodes;
    const repairChipCount = draft.chips === '' ? null : Number(draft.chips);
    const shown = draft.urls.filter(isPicture).length;
    const found = [
      ...validateEntry({
        sn: current.sn,
        codes: draft.codes.length,
        powerCodes: powerCodes.length,
        powerSn: power,
      }),
      ...validateCheck({ codes: draft.codes, powerCodes, shown, repairChipCount }),
    ];
    setProblems(found);
    if (found.length > 0) {
      const text = lineOf(found, (field) => translate(`stations.field.${labels[field] ?? field}`));
      return station.actions.showVerdict({ kind: 'wrong', sn: current.sn, text });
    }
    station.actions.submit(
      {
        sn: current.sn,
        checkType: type,
        issueCodeIdList: draft.codes.map((it) => it.codeId),
        checkUrls: joinUrls(draft.urls),
        repairChipCount,
        powerSn: power === '' ? null : power,
        powerIssueCodeList: powerCodes.map((it) => it.codeId),
      },
      [current.key],
    );
  };

  const said = useMemo(
    () => [remark.data?.declineScrapRemark, remark.data?.nofaultConfirmRemark].filter((it) => it != null && it !== ''),
    [remark.data],
  );

  return (
    <ScanStation
      menuNo={menuNo}
      title={translate('stations.check.title')}
      station={station}
      isHeld={codes.isLoading}
      isClosed={isTurning}
      hint={current ? translate('stations.check.scanCodes') : undefined}
      primary={{ label: translate('stations.check.do'), press }}
      commands={{
        tabs,
        codes: choices,
      }}
      work={
        current && (
          <CheckForm
            draft={draft}
            change={change}
            onOpen={setOpenPictures}
            choices={choices ?? []}
            isDevice={type === GoodsType.Device}
            powerSn={powerSn}
            problems={byField(problems)}
            remarks={said as string[]}
          />
        )
      }
      describe={({ data }) => data && `${data.item.name} · ${data.item.salesCode}`}
      facts={
        <UnitFacts
          sn={current?.sn}
          name={unit?.item.name}
          waiting={station.scans.filter(isWaiting).length}
          facts={[
            { label: translate('stations.field.salesCode'), value: unit?.item.salesCode, code: true },
            { label: translate('stations.field.mtbId'), value: unit?.mtbId, code: true },
            { label: translate('stations.field.powerSn'), value: unit?.powerSn, code: true },
            { label: translate('stations.field.warranty'), value: labelOf('warranty', unit?.warranty) },
            { label: translate('stations.field.maintains'), value: unit?.maintains },
            { label: translate('stations.field.quotedFaultCode'), value: unit?.quotedFaultCode },
            {
              label: translate('stations.field.receiveCodes'),
              value: listed((unit?.receiveIssueCodes ?? []).map((it) => `${it.code} ${it.name}`)),
            },
          ]}
        />
      }
    />
  );
}
