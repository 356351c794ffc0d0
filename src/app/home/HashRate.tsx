import { Link } from 'react-router-dom';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import { type Coin, type Dashboard } from '#app/home/dashboard.ts';
import { useDrillAddress } from '#app/parts/listPage.ts';
import { useNotices } from '#app/notify.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { toOptions } from '#app/parts/toOptions.ts';
import { readAnew } from '#app/queryClient.ts';
import { sendTo } from '#app/send.ts';
import { currentToken } from '#app/session.ts';
import { tabularSx } from '#app/theme.ts';

/** The coin whose hash rate is watched; without coins there is no selection. Rule: hash-rate#coins. */
export default function HashRate({ coins, hashRate }: Pick<Dashboard, 'coins' | 'hashRate'>) {
  const translate = useTranslate();
  const notices = useNotices();
  const queries = useQueryClient();
  const addressOf = useDrillAddress();
  if (coins.length === 0) return null;
  const choose = async (coinName: string) => {
    const call = { method: 'GET', path: '/api/coinChange.json', writes: true } as const;
    try {
      await sendTo(call, { token: currentToken.get(), coinName });
      await readAnew(queries, { queryKey: ['dashBoard'] });
    } catch (error) {
      notices.failed(translate('shell.home.coin'), error);
    }
  };
  const address = addressOf(hashRate?.drills.accounts);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, justifyContent: 'flex-end', whiteSpace: 'nowrap' }}>
      {hashRate && (
        <Box
          {...(address === undefined ? { component: 'span' } : { component: Link, to: address })}
          sx={{ color: 'text.secondary', fontSize: 13 }}
        >
          <Box component="span" sx={{ color: 'text.primary', fontWeight: 600, ...tabularSx }}>
            {rateOf(hashRate.rate)}
          </Box>{' '}
          {translate('shell.home.online', { count: hashRate.online, smart_count: hashRate.accounts })}
        </Box>
      )}
      <Choice
        place="inside"
        minWidth={140}
        label={translate('shell.home.coin')}
        value={findSelected(coins)}
        options={toOptions(coins)}
        onChange={(coin) => void choose(coin)}
      />
    </Box>
  );
}

const findSelected = (coins: readonly Coin[]) => coins.find((it) => it.selected)?.value ?? '';

/** TH/s, PH/s from a thousand on. Rule: hash-rate#spans. */
const rateOf = (rate: number): string =>
  rate >= 1000
    ? `${(rate / 1000).toLocaleString('en-US', { maximumFractionDigits: 2 })} PH/s`
    : `${rate.toLocaleString('en-US', { maximumFractionDigits: 1 })} TH/s`;
