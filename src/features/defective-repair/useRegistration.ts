import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import { useNotices } from '#app/notify.ts';
import { usePersistedState } from '#app/parts/scan/usePersistedState.ts';
import { useStation } from '#app/parts/scan/useStation.ts';
import { useStationScope } from '#app/parts/scan/useStationScope.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useUser } from '#app/session.ts';
import type { DataOf } from '#domain/call.ts';
import type { Problem } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Registration } from '#domain/workflow.ts';
import type { testAndStore, validateSn } from './contract.ts';
import type { RegistrationForm } from './rules.ts';

/** What an SN is, as the server answers each scan. */
type Known = DataOf<typeof validateSn>;

interface Setting {
  receiveShipId: string;
  receiveShipNo: string;
  remark: string;
}
const fresh: Setting = { receiveShipId: '', receiveShipNo: '', remark: '' };

interface Options<Input> {
  menuNo: string;
  step: Registration;
  check: (sn: string) => Promise<Known>;
  submit: (input: Input, key: string) => Promise<DataOf<typeof testAndStore>>;
  validate: (form: RegistrationForm) => Problem[];
  toInput: (form: RegistrationForm & { remark: string }, scanned: readonly Known[]) => Input;
}

/**
 * A registration of own goods as a station: SNs are scanned into a list that is submitted with what stands beside it.
 * Accepted, it tells so, empties its form and goes back to the list, which reads its rows anew. Rule: bills#own-goods.
 */
export function useRegistration<Input>({ menuNo, step, check, submit, validate, toInput }: Options<Input>) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const notices = useNotices();
  const { byField } = useProblemWords();
  const user = useUser();
  const scope = useStationScope(`${step}-setting`, '');
  const setting = usePersistedState<Setting>(scope, 'setting', fresh);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const told = ({ dpbId, mtbId, count }: DataOf<typeof testAndStore>) =>
    translate('stations.ownGoods.told', { smart_count: count, dpbId, mtbId });
  const station = useStation<Known, Input, DataOf<typeof testAndStore>>({
    name: step,
    check,
    submit,
    onSubmitted: (answer) => {
      notices.success(told(answer));
      setting.set(fresh);
      setProblems({});
      void navigate(`/${menuNo}`);
    },
    successText: told,
  });
  const { accepted, actions } = station;

  const press = () => {
    const { receiveShipId, remark } = setting.value;
    const receiveShipNo = normaliseNo(setting.value.receiveShipNo);
    const form = { receiveShipId, receiveShipNo, siteId: user?.siteId ?? '', remark: remark.trim() };
    const found = validate(form);
    setProblems(byField(found));
    if (accepted.length === 0 || found.length > 0) {
      return actions.showVerdict({ kind: 'wrong', sn: '', text: translate('stations.emptyMsg') });
    }
    actions.submit(
      toInput(
        form,
        accepted.flatMap((it) => it.data ?? []),
      ),
      accepted.map((it) => it.key),
    );
  };
  const change = (part: Partial<Setting>) => {
    setting.set((now) => ({ ...now, ...part }));
    setProblems({});
  };
  return {
    station,
    setting: setting.value,
    isHeld: !setting.loaded,
    change,
    problems,
    press,
    siteName: user?.siteName ?? '',
  };
}
