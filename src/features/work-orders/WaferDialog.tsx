import { useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import TextField from '@mui/material/TextField';
import { countIn } from '#domain/numberText.ts';
import { inputOf, Stage, type WorkOrderModule } from '#domain/wafer.ts';
import { isUnseen } from '#domain/signs.ts';
import { useNotices, useReasonOf } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import { DateField } from '#app/parts/DateField.tsx';
import { useLabelOf, useOptions } from '#app/parts/optionLabels.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { send } from '#app/send.ts';
import { BankLots, type Lot } from './BankLots.tsx';
import { getAssemblySiteList } from './contract.ts';
import { ForeseenOutput } from './ForeseenOutput.tsx';
import { bankCalls } from './orderCalls.tsx';
import { nextGroup, PROGRAM_LENGTH, restOf, type SelectedLot, withOwnLots } from './rules.ts';

interface Props {
  module: WorkOrderModule;
  stages: readonly Stage[];
  supplierId: string;
  processType: string;
  ftType: string;
  /** The wafer's part, or the device's for a final test. */
  part: string;
  /** The bin that the order tests, where it says one. */
  bin: string;
  picked: readonly SelectedLot[];
  /** The lots of the draft that is being changed, as they would lie in the banks without it. */
  own?: readonly Lot[];
  onPick: (more: SelectedLot[]) => void;
  onClose: () => void;
}

/** The banks, a tab each, with what can be taken from their lots. Rule: wafer-bank#banks. */
export function WaferDialog(props: Props) {
  const {
    module,
    stages,
    supplierId,
    processType,
    ftType,
    part,
    bin: wantedBin,
    picked,
    own = [],
    onPick,
    onClose,
  } = props;
  const translate = useTranslate();
  const notices = useNotices();
  const reasonOf = useReasonOf();
  const labelOf = useLabelOf();
  const bins = useOptions('ftBin');
  const isFt = module === 'icopFtWorkOrder';
  const [stage, setStage] = useState<Stage>(stages[0] as Stage);
  const [bin, setBin] = useState(wantedBin);
  const [program, setProgram] = useState('');
  const [filter, setFilter] = useState<FtFilter>({ assySiteId: '', startDate: '', endDate: '' });
  const [asked, setAsked] = useState(false);
  /** `wipId/piece` → what is entered; a piece that is checked stands in it. */
  const [entered, setEntered] = useState<ReadonlyMap<string, string>>(new Map());
  const sites = useLookup(getAssemblySiteList, {}, { enabled: isFt });
  const wanted = isFt ? { devicePn: part, ...given(filter) } : { waferPn: part };
  const { data, error } = useQuery({
    queryKey: [module, 'bank', supplierId, wanted],
    queryFn: () => send(bankCalls[module], { supplierId, ...wanted }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const isNarrowed = Object.keys(given(filter)).length > 0;
  const lots = withOwnLots<Lot>(data?.items ?? [], own, isNarrowed)
    .filter((it) => it.stage === stage)
    .map((it): Lot => {
      const isWanted = (piece: string) => !bin || !isFt || stage === Stage.AssemblyBank || piece === bin;
      return restOf({ ...it, waferList: it.waferList.filter((one) => isWanted(one.waferId)) }, picked, isFt);
    })
    .filter((it) => it.waferList.length > 0);

  const chosen = lots.flatMap((lot) =>
    lot.waferList.flatMap(({ waferId: piece, chipQty }): SelectedLot[] => {
      const amount = entered.get(`${lot.wipId}/${piece}`);
      if (amount === undefined) return [];
      const { wipId, waferLotId, devicePn } = lot;
      const inputQty = inputOf(countIn(amount), chipQty);
      return [{ wipId, waferLotId, stage: lot.stage, part, devicePn, piece, inputQty, remainQty: chipQty - inputQty }];
    }),
  );

  const take = () => {
    setAsked(true);
    if (chosen.length === 0) return notices.warning(translate('shell.list.select'));
    if (chosen.some((it) => Number.isNaN(it.inputQty))) return notices.warning(translate('shell.form.integer'));
    if (isFt && isUnseen(program)) return notices.warning(translate('shell.form.requiredAll'));
    const tested = { group: nextGroup(picked), ftTestProgram: program.trim() };
    onPick(isFt ? chosen.map((it) => ({ ...it, ...tested })) : chosen);
    onClose();
  };
  const narrow = (more: Partial<FtFilter>) => {
    setFilter({ ...filter, ...more });
    setEntered(new Map());
  };
  const turnTo = (it: Stage) => {
    setStage(it);
    setEntered(new Map());
  };
  return (
    <ActionModal
      width="wafers"
      title={translate(isFt ? 'bills.order.addLots' : 'bills.order.addWafers')}
      action={translate('bills.order.take', { count: entered.size })}
      problem={error ? reasonOf(error) : ''}
      disabled={!data}
      onSubmit={take}
      onClose={onClose}
    >
      <Tabs value={stage} onChange={(_, it: Stage) => turnTo(it)} aria-label={translate('bills.order.banks')}>
        {stages.map((it) => (
          <Tab key={it} value={it} label={labelOf('icopStages', it)} />
        ))}
      </Tabs>
      {isFt && (
        <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
          <TextField
            required
            label={translate('bills.order.program')}
            value={program}
            error={asked && isUnseen(program)}
            onChange={(it) => setProgram(it.target.value)}
            slotProps={{ htmlInput: { maxLength: PROGRAM_LENGTH } }}
          />
          <Choice
            label={translate('bills.order.assySite')}
            value={filter.assySiteId}
            none={translate('bills.order.allSites')}
            options={(sites.data?.items ?? []).map((it) => ({ value: it.siteId, label: it.siteName }))}
            onChange={(assySiteId) => narrow({ assySiteId })}
          />
          <DateField
            isBare
            kind="day"
            edge="start"
            label={translate('bills.order.arrivedFrom')}
            value={filter.startDate}
            onChange={(startDate) => narrow({ startDate })}
          />
          <DateField
            isBare
            kind="day"
            edge="end"
            label={translate('bills.order.arrivedTo')}
            value={filter.endDate}
            onChange={(endDate) => narrow({ endDate })}
          />
          {stage !== Stage.AssemblyBank && (
            <Choice
              label={translate('bills.order.bin')}
              value={bin}
              none={translate('bills.order.allBins')}
              options={bins}
              onChange={(it) => {
                setBin(it);
                setEntered(new Map());
              }}
            />
          )}
        </Box>
      )}
      <ForeseenOutput
        {...{ module, part, processType, ftType }}
        picked={chosen.filter((it) => !Number.isNaN(it.inputQty))}
      />
      <BankLots lots={lots} entered={entered} isFt={isFt} isReady={data !== undefined} onChange={setEntered} />
    </ActionModal>
  );
}

/** What narrows the lots of a final test: where they were assembled, and when they came into the bank. */
interface FtFilter {
  assySiteId: string;
  startDate: string;
  endDate: string;
}

const given = (filter: FtFilter) => Object.fromEntries(Object.entries(filter).filter(([, it]) => it !== ''));
