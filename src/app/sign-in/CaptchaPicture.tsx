import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Refresh from '@mui/icons-material/Refresh';
import { type Captcha, fetchCaptcha } from '#app/sessionCalls.ts';

export interface CaptchaState extends Captcha {
  refresh: () => Promise<unknown>;
}

const none: Captcha = { captcha: '', uuid: '', off: false, demoUsers: [], demoPassword: '', ssoLoginUrl: '' };

/** The newest picture and its uuid; a picture serves for one attempt. */
export function useCaptcha(): CaptchaState {
  const { data, refetch } = useQuery({
    queryKey: ['captcha'],
    queryFn: ({ signal }) => fetchCaptcha(signal),
    gcTime: 0,
    staleTime: Infinity,
  });
  return { ...(data ?? none), refresh: refetch };
}

export function CaptchaPicture({ captcha }: { captcha: CaptchaState }) {
  const translate = useTranslate();
  const label = translate('shell.login.captchaRefresh');
  return (
    <ButtonBase
      aria-label={label}
      title={label}
      onClick={() => void captcha.refresh()}
      sx={{
        mt: '22px',
        height: 38,
        borderRadius: 1,
        border: 1,
        borderColor: 'divider',
        bgcolor: '#fff',
        overflow: 'hidden',
        position: 'relative',
        '&:hover .again, &:focus-visible .again': { opacity: 1 },
      }}
    >
      {captcha.captcha ? (
        <Box
          component="img"
          src={captcha.captcha}
          alt={translate('shell.login.captchaPicture')}
          sx={{ width: '100%', height: '100%', objectFit: 'contain' }}
        />
      ) : (
        <Refresh sx={{ color: '#55606c' }} />
      )}
      <Refresh
        className="again"
        sx={{ position: 'absolute', right: 4, bottom: 4, fontSize: 14, opacity: 0, color: '#55606c' }}
      />
    </ButtonBase>
  );
}
