import { useNavigate } from 'react-router-dom';
import { useForm } from 'react-hook-form';
import { useLogout, useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import { findPasswordFault } from '#domain/password.ts';
import { useNotices } from '#app/notify.ts';
import { useUser } from '#app/session.ts';
import { changePassword } from '#app/sessionCalls.ts';
import { HOME } from '#app/shell/tabs.ts';
import { LabelledInput } from '#app/sign-in/LabelledInput.tsx';

interface Entered {
  old: string;
  next: string;
  again: string;
}

/** After a change the user signs in anew with it. Rule: sessions#passwords. */
export default function ChangePasswordPage() {
  const translate = useTranslate();
  const notices = useNotices();
  const navigate = useNavigate();
  const logout = useLogout();
  const user = useUser();
  const { register, handleSubmit, formState, getValues } = useForm<Entered>({
    mode: 'onBlur',
    defaultValues: { old: '', next: '', again: '' },
  });
  const errors = formState.errors;

  const submit = async ({ old, next }: Entered) => {
    try {
      await changePassword({ userId: user?.userId ?? '', password: old, newpassword: next });
    } catch (error) {
      notices.failed(translate('shell.user.changePassword'), error);
      return;
    }
    notices.success(translate('shell.password.changed'));
    await logout({ isOver: true });
  };
  const cancel = () => (window.history.state?.idx > 0 ? navigate(-1) : navigate(HOME));

  return (
    <Box sx={{ p: 4, display: 'flex', justifyContent: 'center' }}>
      <Paper variant="outlined" sx={{ width: '100%', maxWidth: 480, p: 6, mt: 4 }}>
        {user?.mustChangePassword && (
          <Alert severity="warning" variant="outlined" sx={{ mb: 4 }}>
            {translate('shell.password.must')}
          </Alert>
        )}
        <form noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
          <LabelledInput
            label={translate('shell.password.old')}
            type="password"
            autoComplete="current-password"
            error={errors.old?.message}
            {...register('old', { validate: (it) => it !== '' || translate('shell.password.oldRequired') })}
          />
          <LabelledInput
            label={translate('shell.password.new')}
            type="password"
            autoComplete="new-password"
            error={errors.next?.message}
            {...register('next', {
              validate: (it) => {
                const fault = findPasswordFault(it);
                return fault === null || translate(`shell.password.${fault}`);
              },
            })}
          />
          <LabelledInput
            label={translate('shell.password.again')}
            type="password"
            autoComplete="new-password"
            error={errors.again?.message}
            {...register('again', {
              validate: (it) => {
                if (it === '') return translate('shell.password.againRequired');
                return it === getValues('next') || translate('shell.password.mismatch');
              },
            })}
          />
          <Box sx={{ color: 'text.secondary', fontSize: 12, mb: 4 }}>{translate('shell.password.help')}</Box>
          <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 2 }}>
            {!user?.mustChangePassword && (
              <Button variant="outlined" size="medium" onClick={() => void cancel()}>
                {translate('ra.action.cancel')}
              </Button>
            )}
            <Button type="submit" variant="contained" size="medium" loading={formState.isSubmitting}>
              {translate('ra.action.confirm')}
            </Button>
          </Box>
        </form>
      </Paper>
    </Box>
  );
}
