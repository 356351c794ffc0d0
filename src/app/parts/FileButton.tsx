import { type ReactNode, useEffect, useRef } from 'react';
import Button from '@mui/material/Button';
import { useTranslate } from 'ra-core';

interface Props {
  label: string;
  /** Told after the label, where something must be chosen. */
  required?: boolean | undefined;
  icon: ReactNode;
  /** The endings that are taken, without their dots. */
  accept: readonly string[];
  many: boolean;
  disabled: boolean;
  /** What was chosen; nothing when the chooser was closed without a choice. */
  onFiles: (files: File[]) => void;
}

/** The button that opens the browser's file chooser. */
export function FileButton({ label, required = false, icon, accept, many, disabled, onFiles }: Props) {
  const translate = useTranslate();
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  // React has no such property for an input: the chooser was closed without a choice.
  useEffect(() => {
    const field = input.current;
    const none = () => latest.current([]);
    field?.addEventListener('cancel', none);
    return () => field?.removeEventListener('cancel', none);
  }, []);
  return (
    <>
      <Button
        variant="outlined"
        size="medium"
        startIcon={icon}
        disabled={disabled}
        title={translate('stations.picture.ways')}
        onClick={() => input.current?.click()}
      >
        {label}
        {required && ' *'}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={many}
        accept={accept.map((it) => `.${it}`).join(',')}
        aria-label={label}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          onFiles(files);
        }}
      />
    </>
  );
}
