import { useState, type ReactElement, type ReactNode } from 'react';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Edit from '@mui/icons-material/EditOutlined';
import type { Column, FormAnswer, FormField } from '#app/engine/wire.ts';
import { FieldInput } from '#app/engine/FieldInput.tsx';
import { DateInput } from '#app/fields/DateInput.tsx';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { AssemblySlots } from '#app/parts/AssemblySlots.tsx';
import { Barcode } from '#app/parts/Barcode.tsx';
import { BillLoader } from '#app/parts/BillLoader.tsx';
import { cellOf, Moment } from '#app/parts/cells.tsx';
import Chart from '#app/parts/Chart.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import { Confirm } from '#app/parts/Confirm.tsx';
import { DateField } from '#app/parts/DateField.tsx';
import { DetailFooter, Section } from '#app/parts/DetailLayout.tsx';
import { DownloadHint } from '#app/parts/DownloadHint.tsx';
import { EmptyState } from '#app/parts/EmptyState.tsx';
import { ExportFrame } from '#app/parts/ExportFrame.tsx';
import { BigCount, FactGrid, Panel } from '#app/parts/Facts.tsx';
import { ChosenFile, FileChoice } from '#app/parts/FileChoice.tsx';
import { HeaderFields } from '#app/parts/HeaderFields.tsx';
import { GroupCheckbox } from '#app/parts/GroupCheckbox.tsx';
import { IconAction } from '#app/parts/IconAction.tsx';
import { IssueCodeEntry } from '#app/parts/IssueCodeEntry.tsx';
import { LineProgress } from '#app/parts/LineProgress.tsx';
import { LinesFrame } from '#app/parts/LinesFrame.tsx';
import { LineTable } from '#app/parts/LineTable.tsx';
import { LookAgain } from '#app/parts/LookAgain.tsx';
import { LotTable } from '#app/parts/LotTable.tsx';
import { ManyChoice } from '#app/parts/ManyChoice.tsx';
import { NoBill } from '#app/parts/NoBill.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import { OptionRow } from '#app/parts/OptionRow.tsx';
import { ReadModal } from '#app/parts/Modal.tsx';
import { PageHead } from '#app/parts/PageHead.tsx';
import { QueueNext } from '#app/parts/QueueNext.tsx';
import { ReadFailure } from '#app/parts/ReadFailure.tsx';
import { Reading } from '#app/parts/Reading.tsx';
import { StepLine } from '#app/parts/StepLine.tsx';
import { PerModel } from '#app/parts/PerModel.tsx';
import { PictureUpload } from '#app/parts/PictureUpload.tsx';
import { Pictures } from '#app/parts/Pictures.tsx';
import { QuickChoice } from '#app/parts/QuickChoice.tsx';
import { RangeField } from '#app/parts/RangeField.tsx';
import { RemarkField } from '#app/parts/RemarkField.tsx';
import { RemoveButton } from '#app/parts/RemoveButton.tsx';
import { RightTree } from '#app/parts/RightTree.tsx';
import { SnField } from '#app/parts/SnField.tsx';
import { BillLink, SnLink } from '#app/parts/SnLink.tsx';
import { StationTabs } from '#app/parts/StationTabs.tsx';
import { TablePages } from '#app/parts/TablePages.tsx';
import { UnitFacts } from '#app/parts/UnitFacts.tsx';
import { UploadTiles } from '#app/parts/UploadTiles.tsx';
import { slotsOf } from '#domain/assembly.ts';
import type { Language } from '#domain/words.ts';

export interface Specimen {
  /** As it is exported. */
  part: string;
  /** What it is for, in a few words. */
  about: string;
  states: Record<string, ReactElement>;
  /** It needs the whole width. */
  isWide?: boolean;
}

/** What is no specimen, and why. */
export const notShown: Record<string, string> = {
  BackToList: 'the first of PageHead',
  ChangedSince: 'stands over a decision whose row has changed since it was shown',
  ChoiceInput: 'the field within Choice, ManyChoice and QuickChoice',
  DecisionFrame: 'a whole page: open a proposal of /rmaScrapConfirmList',
  DetailLayout: 'a whole page: its head, Section and Panel are shown',
  DropZone: 'the frame of FileChoice and PictureUpload',
  FailedReads: 'stands above a page or in a dialog while something that it asked for could not be read',
  FileButton: 'the button of FileChoice and PictureUpload',
  FormFrame: 'a whole page: open /rmaMaintainBillList/create',
  InLanguage: 'what it holds, in the language of another reader',
  InsideLabel: 'the label of a Choice that stands inside its box',
  Lightbox: 'opened by a thumbnail of Pictures',
  ActionForm: 'what stands in ActionModal',
  Modal: 'the frame of ActionModal and ReadModal',
  NoChoices: 'what an empty Choice, ManyChoice or QuickChoice offers',
  RefusedNotice: 'stands in the footer of a page whose decision was refused',
  SideScroll: 'the frame of a table that may be wider than its place',
  TestStation: 'a whole station: open /rmaBurninBillList/burnin',
  TypedChoice: 'what is typed into, of Choice and ManyChoice',
  UnitDialog: 'an ActionModal with SnField, Choice and a remark',
  WorkFooter: 'the lower edge of FormFrame',
  WorkFrame: 'the frame of FormFrame and of a station',
};

interface HeldProps<Value> {
  start: Value;
  children: (value: Value, set: (value: Value) => void) => ReactNode;
}

/** Holds what is entered, as a page does. */
function Held<Value>({ start, children }: HeldProps<Value>) {
  const [value, setValue] = useState(start);
  return children(value, setValue);
}

/** What lies over a page is opened. */
function Opened({ children }: { children: (close: () => void) => ReactElement }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="outlined" onClick={() => setIsOpen(true)}>
        …
      </Button>
      {isOpen && children(() => setIsOpen(false))}
    </>
  );
}

const nothing = () => undefined;

/** Every part in its states, in the words of a language. */
export function specimensIn(language: Language): Specimen[] {
  const say = (zh: string, en: string) => (language === 'zh' ? zh : en);
  const wrong = say('必填', 'Required');
  const customer = say('客户', 'Customer');
  const kinds = [
    { value: '1', label: say('设备', 'Device') },
    { value: '2', label: say('板卡', 'Board') },
    {
      value: '3',
      label: say(
        '名字很长、放不下、末尾以省略号收尾的一种',
        'One whose name is too long for its place and ends in dots',
      ),
    },
  ];
  const sites = [
    { value: 'SZ', label: say('深圳维修中心', 'Shenzhen repair centre') },
    { value: 'NB', label: say('宁波维修中心', 'Ningbo repair centre') },
    { value: 'OSL', label: say('奥斯陆维修中心', 'Oslo repair centre') },
  ];
  const facts = [
    { label: say('型号', 'Model'), value: 'RX-19' },
    { label: customer, value: say('宁远矿业', 'Ningyuan Mining') },
    { label: say('台数', 'Units'), value: '12' },
    { label: say('运单', 'Parcel'), value: 'SF1689004421', code: true },
    { label: say('备注', 'Remark'), value: null },
  ];
  const columns: Column[] = [
    { name: 'sn', label: 'SN', type: 'String', format: 'code' },
    { name: 'price', label: say('单价', 'Unit price'), type: 'BigDecimal' },
    { name: 'day', label: say('日期', 'Day'), type: 'date' },
  ];
  const rows = [
    { id: 1, sn: 'RX19A26110001', price: '1234.5', day: Date.UTC(2026, 10, 3), currency: 'CNY' },
    { id: 2, sn: 'RX19A26110002', price: null, day: null, currency: 'CNY' },
  ];
  const field = (type: FormField['type'], name: string, more: Partial<FormField> = {}): FormField => ({
    queryName: name,
    name,
    type,
    ...more,
  });
  const form: FormAnswer = {
    items: [
      field('String', 'receiveShipNo', { name: say('运单号', 'Parcel number'), required: true }),
      field('Integer', 'packages', { name: say('件数', 'Packages') }),
    ],
    rows: [['receiveShipNo', 'packages']],
  };
  const codes = [
    { codeId: 1, code: 'E01', name: say('不开机', 'Does not start'), disposition: null, imageRequired: null },
    { codeId: 2, code: 'E02', name: say('风扇异响', 'Fan is noisy'), disposition: null, imageRequired: null },
  ];
  const file = new File(['0'], 'photo.jpg', { type: 'image/jpeg' });
  const upload = { id: 1, file, share: 0.4, failure: undefined };
  const picture = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"/>')}.svg`;
  const number = { label: say('数量', 'Count'), onChange: nothing };
  const dates = (kind: 'day' | 'moment' | 'month', label: string, value: string, off: string) => ({
    [`${kind}, empty`]: (
      <Held start="">{(it, set) => <DateField kind={kind} label={label} value={it} onChange={set} />}</Held>
    ),
    [`${kind}, filled`]: (
      <Held start={value}>
        {(it, set) => <DateField required kind={kind} label={label} value={it} onChange={set} />}
      </Held>
    ),
    [`${kind}, wrong`]: <DateField kind={kind} label={label} value={off} onChange={nothing} />,
    [`${kind}, disabled`]: <DateField disabled kind={kind} label={label} value={value} onChange={nothing} />,
  });
  const choice = { label: say('类型', 'Type'), options: kinds, onChange: nothing, hasRoom: true };
  const sought = { ...choice, label: customer, options: sites, asked: { module: 'ubsSite', field: 'siteId' } };
  const fieldOf = (type: FormField['type'], name: string, value: unknown, more: Partial<FormField> = {}) => (
    <Held start={value}>
      {(it, set) => <FieldInput field={field(type, name, more)} value={it} required onChange={set} currency="CNY" />}
    </Held>
  );

  return [
    {
      part: 'QueueNext',
      about: 'where a bill stands among those that wait, and the way to the next',
      states: {
        filled: <QueueNext place={{ position: 3, count: 7, next: 4 }} hasNext leadOn={nothing} />,
        last: <QueueNext place={{ position: 1, count: 1, next: null }} hasNext={false} leadOn={nothing} />,
        'not in the queue': <QueueNext place={{ position: null, count: 2, next: 4 }} hasNext leadOn={nothing} />,
      },
    },
    {
      part: 'StepLine',
      about: 'the way of a record: who has said what, and what comes next',
      isWide: true,
      states: {
        'on its way': (
          <StepLine
            label={say('进度', 'Progress')}
            steps={[
              { name: say('创建', 'Created'), state: 'done', by: say('周敏', 'Zhou Min'), at: 1_795_000_000_000 },
              {
                name: say('财务审核', 'Financial review'),
                state: 'next',
                standing: say('等待您处理', 'Waiting for you'),
              },
              { name: say('财务审计', 'Financial audit'), state: 'later', standing: say('未到', 'Later') },
            ]}
          />
        ),
        refused: (
          <StepLine
            label={say('进度', 'Progress')}
            steps={[
              { name: say('创建', 'Created'), state: 'done', by: say('周敏', 'Zhou Min'), at: 1_795_000_000_000 },
              {
                ...{ name: say('财务审核', 'Financial review'), state: 'refused', by: say('吴雅琴', 'Wu Yaqin') },
                ...{ standing: say('不通过', 'Not passed'), remark: say('价格偏高', 'too dear') },
              },
            ]}
          />
        ),
      },
    },
    {
      part: 'Reading',
      about: 'a record that is not yet read, in the shape of what comes',
      isWide: true,
      states: { loading: <Reading /> },
    },
    {
      part: 'PageHead',
      about: 'the head of a record',
      isWide: true,
      states: {
        filled: (
          <PageHead
            menuNo="rmaMaintainBillList"
            status={{ label: say('维修中', 'In repair'), tone: 'work' }}
            facts={facts}
            actions={[
              { label: say('收货', 'Receive'), tone: 'primary', onPress: nothing },
              { label: say('打印', 'Print'), onPress: nothing },
              { label: say('终止', 'Terminate'), tone: 'danger', onPress: nothing },
            ]}
          />
        ),
        loading: <PageHead isReading menuNo="rmaMaintainBillList" />,
        'disabled and busy': (
          <PageHead
            status={{ label: say('已关闭', 'Closed'), tone: 'closed' }}
            actions={[
              { label: say('收货', 'Receive'), tone: 'primary', isBusy: true, onPress: nothing },
              { label: say('打印', 'Print'), disabled: true, onPress: nothing },
            ]}
          />
        ),
      },
    },
    {
      part: 'FactGrid',
      about: 'label over value',
      isWide: true,
      states: {
        filled: <FactGrid isFramed facts={facts} />,
        'without what is empty': <FactGrid isFramed hidesEmpty facts={facts} />,
        'one column': <FactGrid isOneColumn facts={facts} />,
      },
    },
    {
      part: 'Panel',
      about: 'a framed piece of a page',
      states: {
        filled: <Panel title={customer}>{say('宁远矿业', 'Ningyuan Mining')}</Panel>,
        dense: (
          <Panel isDense title={customer} action={<Button>{say('更改', 'Change')}</Button>}>
            {say('宁远矿业', 'Ningyuan Mining')}
          </Panel>
        ),
      },
    },
    {
      part: 'Section',
      about: 'a named part of a detail',
      states: { filled: <Section title={say('图片', 'Pictures')}>…</Section> },
    },
    {
      part: 'DetailFooter',
      about: 'where a record is decided upon',
      states: {
        filled: (
          <DetailFooter label={say('审核', 'Review')}>
            <Button variant="contained">{say('通过', 'Pass')}</Button>
          </DetailFooter>
        ),
      },
    },
    {
      part: 'GroupCheckbox',
      about: 'over the boxes of a group',
      states: {
        none: <GroupCheckbox label={say('全部', 'All')} count={0} of={3} />,
        some: <GroupCheckbox label={say('全部', 'All')} count={1} of={3} />,
        all: <GroupCheckbox label={say('全部', 'All')} count={3} of={3} />,
      },
    },
    {
      part: 'RightTree',
      about: 'what a role may do',
      states: {
        half: (
          <RightTree
            label={say('权限', 'Rights')}
            tree={[
              {
                id: 'list',
                name: say('查看列表', 'See the list'),
                children: [{ id: 'create', name: say('新增', 'New'), children: [] }],
              },
            ]}
            checked={new Set(['list'])}
            onChange={nothing}
          />
        ),
      },
    },
    {
      part: 'EmptyState',
      about: 'in place of what is not there',
      states: {
        nothing: (
          <EmptyState text={say('暂无数据', 'Nothing here yet')} more={say('先新增一条', 'Add the first one')} />
        ),
        small: <EmptyState isSmall text={say('暂无明细', 'No lines')} />,
      },
    },
    {
      part: 'ReadFailure',
      about: 'in place of what could not be read',
      states: {
        failed: (
          <ReadFailure
            text={say('读取失败', 'Reading failed')}
            reason={say('网络中断', 'The network is down')}
            onAgain={nothing}
          />
        ),
      },
    },
    {
      part: 'LookAgain',
      about: 'where what was decided by has changed since it was shown',
      states: { changed: <LookAgain text={say('数据已被他人修改', 'Changed by someone else')} onLook={nothing} /> },
    },
    {
      part: 'DateField',
      about: 'a day, a moment, a month',
      states: {
        ...dates('day', say('生效日', 'Valid from'), '2026-11-03', '2026-02-30'),
        ...dates('moment', say('取件时间', 'Pickup time'), '2026-11-03 09:05:07', '2026-11-03 25:00'),
        ...dates('month', say('对账月份', 'Month'), '2026-11', '2026-13'),
      },
    },
    {
      part: 'RangeField',
      about: 'from and to, with presets',
      states: {
        empty: (
          <Held start={{ startDate: '', endDate: '' }}>
            {(it, set) => <RangeField autoFocus={false} value={it} errors={{}} onChange={set} />}
          </Held>
        ),
        wrong: (
          <RangeField
            autoFocus={false}
            value={{ startDate: '2026-11-03', endDate: '' }}
            errors={{ endDate: wrong }}
            onChange={nothing}
          />
        ),
        months: (
          <Held start={{ startDate: '2026-09', endDate: '2026-11' }}>
            {(it, set) => <RangeField byMonth autoFocus={false} value={it} errors={{}} onChange={set} />}
          </Held>
        ),
      },
    },
    {
      part: 'DateInput',
      about: 'a date in a line of inputs',
      states: {
        empty: <DateInput kind="moment" value="" onChange={nothing} inputProps={{ 'aria-label': 'empty' }} />,
        filled: <DateInput kind="day" value="2026-11-03" onChange={nothing} inputProps={{ 'aria-label': 'filled' }} />,
      },
    },
    {
      part: 'NumberField',
      about: 'counts, fractions, money',
      states: {
        empty: <Held start="">{(it, set) => <NumberField {...number} value={it} onChange={set} />}</Held>,
        filled: <Held start="1200">{(it, set) => <NumberField {...number} value={it} onChange={set} />}</Held>,
        wrong: <NumberField {...number} required value="" problem={wrong} />,
        disabled: <NumberField {...number} disabled value="1200" />,
        yuan: (
          <Held start="12345.5">
            {(it, set) => (
              <NumberField kind="money" currency="CNY" label={say('单价', 'Unit price')} value={it} onChange={set} />
            )}
          </Held>
        ),
        dollars: <NumberField {...number} kind="money" currency="USD" label={say('单价', 'Unit price')} value="71" />,
      },
    },
    {
      part: 'Choice',
      about: 'one of a few',
      states: {
        empty: <Held start="">{(it, set) => <Choice {...choice} value={it} onChange={set} />}</Held>,
        filled: <Held start="3">{(it, set) => <Choice {...choice} value={it} onChange={set} />}</Held>,
        'can be cleared': (
          <Held start="2">
            {(it, set) => <Choice {...choice} none={say('全部', 'Any')} value={it} onChange={set} />}
          </Held>
        ),
        wrong: <Choice {...choice} required value="" error={wrong} />,
        disabled: <Choice {...choice} disabled value="1" />,
        loading: <Choice {...choice} state="loading" options={[]} value="" />,
        failed: <Choice {...choice} state="failed" options={[]} value="" />,
        'no options': <Choice {...choice} options={[]} value="" />,
        'label inside': (
          <Held start="">
            {(it, set) => <Choice {...choice} place="inside" none={say('全部', 'Any')} value={it} onChange={set} />}
          </Held>
        ),
        'asked, empty': <Held start="">{(it, set) => <Choice {...sought} value={it} onChange={set} />}</Held>,
        'asked, filled': <Held start="SZ">{(it, set) => <Choice {...sought} value={it} onChange={set} />}</Held>,
        'asked, wrong': <Choice {...sought} required value="" error={wrong} />,
        'asked, disabled': <Choice {...sought} disabled value="SZ" />,
        'asked, loading': <Choice {...sought} state="loading" options={[]} value="" />,
        'asked, failed': <Choice {...sought} state="failed" options={[]} value="" />,
        'asked, label inside': (
          <Held start="">
            {(it, set) => (
              <Choice {...sought} hasRoom={false} place="inside" none={say('全部', 'Any')} value={it} onChange={set} />
            )}
          </Held>
        ),
      },
    },
    {
      part: 'QuickChoice',
      about: 'one of several, by number or name',
      states: {
        empty: (
          <Held start="">
            {(it, set) => <QuickChoice name="kind" label={choice.label} value={it} options={kinds} onChoose={set} />}
          </Held>
        ),
        filled: (
          <Held start="1">
            {(it, set) => <QuickChoice name="kind" label={choice.label} value={it} options={kinds} onChoose={set} />}
          </Held>
        ),
        wrong: (
          <QuickChoice
            required
            name="kind"
            label={choice.label}
            value=""
            options={kinds}
            onChoose={nothing}
            error={wrong}
          />
        ),
      },
    },
    {
      part: 'OptionRow',
      about: 'a code and what it stands for',
      states: {
        filled: (
          <Autocomplete
            open
            disablePortal
            options={codes}
            getOptionLabel={(it) => it.code}
            renderOption={({ key, ...props }, it) => (
              <OptionRow key={key} {...props} code={it.code} words={it.name} codeWidth={48} />
            )}
            renderInput={({ InputProps, inputProps }) => (
              <Box ref={InputProps.ref} sx={{ mb: 24 }}>
                <input {...inputProps} aria-label={say('代码', 'Code')} />
              </Box>
            )}
          />
        ),
      },
    },
    {
      part: 'ManyChoice',
      about: 'some of several, by name',
      states: {
        empty: (
          <Held<readonly string[]> start={[]}>
            {(it, set) => (
              <ManyChoice
                name="sites"
                label={say('站点', 'Sites')}
                none={say('全部站点', 'All sites')}
                values={it}
                options={sites}
                onChange={set}
              />
            )}
          </Held>
        ),
        filled: (
          <Held<readonly string[]> start={['SZ', 'OSL']}>
            {(it, set) => (
              <ManyChoice name="sites" label={say('站点', 'Sites')} values={it} options={sites} onChange={set} />
            )}
          </Held>
        ),
        wrong: (
          <ManyChoice
            required
            name="sites"
            label={say('站点', 'Sites')}
            values={[]}
            options={sites}
            error={wrong}
            onChange={nothing}
          />
        ),
        'asked, empty': (
          <Held<readonly string[]> start={[]}>
            {(it, set) => (
              <ManyChoice label={customer} asked={sought.asked} options={sites} values={it} onChange={set} />
            )}
          </Held>
        ),
        loading: (
          <ManyChoice label={say('站点', 'Sites')} state="loading" values={[]} options={[]} onChange={nothing} />
        ),
        failed: <ManyChoice label={say('站点', 'Sites')} state="failed" values={[]} options={[]} onChange={nothing} />,
        disabled: (
          <ManyChoice
            disabled
            name="sites"
            label={say('站点', 'Sites')}
            values={['SZ']}
            options={sites}
            onChange={nothing}
          />
        ),
      },
    },
    {
      part: 'FieldInput',
      about: 'the input of a definition’s field',
      states: {
        text: fieldOf('String', say('名称', 'Name'), ''),
        code: fieldOf('String', say('编码', 'Code'), 'RX19', { format: 'code' }),
        money: fieldOf('BigDecimal', say('单价', 'Unit price'), '1200.5'),
        select: fieldOf('select', say('状态', 'Status'), '', {
          options: [{ value: '1', optionName: say('启用', 'On') }],
        }),
        day: fieldOf('date', say('生效日', 'Valid from'), Date.UTC(2026, 10, 3)),
        'long text': fieldOf('LongString', say('说明', 'About'), ''),
        wrong: <FieldInput required field={field('String', customer)} value="" error={wrong} onChange={nothing} />,
        'read only': (
          <FieldInput
            required={false}
            field={field('String', customer, { readOnly: true })}
            value="12"
            onChange={nothing}
          />
        ),
      },
    },
    {
      part: 'SnField',
      about: 'an SN in a dialog',
      states: {
        filled: <SnField autoFocus={false} label="SN" value="RX19A26110001" onChange={nothing} />,
        wrong: <SnField autoFocus={false} label="SN" value="" problem={wrong} onChange={nothing} />,
      },
    },
    {
      part: 'RemarkField',
      about: 'a few sentences',
      states: {
        empty: (
          <Held start="">{(it, set) => <RemarkField label={say('备注', 'Remark')} value={it} onChange={set} />}</Held>
        ),
        wrong: <RemarkField required label={say('备注', 'Remark')} value="" problem={wrong} onChange={nothing} />,
      },
    },
    {
      part: 'HeaderFields',
      about: 'the header of a bill',
      isWide: true,
      states: {
        empty: <HeaderFields form={form} values={{}} problems={{}} onChange={nothing} />,
        wrong: <HeaderFields form={form} values={{}} problems={{ receiveShipNo: wrong }} onChange={nothing} />,
        loading: <HeaderFields form={undefined} values={{}} problems={{}} onChange={nothing} />,
      },
    },
    {
      part: 'IssueCodeEntry',
      about: 'codes one after the other',
      isWide: true,
      states: {
        filled: (
          <IssueCodeEntry label={say('故障代码', 'Issue code')} choices={codes} codes={codes} onChange={nothing} />
        ),
        wrong: (
          <IssueCodeEntry
            required
            label={say('故障代码', 'Issue code')}
            choices={codes}
            codes={[]}
            error={wrong}
            onChange={nothing}
          />
        ),
      },
    },
    {
      part: 'AssemblySlots',
      about: 'the parts of a device',
      isWide: true,
      states: {
        empty: (
          <AssemblySlots
            slots={slotsOf(1)}
            boards={1}
            parts={{}}
            problems={{ 'power.sn': wrong }}
            onBoards={nothing}
            onChange={nothing}
          />
        ),
      },
    },
    {
      part: 'BillLoader',
      about: 'the bill that is worked on',
      states: {
        empty: (
          <BillLoader
            label={say('运单号', 'Parcel number')}
            initial=""
            isLoaded={false}
            isLoading={false}
            isUnread={false}
            onLoad={() => Promise.resolve(say('没有这张单', 'There is no such bill'))}
          />
        ),
        loading: (
          <BillLoader
            label={say('运单号', 'Parcel number')}
            initial="SF1"
            isLoaded={false}
            isLoading
            isUnread={false}
            onLoad={() => Promise.resolve('')}
          />
        ),
      },
    },
    {
      part: 'FileChoice',
      about: 'a file, chosen or dropped',
      states: {
        empty: <FileChoice label={say('选择文件', 'Choose a file')} accept={['xlsx']} hint="xlsx" onFiles={nothing} />,
        disabled: (
          <FileChoice
            disabled
            label={say('选择文件', 'Choose a file')}
            accept={['xlsx']}
            hint="xlsx"
            onFiles={nothing}
          />
        ),
      },
    },
    {
      part: 'ChosenFile',
      about: 'what was chosen',
      states: { empty: <ChosenFile file={null} />, filled: <ChosenFile file={file} /> },
    },
    {
      part: 'PictureUpload',
      about: 'pictures of a unit',
      states: {
        empty: (
          <PictureUpload
            required
            label={say('添加图片', 'Add pictures')}
            urls={[]}
            max={2}
            onArrive={nothing}
            onRemove={nothing}
            onOpen={nothing}
          />
        ),
        filled: (
          <PictureUpload
            label={say('添加图片', 'Add pictures')}
            urls={[picture]}
            max={2}
            onArrive={nothing}
            onRemove={nothing}
            onOpen={nothing}
          />
        ),
      },
    },
    {
      part: 'UploadTiles',
      about: 'what is on its way',
      states: {
        loading: <UploadTiles uploads={[upload]} onCancel={nothing} onRetry={nothing} />,
        failed: (
          <UploadTiles uploads={[{ ...upload, failure: new Error('offline') }]} onCancel={nothing} onRetry={nothing} />
        ),
      },
    },
    {
      part: 'Pictures',
      about: 'thumbnails',
      states: { filled: <Pictures urls={[picture]} onRemove={nothing} />, small: <Pictures small urls={[picture]} /> },
    },
    {
      part: 'Confirm',
      about: 'asks before what cannot be taken back',
      states: {
        plain: (
          <Opened>
            {(close) => (
              <Confirm
                open
                title={say('完成收货？', 'Finish the receipt?')}
                action={say('完成', 'Finish')}
                onConfirm={close}
                onCancel={close}
              >
                {say('之后不能再收。', 'Nothing can be received on it afterwards.')}
              </Confirm>
            )}
          </Opened>
        ),
        danger: (
          <Opened>
            {(close) => (
              <Confirm
                open
                danger
                title={say('删除 3 行？', 'Delete 3 rows?')}
                action={say('删除', 'Delete')}
                onConfirm={close}
                onCancel={close}
              />
            )}
          </Opened>
        ),
        busy: (
          <Opened>
            {(close) => (
              <Confirm
                open
                busy
                title={say('删除 3 行？', 'Delete 3 rows?')}
                action={say('删除', 'Delete')}
                onConfirm={close}
                onCancel={close}
              />
            )}
          </Opened>
        ),
      },
    },
    {
      part: 'ReadModal',
      about: 'something to read, and one way out',
      states: {
        filled: (
          <Opened>
            {(close) => (
              <ReadModal title={say('为何是此价', 'Why this price')} onClose={close}>
                {say('由一张价格单得出。', 'Found by one price bill.')}
              </ReadModal>
            )}
          </Opened>
        ),
        failed: (
          <Opened>
            {(close) => (
              <ReadModal
                title={say('为何是此价', 'Why this price')}
                problem={say('明细不存在', 'The line does not exist')}
                onClose={close}
              >
                {null}
              </ReadModal>
            )}
          </Opened>
        ),
      },
    },
    {
      part: 'ActionModal',
      about: 'a few fields and a verb',
      states: {
        filled: (
          <Opened>
            {(close) => (
              <ActionModal
                title={say('改站点', 'Change the site')}
                action={say('更改', 'Change')}
                onSubmit={close}
                onClose={close}
              >
                <Choice {...choice} value="1" />
              </ActionModal>
            )}
          </Opened>
        ),
        wrong: (
          <Opened>
            {(close) => (
              <ActionModal
                title={say('改站点', 'Change the site')}
                action={say('更改', 'Change')}
                problem={say('该设备已发货', 'The unit is shipped')}
                onSubmit={close}
                onClose={close}
              >
                <Choice {...choice} value="" error={wrong} />
              </ActionModal>
            )}
          </Opened>
        ),
      },
    },
    {
      part: 'ExportFrame',
      about: 'the dialog of an export',
      states: {
        filled: (
          <Opened>
            {(close) => (
              <ExportFrame
                title={say('导出', 'Export')}
                problem=""
                action={say('导出', 'Export')}
                more={<Button variant="outlined">{say('预览', 'Preview')}</Button>}
                busy={false}
                onSubmit={close}
                onClose={close}
              >
                <RangeField value={{ startDate: '', endDate: '' }} errors={{}} onChange={nothing} />
              </ExportFrame>
            )}
          </Opened>
        ),
      },
    },
    {
      part: 'IconAction',
      about: 'a button of an icon',
      states: {
        plain: <IconAction label={say('修改', 'Change')} Icon={Edit} onClick={nothing} />,
        disabled: <IconAction disabled label={say('修改', 'Change')} Icon={Edit} onClick={nothing} />,
      },
    },
    {
      part: 'RemoveButton',
      about: 'takes a tile off',
      states: {
        plain: (
          <Box sx={{ position: 'relative', width: 48, height: 48 }}>
            <RemoveButton label={say('移除', 'Remove')} onClick={nothing} />
          </Box>
        ),
      },
    },
    { part: 'SnLink', about: 'leads to an SN', states: { plain: <SnLink sn="RX19A26110001" /> } },
    {
      part: 'BillLink',
      about: 'leads to a bill',
      states: { plain: <BillLink menuNo="rmaMaintainBillList" id="MTB2026112100005" /> },
    },
    {
      part: 'Moment',
      about: 'a moment, or its day',
      states: {
        moment: <Moment at={Date.UTC(2026, 10, 3, 1, 5)} />,
        day: <Moment withTime={false} at={Date.UTC(2026, 10, 3, 1, 5)} />,
      },
    },
    {
      part: 'LineTable',
      about: 'the lines of a bill, to read',
      states: {
        filled: <LineTable label={say('明细', 'Lines')} columns={columns} rows={rows} cell={cellOf} />,
        empty: <LineTable label={say('明细', 'Lines')} columns={columns} rows={[]} cell={cellOf} />,
        footer: (
          <LineTable
            label={say('明细', 'Lines')}
            columns={columns}
            rows={rows}
            footer={[{ id: 0, sn: say('合计', 'Total'), price: '1234.5', day: null, currency: 'CNY' }]}
            cell={cellOf}
          />
        ),
      },
    },
    {
      part: 'LinesFrame',
      about: 'lines that are judged or corrected',
      states: {
        filled: (
          <LinesFrame aria-label={say('明细', 'Lines')}>
            <LineTable label={say('明细', 'Lines')} columns={columns} rows={rows} cell={cellOf} />
          </LinesFrame>
        ),
      },
    },
    {
      part: 'LotTable',
      about: 'lots of chips, with their wafers or bins',
      states: {
        filled: (
          <LotTable label={say('批次', 'Lots')} heads={[say('批次', 'Lot'), say('芯片', 'Chips')]}>
            <tr>
              <td>N7X10492</td>
              <td className="number">1250</td>
            </tr>
          </LotTable>
        ),
        empty: (
          <LotTable label={say('批次', 'Lots')} heads={[say('批次', 'Lot'), say('芯片', 'Chips')]}>
            {null}
          </LotTable>
        ),
      },
    },
    {
      part: 'TablePages',
      about: 'the pages of a table within a page',
      isWide: true,
      states: {
        first: <TablePages count={120} page={0} rowsPerPage={50} onPage={nothing} />,
        last: <TablePages count={120} page={2} rowsPerPage={50} onPage={nothing} />,
        'sizes to choose': (
          <TablePages
            count={120}
            page={0}
            rowsPerPage={10}
            rowsPerPageOptions={[10, 20, 50]}
            onRowsPerPageChange={nothing}
            onPage={nothing}
          />
        ),
      },
    },
    {
      part: 'LineProgress',
      about: 'what is missing, by model',
      states: {
        filled: (
          <LineProgress
            lines={[
              { id: '1', code: 'RX-19', name: say('矿机', 'Miner'), done: 3, expected: 3 },
              { id: '2', code: 'RX-21', name: say('矿机', 'Miner'), done: 1, expected: 4 },
            ]}
          />
        ),
      },
    },
    {
      part: 'PerModel',
      about: 'what was scanned, by model',
      states: {
        filled: <PerModel title={say('按型号', 'By model')} rows={[{ code: 'RX-19', name: '' }]} list="here" />,
        loading: <PerModel title={say('按型号', 'By model')} rows={[]} list="unread" />,
      },
    },
    {
      part: 'BigCount',
      about: 'read from two metres',
      states: {
        begun: <BigCount done={1} expected={3} label={say('已扫', 'Scanned')} />,
        full: <BigCount done={3} expected={3} label={say('已扫', 'Scanned')} />,
        'too many': <BigCount done={4} expected={3} label={say('已扫', 'Scanned')} />,
      },
    },
    {
      part: 'UnitFacts',
      about: 'the unit in work',
      states: {
        empty: <UnitFacts sn={undefined} facts={[]} waiting={0} />,
        filled: <UnitFacts sn="RX19A26110001" name="RX-19" facts={facts} waiting={2} />,
      },
    },
    {
      part: 'NoBill',
      about: 'in place of a bill',
      states: {
        empty: (
          <NoBill title={say('单据', 'Bill')} loadFirst={say('请先加载单据', 'Load the bill first')} isUnread={false} />
        ),
        loading: <NoBill title={say('单据', 'Bill')} loadFirst={say('请先加载单据', 'Load the bill first')} isUnread />,
      },
    },
    {
      part: 'StationTabs',
      about: 'devices or boards',
      states: { plain: <StationTabs value="0" onChange={nothing} /> },
    },
    { part: 'DownloadHint', about: 'where the file will be', states: { plain: <DownloadHint /> } },
    { part: 'Barcode', about: 'as SVG', states: { plain: <Barcode text="RX19A26110001" height={48} /> } },
    {
      part: 'Chart',
      about: 'drawn by echarts',
      states: {
        filled: (
          <Chart
            height={160}
            label={say('每周', 'By week')}
            option={{ xAxis: { data: ['1', '2', '3'] }, yAxis: {}, series: [{ type: 'bar', data: [3, 5, 2] }] }}
          />
        ),
      },
    },
  ];
}
