import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import AddAPhoto from '@mui/icons-material/AddAPhoto';
import { useTranslate } from 'ra-core';
import { useReasonOf } from '#app/notify.ts';
import { CallError } from '#app/send.ts';
import { Pictures } from '#app/parts/Pictures.tsx';
import { compressed, isLogFile, isPictureFile, LARGEST_FILE, upload } from '#app/parts/pictures.ts';

interface Props {
  label: string;
  urls: readonly string[];
  onChange: (urls: readonly string[]) => void;
  /** How many pictures this place holds, and how many go in one go. */
  max: number;
  maxAtOnce?: number;
  /** Machine logs (.txt) as well. */
  withLogs?: boolean;
  required?: boolean;
}

type Told = { kind: 'error' | 'success'; text: string } | null;

/** Pictures, made small and sent at once; a line below says what came of it. Spec 2 §5 Images. */
export function PictureUpload({ label, urls, onChange, max, maxAtOnce = max, withLogs = false, required }: Props) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const input = useRef<HTMLInputElement>(null);
  const [sending, setSending] = useState(0);
  const [told, setTold] = useState<Told>(null);
  const no = (key: string, args?: Record<string, unknown>) =>
    setTold({ kind: 'error', text: translate(`stations.picture.${key}`, args) });

  // React has no such property for an input: the dialog was closed without a choice.
  const onCancel = useRef(() => no('none'));
  useEffect(() => {
    const field = input.current;
    const cancel = onCancel.current;
    field?.addEventListener('cancel', cancel);
    return () => field?.removeEventListener('cancel', cancel);
  }, []);

  const onFiles = async (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])];
    event.target.value = '';
    if (files.length === 0) return no('none');
    if (files.length > maxAtOnce) return no('atMost', { max: maxAtOnce });
    if (urls.length + files.length > max) return no('atMost', { max });
    if (files.some((it) => !isPictureFile(it) && !(withLogs && isLogFile(it)))) return no('format');
    setTold(null);
    setSending(files.length);
    const added: string[] = [];
    try {
      for (const file of files) {
        const blob = isPictureFile(file) ? await compressed(file) : file;
        if (blob.size > LARGEST_FILE) return no('tooLarge');
        added.push(await upload(blob, file.name));
        setSending((it) => it - 1);
      }
      setTold({ kind: 'success', text: translate('stations.picture.uploaded') });
    } catch (error) {
      const reason = error instanceof CallError && error.msg ? ` ${reasonOf(error)}` : '';
      setTold({ kind: 'error', text: translate('stations.picture.failed') + reason });
    } finally {
      setSending(0);
      if (added.length > 0) onChange([...urls, ...added]);
    }
  };

  return (
    <Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, flexWrap: 'wrap' }}>
        <Button
          variant="outlined"
          size="medium"
          startIcon={<AddAPhoto />}
          disabled={sending > 0 || urls.length >= max}
          onClick={() => input.current?.click()}
        >
          {label}
          {required ? ' *' : ''}
        </Button>
        <Box component="span" sx={{ fontSize: 12, color: 'text.secondary' }}>
          {sending > 0
            ? translate('stations.picture.sending', { smart_count: sending })
            : translate('stations.picture.count', { count: urls.length, max })}
        </Box>
        <Box role="status" sx={{ fontSize: 12, minHeight: 16, color: told ? `${told.kind}.main` : undefined }}>
          {told?.text}
        </Box>
      </Box>
      <input
        ref={input}
        type="file"
        hidden
        multiple={maxAtOnce > 1}
        accept={withLogs ? '.jpg,.jpeg,.png,.txt' : '.jpg,.jpeg,.png'}
        aria-label={label}
        onChange={(it) => void onFiles(it)}
      />
      <Pictures urls={urls} onRemove={(url) => onChange(urls.filter((it) => it !== url))} />
    </Box>
  );
}
