import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import Box from '@mui/material/Box';

interface Props {
  onFiles: (files: File[]) => void;
  disabled?: boolean;
  children: ReactNode;
  /** Framed, as the one thing of a dialog. */
  framed?: boolean;
}

/** Takes files that are dropped on it, and those that are pasted anywhere while it is the last one that was opened. */
export function DropZone({ onFiles, disabled = false, children, framed = false }: Props) {
  const [isOver, setIsOver] = useState(false);
  usePastedFiles(onFiles, disabled);
  const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return (
    <Box
      onDragOver={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = disabled ? 'none' : 'copy';
        if (!disabled) setIsOver(true);
      }}
      onDragLeave={(event) => {
        const isInside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
        if (!isInside) setIsOver(false);
      }}
      onDrop={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setIsOver(false);
        if (!disabled) onFiles([...event.dataTransfer.files]);
      }}
      sx={{
        borderRadius: 1,
        ...(framed
          ? { border: '1px dashed', borderColor: isOver ? 'primary.main' : 'outline', p: 4 }
          : { outline: isOver ? '2px dashed' : 'none', outlineColor: 'primary.main', outlineOffset: 4 }),
        bgcolor: isOver ? 'action.hover' : undefined,
      }}
    >
      {children}
    </Box>
  );
}

type Take = (files: File[]) => void;
const takers: { take: Take }[] = [];

/** A pasted picture goes to one place alone: the one that was opened last. */
function usePastedFiles(take: Take, disabled: boolean): void {
  const own = useRef({ take });
  useEffect(() => {
    own.current.take = disabled ? () => undefined : take;
  });
  useEffect(() => {
    const it = own.current;
    takers.push(it);
    if (takers.length === 1) document.addEventListener('paste', onPaste);
    return () => {
      takers.splice(takers.indexOf(it), 1);
      if (takers.length === 0) document.removeEventListener('paste', onPaste);
    };
  }, []);
}

function onPaste(event: ClipboardEvent): void {
  const files = [...(event.clipboardData?.files ?? [])];
  if (files.length === 0) return;
  event.preventDefault();
  takers.at(-1)?.take(files);
}
