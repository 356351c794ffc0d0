import { lazy, Suspense, useEffect, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { useForm } from 'react-hook-form';
import { useLogin, useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Paper from '@mui/material/Paper';
import { HOME } from '#app/authProvider.ts';
import { preload } from '#app/preload.ts';
import { notices, useOpenNotices, useReasonOf } from '#app/notify.ts';
import { useToken, useUser } from '#app/session.ts';
import type { Credentials } from '#app/sessionCalls.ts';
import { LanguageLinks } from '#app/shell/LanguageLinks.tsx';
import { Mark } from '#app/shell/Logo.tsx';
import { ThemeSwitch } from '#app/shell/ThemeSwitch.tsx';
import { CaptchaPicture, useCaptcha } from '#app/sign-in/CaptchaPicture.tsx';
import { LabelledInput } from '#app/sign-in/LabelledInput.tsx';
import { useTicket } from '#app/sign-in/useTicket.ts';

const DemoUsers = lazy(() => import('#app/sign-in/DemoUsers.tsx'));

type Entered = Omit<Credentials, 'uuid'>;

/** Reachable only while nobody is signed in. Rule: sessions#login-page. */
export function LoginPage() {
  return useToken() === '' ? <LoginForm /> : <Navigate to={HOME} replace />;
}

/** Notices stand above the card, as high as they may be: on a phone one has four lines and each more has three. */
const roomAbove = (notices: number) =>
  notices === 0
    ? { xs: 4, sm: '10vh' }
    : { xs: `min(${100 + (notices - 1) * 56}px, 40vh)`, sm: `max(10vh, ${84 + (notices - 1) * 48}px)` };

function LoginForm() {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const login = useLogin();
  const captcha = useCaptcha();
  const keepsPages = useUser() !== null;
  const [refusal, setRefusal] = useState('');
  const signsIn = useTicket((ticket) => login(ticket).catch((error: unknown) => setRefusal(reasonOf(error))));
  const { register, handleSubmit, formState, resetField, clearErrors, setFocus, setValue } = useForm<Entered>({
    mode: 'onBlur',
    defaultValues: { userId: '', password: '', captcha: '' },
  });

  const pt = roomAbove(useOpenNotices().length);
  // Words of the moment: the language is often chosen after the first mistake.
  const wrong = (name: keyof Entered) => {
    const key = formState.errors[name]?.message;
    return key && translate(key);
  };
  useEffect(() => {
    document.title = translate('shell.title');
  }, [translate]);

  const submit = async (entered: Entered) => {
    setRefusal('');
    void preload(HOME);
    notices.closeAll();
    try {
      await login({ ...entered, uuid: captcha.uuid });
    } catch (error) {
      setRefusal(reasonOf(error));
      resetField('captcha');
      // Not waited for: a form that is still sending takes no Enter, and whoever reads the refusal types on at once.
      void captcha.refresh();
    }
  };

  return (
    <Box
      component="main"
      sx={{
        minHeight: '100dvh',
        bgcolor: 'background.default',
        color: 'text.primary',
        display: 'grid',
        gridTemplateRows: 'auto 1fr auto',
      }}
    >
      <Box sx={{ display: 'flex', justifyContent: 'flex-end', alignItems: 'center', p: 3, gap: 1 }}>
        <LanguageLinks />
        <ThemeSwitch />
      </Box>
      <Box sx={{ display: 'flex', justifyContent: 'center', alignItems: 'flex-start', px: 4, pt }}>
        <Paper variant="outlined" sx={{ width: '100%', maxWidth: 400, p: 8 }}>
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, mb: 6 }}>
            <Mark size={36} />
            <Box>
              <Box component="h1" sx={{ m: 0, fontSize: 18, lineHeight: '24px', fontWeight: 600 }}>
                {translate('shell.title')}
              </Box>
              <Box sx={{ color: 'text.secondary', fontSize: 12 }}>Reflow</Box>
            </Box>
          </Box>
          <form noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
            <LabelledInput
              label={translate('shell.login.userId')}
              error={wrong('userId')}
              autoComplete="username"
              autoFocus
              {...register('userId', {
                validate: (it) => it.trim() !== '' || 'shell.login.userIdRequired',
                onChange: () => clearErrors('userId'),
              })}
            />
            <LabelledInput
              label={translate('shell.login.password')}
              error={wrong('password')}
              type="password"
              autoComplete="current-password"
              {...register('password', {
                validate: (it) => it !== '' || 'shell.login.passwordRequired',
                onChange: () => clearErrors('password'),
              })}
            />
            {!captcha.off && (
              <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 180px', columnGap: 3 }}>
                <LabelledInput
                  label={translate('shell.login.captcha')}
                  error={wrong('captcha')}
                  autoComplete="off"
                  {...register('captcha', {
                    // Whoever is quicker than the server's answer has left out nothing that it does not ask for.
                    validate: async (it) =>
                      it.trim() !== '' || (await captcha.isOff()) || 'shell.login.captchaRequired',
                    onChange: () => clearErrors('captcha'),
                  })}
                />
                <CaptchaPicture captcha={captcha} />
              </Box>
            )}
            <Button type="submit" variant="contained" size="medium" fullWidth loading={formState.isSubmitting}>
              {translate(captcha.ssoLoginUrl ? 'shell.login.external' : 'shell.login.submit')}
            </Button>
            {captcha.ssoLoginUrl && (
              <Button
                variant="outlined"
                size="medium"
                fullWidth
                href={captcha.ssoLoginUrl}
                // Whoever leaves this window leaves the pages that stand behind the sign-in.
                {...(keepsPages && { target: '_blank', rel: 'noreferrer' })}
                sx={{ mt: 2 }}
              >
                {translate('shell.login.internal')}
              </Button>
            )}
            {captcha.ssoLoginUrl && keepsPages && (
              <Box sx={{ fontSize: 12, lineHeight: '18px', color: 'text.secondary', mt: 2 }}>
                {translate('shell.login.inNewWindow')}
              </Box>
            )}
            <Box sx={{ minHeight: 52, mt: 3, mb: 2 }} aria-live="polite">
              {signsIn && (
                <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, color: 'text.secondary' }}>
                  <CircularProgress size={18} />
                  {translate('shell.login.signingIn')}
                </Box>
              )}
              {refusal !== '' && (
                <Alert severity="error" variant="outlined">
                  {refusal}
                </Alert>
              )}
            </Box>
          </form>
          {captcha.off && (
            <Box sx={{ fontSize: 12, color: 'warning.main', mb: 3 }}>{translate('shell.login.captchaOff')}</Box>
          )}
          {captcha.demoUsers.length > 0 && (
            <Suspense fallback={null}>
              <DemoUsers
                users={captcha.demoUsers}
                onChoose={(userId) => {
                  setValue('userId', userId, { shouldValidate: true });
                  setValue('password', captcha.demoPassword, { shouldValidate: true });
                  if (captcha.off) void handleSubmit(submit)();
                  else setFocus('captcha');
                }}
              />
            </Suspense>
          )}
        </Paper>
      </Box>
      <Box sx={{ height: 48 }} />
    </Box>
  );
}
