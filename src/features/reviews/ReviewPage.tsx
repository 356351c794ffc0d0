import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useRefresh, useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { REMARK_LENGTH } from '#domain/enums.ts';
import { ReviewResult, reviewStep, type ReviewAction, type ReviewedModule } from '#domain/review.ts';
import DetailPage from '#app/engine/DetailPage.tsx';
import { moduleOf } from '#app/engine/module.ts';
import { useDetail } from '#app/engine/useDetail.ts';
import { useNotices } from '#app/notify.ts';
import type { PageProps } from '#app/parts/page.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { findTabAddress } from '#app/shell/tabs.ts';
import { reviewCall } from './contract.ts';

/**
 * A bill to be judged: what its detail shows, and below it the decision. The detail that is opened to read has no
 * decision. Rule: money#reviews.
 */
export function ReviewPage({ menuNo, id = '', action }: PageProps & { action: ReviewAction }) {
  const translate = useTranslate();
  const { data } = useDetail(menuNo, id);
  const module = moduleOf(menuNo) as ReviewedModule;
  const waits = data?.['billStatus'] === reviewStep(module, action)?.from;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100%' }}>
      <Box sx={{ flex: 1 }}>
        <DetailPage menuNo={menuNo} id={id} />
      </Box>
      {data && !waits && (
        <Alert severity="info" sx={{ m: 4, mt: 0 }}>
          {translate('bills.review.notWaiting')}
        </Alert>
      )}
      {data && waits && <Decision menuNo={menuNo} id={data.id} module={module} action={action} />}
    </Box>
  );
}

interface DecisionProps {
  menuNo: string;
  id: number;
  module: ReviewedModule;
  action: ReviewAction;
}

function Decision({ menuNo, id, module, action }: DecisionProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const [call] = useState(() => reviewCall(module, action, 'POST'));
  const { submit, sending, problem } = useSubmit(call);
  const [remark, setRemark] = useState('');
  const [missesReason, setMissesReason] = useState(false);

  const decide = async (result: ReviewResult) => {
    const isReasonMissing = result === ReviewResult.NotPassed && remark.trim() === '';
    setMissesReason(isReasonMissing);
    if (isReasonMissing) return;
    if (!(await submit({ id, result, remark: remark.trim() || null }))) return;
    notices.success(translate(result === ReviewResult.Passed ? 'bills.review.passed' : 'bills.review.notPassed'));
    refresh();
    void navigate(findTabAddress(`/${menuNo}`));
  };
  return (
    <Box
      component="footer"
      aria-label={translate(`bills.review.${action}`)}
      sx={{
        position: 'sticky',
        bottom: 0,
        zIndex: 2,
        px: 4,
        py: 2,
        borderTop: 1,
        borderColor: 'divider',
        bgcolor: 'background.paper',
      }}
    >
      {problem && (
        <Alert severity="error" role="alert" sx={{ mb: 2 }}>
          {problem}
        </Alert>
      )}
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'flex-start', flexWrap: 'wrap' }}>
        <TextField
          label={translate('bills.review.remark')}
          value={remark}
          error={missesReason}
          helperText={missesReason ? translate('bills.review.whyNot') : ' '}
          onChange={(it) => setRemark(it.target.value)}
          slotProps={{ htmlInput: { maxLength: REMARK_LENGTH } }}
          sx={{ flex: '1 1 280px' }}
        />
        <Button variant="outlined" color="error" disabled={sending} onClick={() => void decide(ReviewResult.NotPassed)}>
          {translate('bills.review.fail')}
        </Button>
        <Button variant="contained" loading={sending} onClick={() => void decide(ReviewResult.Passed)}>
          {translate('bills.review.pass')}
        </Button>
      </Box>
    </Box>
  );
}
