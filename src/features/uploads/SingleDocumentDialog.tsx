import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import { endingOf, endingsOfAll, LARGEST_FILE, documentKinds, sizeInWords } from '#domain/uploads.ts';
import { listed } from '#app/fields/format.ts';
import { useNotices, useProblemOf } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { ChosenFile, FileChoice } from '#app/parts/FileChoice.tsx';
import { uploadFile } from '#app/parts/uploadFile.ts';
import { newKey, sendTo } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';

interface OneForm {
  items: { name: string; queryName: string }[];
  accept: string[];
  maxBytes: number;
}

/** One paper for the selected row: `uploadOne` names the row in the address, `uploadDocument` beside the file. */
export default function SingleDocumentDialog({ module, button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const problemOf = useProblemOf();
  const lang = useLanguage();
  const script = button.btnScript;
  const { data, error } = useQuery({
    queryKey: [module, script, 'form', lang],
    queryFn: () => sendTo<OneForm>({ method: 'GET', path: toPath(module, script), writes: false }, {}),
    staleTime: Infinity,
  });
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState('');
  const [share, setShare] = useState<number | null>(null);
  const [key] = useState(newKey);
  const [row] = rows;
  if (!row) return null;

  const accept = data?.accept ?? endingsOfAll(documentKinds);
  const maxBytes = data?.maxBytes ?? LARGEST_FILE;
  const max = sizeInWords(maxBytes);
  const choose = ([chosen]: File[]) => {
    if (!chosen) return setProblem(translate('shell.upload.none'));
    const formats = listed(accept);
    if (!accept.includes(endingOf(chosen.name))) return setProblem(translate('shell.upload.format', { formats }));
    if (chosen.size > maxBytes) return setProblem(translate('shell.upload.tooLarge', { max }));
    setProblem('');
    setFile(chosen);
  };
  const send = async () => {
    if (!file) return setProblem(translate('shell.upload.none'));
    setShare(0);
    setProblem('');
    const id = String(row.id);
    const where = script === 'uploadOne' ? { query: { id } } : { fields: { id } };
    try {
      await uploadFile(`/api/${module}/${script}.json`, file, file.name, { ...where, key, onProgress: setShare });
      notices.success(translate('shell.upload.uploaded'));
      onDone();
      onClose();
    } catch (failure) {
      setProblem(problemOf(failure));
    } finally {
      setShare(null);
    }
  };
  return (
    <ActionModal
      title={button.btnName}
      action={button.btnName}
      sending={share !== null}
      problem={problem || (error ? problemOf(error) : '')}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <FileChoice
        label={translate('shell.upload.choose')}
        accept={accept}
        disabled={share !== null}
        onFiles={choose}
        hint={translate('shell.upload.hint', { formats: listed(accept), max })}
      >
        <ChosenFile file={file} />
        <Box sx={{ height: 4 }}>
          {share !== null && (
            <LinearProgress variant="determinate" value={share * 100} aria-label={translate('shell.upload.file')} />
          )}
        </Box>
      </FileChoice>
    </ActionModal>
  );
}

const toPath = (module: string, script: string): `/${string}` =>
  `/api/${module}/to${script.charAt(0).toUpperCase()}${script.slice(1)}.json`;
