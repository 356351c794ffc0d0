import { useLayoutEffect, useState } from 'react';
import Box from '@mui/material/Box';
import AddAPhoto from '@mui/icons-material/AddAPhoto';
import { useTranslate } from 'ra-core';
import { endingsOfAll, LARGEST_FILE, LARGEST_RAW } from '#domain/uploads.ts';
import { FileButton } from '#app/parts/FileButton.tsx';
import { DropZone } from '#app/parts/DropZone.tsx';
import { Pictures } from '#app/parts/Pictures.tsx';
import { useShowError } from '#app/parts/scan/stationLine.ts';
import { compressed, isLogFile, isPictureFile } from '#app/parts/pictures.ts';
import { UploadTiles } from '#app/parts/UploadTiles.tsx';
import { useUploads, useWhyOpen, serverMessageOf } from '#app/parts/useUploads.ts';

interface Props {
  label: string;
  urls: readonly string[];
  /**
   * One has arrived: of the place for which it was chosen, whatever is shown by then. It is added to what that place holds
   * at that time.
   */
  onArrive: (url: string) => void;
  onRemove: (url: string) => void;
  /** Why what is submitted now would go without some that were chosen; nothing where all have arrived. */
  onOpen: (why: string) => void;
  /** How many pictures this place holds, and how many go in one go. */
  max: number;
  maxAtOnce?: number;
  /** Machine logs (.txt) as well. */
  withLogs?: boolean;
  required?: boolean;
}

type UploadMessage = { kind: 'error' | 'success'; text: string } | null;
class TooLarge extends Error {}

/**
 * Pictures, chosen, dropped or pasted: made small and sent at once, each with its preview and its own progress; a line
 * below says what came of it. Rule: uploads#pictures.
 */
export function PictureUpload(props: Props) {
  const { label, urls, onArrive, onRemove, onOpen, max, maxAtOnce = max, withLogs = false, required } = props;
  const translate = useTranslate();
  const [message, setMessage] = useState<UploadMessage>(null);
  const showError = useShowError();
  const refuse = (text: string) => {
    setMessage({ kind: 'error', text });
    showError(text);
  };
  const no = (key: string, args?: Record<string, unknown>) => refuse(translate(`stations.picture.${key}`, args));

  const { uploads, add, retry, cancel } = useUploads({
    path: '/api/RmaPicture/upload.json',
    prepare: async (file, signal) => {
      const blob = isPictureFile(file) ? await compressed(file, signal) : file;
      if (blob.size > LARGEST_FILE) throw new TooLarge();
      return blob;
    },
    onArrived: onArrive,
    onQuiet: (arrived, failure) => {
      if (failure instanceof TooLarge) return no('tooLarge');
      if (failure) return refuse([translate('stations.picture.failed'), serverMessageOf(failure)].join(' ').trim());
      if (arrived > 0) setMessage({ kind: 'success', text: translate('stations.picture.uploaded') });
    },
  });
  const present = urls.length + uploads.length;

  const take = (files: readonly File[]) => {
    if (files.length === 0) return no('none');
    if (files.length > maxAtOnce) return no('atMost', { max: maxAtOnce });
    if (present + files.length > max) return no('atMost', { max });
    if (files.some((it) => !isPictureFile(it) && !(withLogs && isLogFile(it)))) return no('format');
    if (files.some((it) => it.size > LARGEST_RAW)) return no('tooLarge');
    setMessage(null);
    add(files);
  };

  const onItsWay = uploads.filter((it) => it.failure === null).length;
  const isBusy = onItsWay > 0;
  const why = useWhyOpen()(uploads);
  // With the very picture that shows it: who sees that all have arrived may go on.
  useLayoutEffect(() => {
    onOpen(why);
    return () => onOpen('');
  }, [why, onOpen]);
  /** What was said of it is over. */
  const settle = (id: number) => {
    if (uploads.some((it) => it.failure !== null && it.id !== id)) return;
    setMessage(null);
    showError('');
  };
  return (
    <DropZone onFiles={take}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, flexWrap: 'wrap' }}>
        <FileButton
          label={label}
          required={required}
          icon={<AddAPhoto />}
          accept={endingsOfAll(withLogs ? ['picture', 'text'] : ['picture'])}
          many={maxAtOnce > 1}
          disabled={present >= max}
          onFiles={take}
        />
        <Box component="span" sx={{ fontSize: 12, color: 'text.secondary' }}>
          {isBusy
            ? translate('stations.picture.sending', { smart_count: onItsWay })
            : translate('stations.picture.count', { count: urls.length, max })}
        </Box>
        <Box role="status" sx={{ fontSize: 12, minHeight: 16, color: message ? `${message.kind}.main` : undefined }}>
          {message?.text}
        </Box>
      </Box>
      <Pictures urls={urls} onRemove={onRemove} />
      <UploadTiles
        uploads={uploads}
        onCancel={(id) => {
          settle(id);
          cancel(id);
        }}
        onRetry={(id) => {
          settle(id);
          retry(id);
        }}
      />
    </DropZone>
  );
}
