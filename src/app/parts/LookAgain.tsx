import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';

interface Props {
  /** What has changed, as the refusal says it. */
  text: string;
  onLook: () => void;
}

/** That what was decided by has changed since it was shown, and the way to look again. Rule: writing#what-was-seen. */
export function LookAgain({ text, onLook }: Props) {
  const translate = useTranslate();
  return (
    <Alert severity="warning" role="alert">
      {text}
      <div>
        <Button variant="outlined" color="inherit" size="small" onClick={onLook} sx={{ mt: 1 }}>
          {translate('shell.seen.look')}
        </Button>
      </div>
    </Alert>
  );
}
