import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { useLanguage } from '#app/session.ts';
import { ProblemList } from './ProblemList.tsx';
import type { Publishing } from './usePublishing.ts';

interface Props {
  kind: 'publish' | 'takeBack';
  publishing: Publishing | null | undefined;
}

/** That something is published or taken back, and what the database could not take of it; nothing where it took all. */
export function LeftOutNote({ kind, publishing }: Props) {
  const translate = useTranslate();
  const lang = useLanguage();
  if (publishing?.state !== 'done' || publishing.leftOut.length === 0) return null;
  const { id, leftOut } = publishing;
  return (
    <Alert severity="warning" role="status" sx={{ '.MuiAlert-message': { minWidth: 0, overflowWrap: 'anywhere' } }}>
      {translate(`studio.${kind}.leftOut`, { id })}
      <ProblemList problems={leftOut} placeOf={(it) => it.place[lang] || translate('studio.publish.everywhere')} />
      <Box sx={{ mt: 2 }}>{translate('studio.publish.again')}</Box>
    </Alert>
  );
}

/** The same within a modal: to be read before that is left. */
export function LeftOut({ onClose, ...note }: Props & { onClose: () => void }) {
  const translate = useTranslate();
  return (
    <>
      <DialogContent>
        <LeftOutNote {...note} />
      </DialogContent>
      <DialogActions>
        <Button autoFocus variant="contained" onClick={onClose}>
          {translate('ra.action.close')}
        </Button>
      </DialogActions>
    </>
  );
}
