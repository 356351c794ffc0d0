import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Close from '@mui/icons-material/Close';
import { joinUrls, splitUrls } from '#domain/images.ts';
import { endingOf, endingsOfAll, LARGEST_FILE, MAX_PAPERS, documentKinds, sizeInWords } from '#domain/uploads.ts';
import type { Row } from '#app/engine/wire.ts';
import { fileAddress } from '#app/fileAddress.ts';
import { listed } from '#app/fields/format.ts';
import { useNotices, useProblemOf } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { FileChoice } from '#app/parts/FileChoice.tsx';
import { UploadTiles } from '#app/parts/UploadTiles.tsx';
import { useRecord } from '#app/parts/useRecord.ts';
import { useSeen } from '#app/parts/useSeen.tsx';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { useUploads, useWhyOpen } from '#app/parts/useUploads.ts';
import { uploadCertificate, uploadInvoice } from './contract.ts';

const ACCEPT = endingsOfAll(documentKinds);
const MAX = sizeInWords(LARGEST_FILE);

interface UploadedDocument {
  url: string;
  name: string;
}

/**
 * Invoices or certificates of the selected bill: uploaded one by one, then handed in together with those that the bill
 * has already. Rule: uploads#papers.
 */
export default function DocumentsDialog({ module, button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const problemOf = useProblemOf();
  const whyOpen = useWhyOpen();
  const isInvoice = button.btnScript === 'uploadInvoice';
  const [row] = rows;
  // Lists leave papers out, so that the row does not say which ones the bill has.
  const { data: bill, error, isReading, reload } = useRecord<Row>(module, String(row?.id ?? ''));
  const [added, setAdded] = useState<readonly UploadedDocument[]>([]);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const here = isReading ? [] : parseDocuments(bill?.[isInvoice ? 'invoiceUrls' : 'certificateUrls']);
  const documents = [...here, ...added].filter((it) => !removed.includes(it.url));
  const [problem, setProblem] = useState('');
  const { version, failed, notice } = useSeen(module, bill, reload);
  const invoice = useSubmit(uploadInvoice, failed);
  const certificate = useSubmit(uploadCertificate, failed);
  const submit = isInvoice ? invoice : certificate;
  const { uploads, add, retry, cancel, cancelAll } = useUploads({
    path: '/api/RmaAppendix/upload.json',
    onArrived: (url, file) => setAdded((all) => [...all, { url, name: file.name }]),
    onQuiet: (_, failure) => setProblem(failure ? problemOf(failure) : ''),
  });
  if (!row) return null;

  const choose = (files: File[]) => {
    const formats = listed(ACCEPT);
    const total = documents.length + uploads.length + files.length;
    if (files.length === 0) return setProblem(translate('shell.upload.none'));
    if (files.some((it) => !ACCEPT.includes(endingOf(it.name)))) {
      return setProblem(translate('shell.upload.format', { formats }));
    }
    if (files.some((it) => it.size > LARGEST_FILE)) return setProblem(translate('shell.upload.tooLarge', { max: MAX }));
    if (total > MAX_PAPERS) return setProblem(translate('shell.upload.atMost', { max: MAX_PAPERS }));
    setProblem('');
    add(files);
  };
  const handIn = async () => {
    const open = whyOpen(uploads);
    if (open) return setProblem(open);
    if (documents.length === 0) return setProblem(translate('shell.upload.none'));
    const urls = joinUrls(documents.map((it) => it.url));
    const id = String(row.id);
    const done = isInvoice
      ? await invoice.submit({ id, version, invoiceUrls: urls })
      : await certificate.submit({ id, version, certificateUrls: urls });
    if (!done) return;
    notices.success(translate('shell.upload.uploaded'));
    onDone();
    onClose();
  };
  return (
    <ActionModal
      title={button.btnName}
      action={translate('shell.upload.handIn')}
      sending={submit.sending}
      disabled={isReading || error !== '' || uploads.some((it) => it.failure === null)}
      problem={problem || submit.problem || error}
      onSubmit={() => void handIn()}
      onClose={() => {
        cancelAll();
        onClose();
      }}
    >
      {notice}
      <FileChoice
        many
        label={translate('shell.upload.chooseMany')}
        accept={ACCEPT}
        disabled={submit.sending}
        onFiles={choose}
        hint={translate('shell.upload.hintMany', { formats: listed(ACCEPT), max: MAX, count: MAX_PAPERS })}
      >
        <Box component="ul" sx={{ listStyle: 'none', m: 0, mt: 3, p: 0, minHeight: 32 }}>
          {documents.map(({ url, name }) => (
            <Box key={url} component="li" sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
              <Link href={fileAddress(url)} target="_blank" rel="noreferrer" sx={{ overflowWrap: 'anywhere' }}>
                {name}
              </Link>
              <IconButton
                size="small"
                aria-label={translate('shell.upload.remove', { name })}
                onClick={() => setRemoved([...removed, url])}
              >
                <Close sx={{ fontSize: 16 }} />
              </IconButton>
            </Box>
          ))}
        </Box>
        <UploadTiles
          uploads={uploads}
          onCancel={(id) => {
            setProblem('');
            cancel(id);
          }}
          onRetry={retry}
        />
      </FileChoice>
    </ActionModal>
  );
}

/** What the bill has already; of those only the kind is known. */
const parseDocuments = (value: unknown): UploadedDocument[] =>
  splitUrls(typeof value === 'string' ? value : null).map((url, i) => ({
    url,
    name: `${i + 1} (${endingOf(url) || 'jpg'})`,
  }));
