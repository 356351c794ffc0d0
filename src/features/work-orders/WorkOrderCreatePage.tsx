import { useEffect, useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import { useRefresh, useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { DataOf } from '#domain/call.ts';
import { banksOf, type WorkOrderModule } from '#domain/wafer.ts';
import { FieldGrid } from '#app/engine/FieldGrid.tsx';
import { FormChangesNotice } from '#app/engine/FormChangesNotice.tsx';
import { type FormValues, toRequestValues, toInitialValues } from '#app/engine/formRules.ts';
import { moduleOf } from '#app/engine/module.ts';
import { useFormChanges } from '#app/engine/useFormChanges.ts';
import type { FormAnswer } from '#app/engine/wire.ts';
import { useNotices } from '#app/notify.ts';
import { FormFrame } from '#app/parts/FormFrame.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { useAddForm } from '#app/parts/useAddForm.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { queryAllDeviceParts, queryStoresBySiteId } from './contract.ts';
import { orderCalls, toRequestLines } from './orderCalls.tsx';
import { ForeseenOutput } from './ForeseenOutput.tsx';
import { OtherSupplier } from './OtherSupplier.tsx';
import { withMore, type SelectedLot } from './rules.ts';
import { PickedLots } from './PickedLots.tsx';
import { WaferDialog } from './WaferDialog.tsx';

/** A work order is made with the wafers or lots that go into it. Rule: wafer-bank#orders. */
export default function WorkOrderCreatePage({ menuNo }: PageProps) {
  const module = moduleOf(menuNo) as WorkOrderModule;
  const { form, error } = useAddForm(module);
  if (!form) return error ? <Box sx={{ p: 4 }}>{error}</Box> : null;
  return <OrderForm menuNo={menuNo} module={module} form={form} />;
}

function OrderForm({ menuNo, module, form }: { menuNo: string; module: WorkOrderModule; form: FormAnswer }) {
  const translate = useTranslate();
  const notices = useNotices();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const start = useMemo(() => toInitialValues(form.items), [form]);
  const { control, handleSubmit, watch, setError, setValue } = useForm<FormValues>({
    mode: 'onBlur',
    defaultValues: start,
  });
  const { submit, sending, problem } = useSubmit(orderCalls[module]);
  const [picked, setPicked] = useState<readonly SelectedLot[]>([]);
  const [isChoosing, setIsChoosing] = useState(false);
  /** For whom it was picked. */
  const [pickedFor, setPickedFor] = useState('');
  const values = watch();
  const { changes, forgetChanges } = useFormChanges(form.items, values, { onAdded: setValue });
  const text = (name: string) => String(values[name] ?? '');
  const stores = useLookup(queryStoresBySiteId, { siteId: text('btmSiteId') }).data?.items;
  const store = text('inventoryOrg');
  const isElsewhere = store !== '' && stores?.every((it) => it.btmId !== store) === true;
  useEffect(() => {
    if (isElsewhere) setValue('inventoryOrg', '');
  }, [isElsewhere, setValue]);
  const device = text('devicePn');
  const made = useLookup(queryAllDeviceParts, { devicePn: device }, { enabled: device !== '' }).data?.items[0];
  useEffect(() => {
    // The device says of which wafers it is made.
    if (made?.devicePn !== device || !made.waferPn) return;
    setValue('waferPn', made.waferPn);
    setValue('waferMpn', made.waferMpn);
    if (made.packageType) setValue('packageType', made.packageType);
  }, [made, device, setValue]);
  const isFt = module === 'icopFtWorkOrder';
  const part = isFt ? 'devicePn' : 'waferPn';
  const kind = { processType: text('processType'), ftType: text('ftType') };
  const stages = banksOf(module, kind);
  // What was taken for another part, or from a bank that this order does not use, is no longer in it.
  const fitting = picked.filter((it) => it.part === text(part) && stages.some((stage) => stage === it.stage));

  const choose = () => {
    if (!text('supplierId')) return notices.warning(translate('bills.order.supplierMsg'));
    if (!text(part)) {
      setError(part, { type: 'required', message: translate('shell.form.required') });
      return notices.warning(translate('shell.form.requiredAll'));
    }
    setIsChoosing(true);
  };
  const save = async (entered: FormValues) => {
    if (fitting.length === 0) return notices.warning(translate('bills.order.noWafers'));
    const answer = await submit({
      ...toRequestValues(form.items, entered),
      ...toRequestLines(module, fitting),
    } as never);
    if (!answer) return;
    notices.success(translate('bills.order.made', { no: answer.workOrderNo }));
    refresh();
    void navigate(`/${menuNo}/detail/${answer.id}`);
  };
  const refuse = () => notices.warning(translate('shell.form.requiredAll'));
  return (
    <FormFrame
      wide
      menuNo={menuNo}
      title={translate('bills.order.create')}
      problem={problem}
      primary={{
        label: translate('shell.form.save'),
        press: () => void handleSubmit(save, refuse)(),
        disabled: sending,
      }}
    >
      <Box sx={{ maxWidth: 960 }}>
        <FormChangesNotice changes={changes} onClose={forgetChanges} />
        <FieldGrid menuNo={menuNo} form={withStores(form, stores)} row={undefined} control={control} values={values} />
      </Box>
      <Box component="section">
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, mb: 2 }}>
          <Box component="h2" sx={{ m: 0, fontSize: 15, fontWeight: 600 }}>
            {translate('bills.order.wafers')}
          </Box>
          <Button variant="outlined" onClick={choose}>
            {translate(isFt ? 'bills.order.addLots' : 'bills.order.addWafers')}
          </Button>
        </Box>
        <PickedLots picked={fitting} isFt={isFt} onChange={setPicked} />
        <Box sx={{ mt: 2 }}>
          <ForeseenOutput {...{ module, ...kind }} part={text(part)} picked={fitting} />
        </Box>
      </Box>
      {isChoosing && (
        <WaferDialog
          module={module}
          stages={stages}
          supplierId={text('supplierId')}
          {...kind}
          part={text(part)}
          bin={text('ftBin')}
          picked={fitting}
          onPick={(more) => {
            setPicked(withMore(fitting, more));
            setPickedFor(text('supplierId'));
          }}
          onClose={() => setIsChoosing(false)}
        />
      )}
      {fitting.length > 0 && text('supplierId') !== pickedFor && (
        <OtherSupplier
          count={fitting.length}
          onConfirm={() => setPicked([])}
          onCancel={() => setValue('supplierId', pickedFor)}
        />
      )}
    </FormFrame>
  );
}

/** The form with the stores of the site that it says. Rule: wafer-bank#stores. */
function withStores(form: FormAnswer, stores: DataOf<typeof queryStoresBySiteId>['items'] | undefined): FormAnswer {
  if (!stores) return form;
  const options = stores.map((it) => ({
    value: it.btmId,
    optionName: [it.name, it.remark].filter(Boolean).join(' · '),
  }));
  const items = form.items.map((it) => (it.queryName === 'inventoryOrg' ? { ...it, options, more: false } : it));
  return { ...form, items };
}
