import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslate } from 'ra-core';
import Backdrop from '@mui/material/Backdrop';
import CircularProgress from '@mui/material/CircularProgress';
import { useNotices } from '#app/notify.ts';
import type { DialogProps } from '#app/parts/dialog.ts';
import { compressed, isPictureFile } from '#app/parts/pictures.ts';
import { uploadFile } from '#app/parts/uploadFile.ts';
import { isRefusal, send } from '#app/send.ts';
import { useUser } from '#app/session.ts';
import { imageLimits, joinUrls } from '#domain/images.ts';
import { LARGEST_FILE } from '#domain/uploads.ts';
import { supplementCheckPicture } from './contract.ts';

/**
 * No form: the toolbar's button opens the file chooser, and what is chosen is uploaded for the selected row.
 * Rule: screens#dialogs.
 */
export default function CheckPicturesDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const input = useRef<HTMLInputElement>(null);
  const [sending, setSending] = useState(false);
  /** Chosen, and not sent since the session was lost. */
  const unsent = useRef<readonly File[]>([]);
  const token = useUser()?.token;
  const [row] = rows;

  const close = useEffectEvent(() => onClose());
  // Opened once; the row for which it was opened does not change.
  useEffect(() => {
    const field = input.current;
    const cancelled = () => close();
    field?.addEventListener('cancel', cancelled);
    field?.click();
    return () => field?.removeEventListener('cancel', cancelled);
  }, []);

  const refused = (files: readonly File[]): string => {
    if (files.length === 0) return translate('stations.picture.none');
    if (files.length > imageLimits.makeup) return translate('stations.picture.atMost', { max: imageLimits.makeup });
    return files.every(isPictureFile) ? '' : translate('stations.picture.format');
  };
  const upload = async (files: readonly File[]) => {
    const wrong = refused(files);
    if (wrong || !row) {
      notices.warning(wrong);
      return onClose();
    }
    setSending(true);
    try {
      const urls: string[] = [];
      for (const file of files) {
        const small = await compressed(file);
        if (small.size > LARGEST_FILE) throw new Error('size');
        const { url } = await uploadFile<{ url: string }>('/api/RmaPicture/uploadBillPic.json', small, file.name);
        urls.push(url);
      }
      await send(supplementCheckPicture, { id: String(row.id), checkUrls: joinUrls(urls) });
      notices.success(translate('shell.rowAction.finished', { action: button.btnName }));
      onDone();
    } catch (error) {
      if (isRefusal(error, 'noSession')) {
        unsent.current = files;
        return;
      }
      if (error instanceof Error && error.message === 'size') notices.warning(translate('stations.picture.tooLarge'));
      else notices.failed(button.btnName, error);
    }
    onClose();
  };
  const sendUnsent = useEffectEvent(() => {
    const files = unsent.current;
    unsent.current = [];
    if (files.length > 0) void upload(files);
  });
  // Whoever comes back finds nothing to press again.
  useEffect(() => sendUnsent(), [token]);
  return (
    <>
      <input
        hidden
        multiple
        ref={input}
        type="file"
        accept="image/jpeg,image/png"
        aria-label={button.btnName}
        onChange={(event) => void upload([...(event.target.files ?? [])])}
      />
      <Backdrop open={sending} role="status" aria-label={translate('shell.checkPictures.uploading')}>
        <CircularProgress />
      </Backdrop>
    </>
  );
}
