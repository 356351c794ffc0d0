import { type ReactNode, useState } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslate } from 'ra-core';
import { Choice } from '#app/parts/Choice.tsx';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { LabelPrintKind } from '#domain/enums.ts';
import { type Label, type LabelKind, TEST_SN, type toPrinter } from '#domain/labelPrint.ts';
import { LabelPreview, type Labels, SerialLabels } from './SerialLabels.tsx';
import { useLabelPrinter } from './useLabelPrinter.ts';

/** In place of a printer, whose name never has it: the browser's print dialog. */
const DIALOG = '=';

interface Output {
  print: (labels: Omit<Labels, 'printKind'>) => void;
  /** Where labels go, and what became of the last ones. */
  output: ReactNode;
}

/**
 * Prints the labels of a page on the printer of this workplace, by the page's own call, or through the browser's dialog.
 * `testKind`: what a test label is as large as; `next`: what would be printed now. Rule: labels#printers, labels#answers.
 */
export function useLabelOutput(
  call: ReturnType<typeof toPrinter>,
  printKind: LabelPrintKind,
  testKind: LabelKind,
  next: Omit<Label, 'printKind'> | null,
): Output {
  const translate = useTranslate();
  const { printers, printer, choose } = useLabelPrinter();
  const { submit, sending, problem, problems, forget } = useSubmit(call);
  const [shown, setShown] = useState<Labels | null>(null);
  const [last, setLast] = useState<Labels | null>(null);
  const [done, setDone] = useState('');

  const send = async (labels: Labels) => {
    setDone('');
    setLast(labels);
    const { snList, kind } = labels;
    const isTest = labels.printKind === LabelPrintKind.Test;
    const answer = await submit({ printer, ...(isTest ? { test: kind } : { snList: [...snList] }) });
    if (!answer) return;
    if (answer.printer === null) return setShown(labels);
    setDone(translate('serials.printer.done', { smart_count: answer.count, printer: answer.printer }));
  };
  const test = { snList: [TEST_SN], modelCode: '', kind: testKind, printKind: LabelPrintKind.Test };
  // Where nobody knows what came out, only a reprint is right: it says that it is one.
  const maySendAgain = last !== null && !problems.some((it) => it.key === 'printUnknown');

  const output = (
    <>
      {next && <LabelPreview label={{ ...next, printKind }} />}
      {printers.length > 0 && (
        <Box sx={{ display: 'flex', gap: 2, alignItems: 'flex-end' }}>
          <Box sx={{ flex: 1, display: 'grid' }}>
            <Choice
              label={translate('serials.printer.choice')}
              value={printer || DIALOG}
              options={[DIALOG, ...printers].map((it) => ({
                value: it,
                label: it === DIALOG ? translate('serials.printer.dialog') : it,
              }))}
              onChange={(it) => {
                choose(it === DIALOG ? '' : it);
                forget();
                setDone('');
              }}
            />
          </Box>
          <Button
            variant="outlined"
            size="medium"
            disabled={sending}
            onClick={() => void send(test)}
            sx={{ flex: 'none' }}
          >
            {translate('serials.printer.test')}
          </Button>
        </Box>
      )}
      <Box role="status" sx={{ '&:empty': { display: 'none' } }}>
        {sending && printer && translate('serials.printer.sending', { printer })}
        {done && !sending && (
          <Alert severity="success" sx={{ py: 0 }}>
            {done}
          </Alert>
        )}
      </Box>
      {problem && (
        <Alert
          severity="error"
          sx={{ py: 0 }}
          action={
            maySendAgain && (
              <Button
                size="small"
                color="inherit"
                disabled={sending}
                onClick={() => void send(last)}
                sx={{ whiteSpace: 'nowrap' }}
              >
                {translate('serials.printer.again')}
              </Button>
            )
          }
        >
          {problem}
        </Alert>
      )}
      {shown && <SerialLabels labels={shown} onPrinted={() => setShown(null)} />}
    </>
  );
  return { print: (labels) => void send({ ...labels, printKind }), output };
}
