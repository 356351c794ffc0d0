import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Refresh from '@mui/icons-material/Refresh';
import { type Captcha, fetchCaptcha } from '#app/sessionCalls.ts';

interface CaptchaState extends Captcha {
  refresh: () => Promise<unknown>;
  /** Whether none is asked for, once the server has said so: until then `off` does not know. */
  isOff: () => Promise<boolean>;
}

const none: Captcha = { captcha: '', uuid: '', off: false, demoUsers: [], demoPassword: '', ssoLoginUrl: '' };

const newest = queryOptions({
  queryKey: ['captcha'],
  queryFn: ({ signal }) => fetchCaptcha(signal),
  gcTime: 0,
  staleTime: Infinity,
});

/** The newest picture and its uuid; a picture serves for one attempt. */
export function useCaptcha(): CaptchaState {
  const client = useQueryClient();
  const { data, refetch } = useQuery(newest);
  const isOff = () =>
    client.ensureQueryData(newest).then(
      (it) => it.off,
      () => false,
    );
  return { ...(data ?? none), refresh: refetch, isOff };
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
        // From the top of the field's label to the bottom of the field: letters that a person has to make out.
        height: 60,
        borderRadius: 1,
        bgcolor: 'action.hover',
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
          sx={{ width: '100%', height: '100%', objectFit: 'cover' }}
        />
      ) : (
        <Refresh sx={{ color: 'text.secondary' }} />
      )}
      <Refresh
        className="again"
        sx={{
          position: 'absolute',
          right: 4,
          bottom: 4,
          fontSize: 18,
          opacity: 0,
          color: 'text.primary',
          bgcolor: 'background.paper',
          borderRadius: 1,
        }}
      />
    </ButtonBase>
  );
}
