import { useState, type FormEvent } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import { MAX_NAME, type ListView } from '#domain/listView.ts';
import { isUnseen } from '#domain/signs.ts';
import type { ListLook } from '#app/engine/list/useListView.ts';
import { useReasonOf } from '#app/notify.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { isRefusal } from '#app/send.ts';

interface ViewDialogProps {
  look: ListLook;
  /** The view to rename or share; left out, the list as it stands is kept as a new one. */
  view: ListView | null;
  onClose: () => void;
}

/** A view's name and, for who may share, the role that sees it. What is wrong is said at the name. */
export default function ViewDialog({ look, view, onClose }: ViewDialogProps) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState<{ roleId: string; role?: number }>({ roleId: view?.roleId ?? '' });
  const [wrong, setWrong] = useState('');
  const [isBusy, setBusy] = useState(false);
  const { roles } = look.views;
  const verb = translate(view ? 'lists.views.save' : 'lists.views.keepAction');

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isUnseen(name)) return setWrong(translate('lists.views.nameRequired'));
    setBusy(true);
    try {
      const to = shared.roleId === '' ? { roleId: null } : shared;
      if (view) await look.views.update(view, { name, ...(to.roleId !== view.roleId && to) });
      else look.choose(await look.views.add(name, to, look.state()));
      onClose();
    } catch (error) {
      setWrong(reasonOf(error));
      if (isRefusal(error, 'roleOther')) void look.views.readAgain();
      setBusy(false);
    }
  };

  return (
    <Dialog open onClose={onClose} maxWidth="xs" aria-labelledby="view-dialog">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <DialogTitle id="view-dialog">
          {translate(view ? 'lists.views.editTitle' : 'lists.views.keepTitle')}
        </DialogTitle>
        <DialogContent>
          <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, pt: 2 }}>
            <TextField
              label={translate('lists.views.name')}
              value={name}
              required
              autoFocus
              error={wrong !== ''}
              // The room for it is there before it is needed.
              helperText={wrong || ' '}
              slotProps={{ htmlInput: { maxLength: MAX_NAME } }}
              onChange={(event) => {
                setName(event.target.value);
                setWrong('');
              }}
            />
            {roles.length > 0 && (
              <Choice
                label={translate('lists.views.share')}
                value={shared.roleId}
                options={roles.map((it) => ({ value: it.roleId, label: it.name }))}
                none={translate('lists.views.nobody')}
                hint={translate('lists.views.shareHint')}
                onChange={(roleId) => {
                  const role = roles.find((it) => it.roleId === roleId)?.id;
                  setShared({ roleId, ...(role !== undefined && { role }) });
                }}
              />
            )}
          </Box>
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" size="medium" color="inherit" onClick={onClose}>
            {translate('ra.action.cancel')}
          </Button>
          <Button type="submit" variant="contained" size="medium" loading={isBusy}>
            {verb}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
