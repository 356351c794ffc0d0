import {
  type ClipboardEvent,
  type KeyboardEvent,
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useRef,
  useState,
} from 'react';
import IconButton from '@mui/material/IconButton';
import InputBase from '@mui/material/InputBase';
import NoPhotography from '@mui/icons-material/NoPhotography';
import PhotoCamera from '@mui/icons-material/PhotoCamera';
import QrCodeScanner from '@mui/icons-material/QrCodeScanner';
import { useTranslate } from 'ra-core';
import { isUnseen } from '#domain/signs.ts';
import { useHasCamera } from '#app/parts/scan/useHasCamera.ts';
import { monospace } from '#app/theme.ts';

/**
 * Puts letters where the caret is, those of one frame at once. The browser's own editing lays the page out for each of
 * them: at a scanner's speed, beside a list that grows, that alone is more than it can do.
 */
function useTyping(field: RefObject<HTMLInputElement | null>) {
  const letters = useRef('');
  const put = useCallback(() => {
    const input = field.current;
    if (input && letters.current !== '')
      input.setRangeText(letters.current, input.selectionStart ?? 0, input.selectionEnd ?? 0, 'end');
    letters.current = '';
  }, [field]);
  const type = (letter: string) => {
    if (letters.current === '') requestAnimationFrame(put);
    letters.current += letter;
  };
  /** Somebody else writes into the field: what was not put there yet is over. */
  const drop = () => {
    letters.current = '';
  };
  return { type, put, drop };
}

/** What codes are made of; everything else is the browser's own. */
const isOfCode = (key: string): boolean => /^[\w%-]$/.test(key);

const CameraScan = lazy(() => import('#app/parts/scan/CameraScan.tsx'));

interface Props {
  field: RefObject<HTMLInputElement | null>;
  onScan: (text: string) => void;
  /** What may be scanned here besides an SN, in words. */
  hint?: string;
  label?: string;
}

/** The field that every scan ends in: never disabled, 56 px, its ring visible from two metres. */
export function ScanField({ field, onScan, hint, label }: Props) {
  const translate = useTranslate();
  const enterInComposition = useRef(false);
  const { type, put, drop } = useTyping(field);
  const hasCamera = useHasCamera();
  const [camera, setCamera] = useState(false);
  const name = label ?? translate('stations.scanField');

  const confirm = (input: HTMLInputElement) => {
    const text = input.value;
    input.value = '';
    onScan(text);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const input = event.currentTarget;
    // Under an input method the letters are its own until it gives them.
    if (isOfCode(event.key) && !event.nativeEvent.isComposing) {
      event.preventDefault();
      return type(event.key);
    }
    put();
    if (event.key === 'Escape') input.value = '';
    // A scanner may be set to end its codes with a Tab, and the next code belongs here as well.
    const isEnd = event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey && input.value !== '');
    if (!isEnd) return;
    event.preventDefault();
    // With a Chinese input method on, the Enter of a scanner first ends the composition; what it leaves is the code.
    if (event.nativeEvent.isComposing) enterInComposition.current = true;
    else confirm(input);
  };
  // A column of a spreadsheet is one scan a line; the browser would make one text of it.
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const texts = event.clipboardData
      .getData('text')
      .split(/[\r\n\t]+/)
      .filter((it) => !isUnseen(it));
    if (texts.length < 2) return;
    event.preventDefault();
    event.currentTarget.value = '';
    texts.forEach(onScan);
  };
  const onCompositionEnd = () => {
    if (!enterInComposition.current || !field.current) return;
    enterInComposition.current = false;
    confirm(field.current);
  };

  return (
    <>
      <InputBase
        inputRef={field}
        fullWidth
        placeholder={hint ?? name}
        startAdornment={<QrCodeScanner sx={{ mr: 3, color: 'text.secondary' }} aria-hidden />}
        onCompositionEnd={onCompositionEnd}
        onChange={drop}
        endAdornment={
          hasCamera && (
            <IconButton
              tabIndex={-1}
              aria-label={translate(camera ? 'stations.camera.close' : 'stations.camera.open')}
              onClick={() => setCamera(!camera)}
            >
              {camera ? <NoPhotography /> : <PhotoCamera />}
            </IconButton>
          )
        }
        inputProps={{
          'aria-label': name,
          'data-scan': 'field',
          autoComplete: 'off',
          autoCapitalize: 'characters',
          autoCorrect: 'off',
          spellCheck: false,
          enterKeyHint: 'done',
          onKeyDown,
          onPaste,
        }}
        sx={{
          height: 56,
          px: 4,
          flex: 'none',
          fontFamily: monospace,
          fontSize: 22,
          fontWeight: 600,
          bgcolor: 'background.paper',
          border: 2,
          borderColor: 'outline',
          borderRadius: 1,
          '&.Mui-focused': {
            borderColor: 'primary.main',
            boxShadow: (it) => `0 0 0 3px ${it.palette.action.selected}`,
          },
          '& input::placeholder': { fontFamily: (it) => it.typography.fontFamily, fontWeight: 400, fontSize: 18 },
        }}
      />
      {hasCamera && camera && (
        <Suspense fallback={null}>
          <CameraScan onScan={onScan} />
        </Suspense>
      )}
    </>
  );
}
