import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import Skeleton from '@mui/material/Skeleton';
import DownloadOutlined from '@mui/icons-material/DownloadOutlined';
import { useReasonOf } from '#app/notify.ts';
import type { PageProps } from '#app/parts/page.ts';
import { ReadFailure } from '#app/parts/ReadFailure.tsx';
import { sendTo } from '#app/send.ts';
import { useLanguage, useUser } from '#app/session.ts';
import type { ToolbarButton } from '#app/engine/wire.ts';
import { formOf, groups, isKind } from '#domain/reports.ts';
import ReportDialog from './ReportDialog.tsx';

const buttonsCall = { method: 'GET', path: '/api/sysBtn/queryByMenuNo.json', writes: false } as const;

/** All reports that the user has a right to, in groups; each opens its dialog. */
export default function ReportsPage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const language = useLanguage();
  const access = useUser()?.access ?? [];
  const [open, setOpen] = useState<ToolbarButton | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: [menuNo, 'buttons', language],
    queryFn: ({ signal }) => sendTo<{ items: ToolbarButton[] }>(buttonsCall, { menuNo }, { signal }),
  });
  const reports = (data?.items ?? []).filter((it) => isKind(it.btnNo));

  return (
    <Box sx={{ p: 4, pt: 2, display: 'flex', flexDirection: 'column', gap: 4, maxWidth: 1200 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 32 }}>
        <Box sx={{ color: 'text.secondary' }}>{translate('reports.choose')}</Box>
        {access.includes('rmaReportDownloadList') && (
          <Button component={Link} to="/rmaReportDownloadList" startIcon={<DownloadOutlined />} sx={{ ml: 'auto' }}>
            {translate('reports.toDownloads')}
          </Button>
        )}
      </Box>
      {error && (
        <ReadFailure text={translate('shell.list.failed')} reason={reasonOf(error)} onAgain={() => void refetch()} />
      )}
      {!data && !error && <Skeleton variant="rounded" height={320} />}
      {data && reports.length === 0 && <Box sx={{ color: 'text.secondary' }}>{translate('reports.none')}</Box>}
      {groups.map((group) => {
        const mine = reports.filter((it) => isKind(it.btnNo) && formOf(it.btnNo).group === group);
        return mine.length > 0 && <Group key={group} name={group} reports={mine} onOpen={setOpen} />;
      })}
      {open && <ReportDialog button={open} onClose={() => setOpen(null)} />}
    </Box>
  );
}

interface GroupProps {
  name: string;
  reports: readonly ToolbarButton[];
  onOpen: (report: ToolbarButton) => void;
}

function Group({ name, reports, onOpen }: GroupProps) {
  const translate = useTranslate();
  const id = `reports-${name}`;
  return (
    <Box component="section" aria-labelledby={id}>
      <Box component="h2" id={id} sx={{ m: 0, mb: 2, fontSize: 14, fontWeight: 600, color: 'text.secondary' }}>
        {translate(`reports.group.${name}`)}
      </Box>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 280px), 1fr))' }}>
        {reports.map((it) => (
          <ButtonBase
            key={it.btnNo}
            onClick={() => onOpen(it)}
            focusRipple
            sx={{
              display: 'flex',
              flexDirection: 'column',
              alignItems: 'stretch',
              justifyContent: 'flex-start',
              p: 3,
              textAlign: 'left',
              border: 1,
              borderColor: 'divider',
              borderRadius: 1.5,
              bgcolor: 'background.paper',
              '&:hover': { borderColor: 'primary.main' },
              '&:focus-visible': { outline: 2, outlineColor: 'primary.main' },
            }}
          >
            <Box component="span" sx={{ display: 'block', fontWeight: 600, lineHeight: '20px' }}>
              {it.btnName}
            </Box>
            <Box
              component="span"
              sx={{ display: 'block', mt: 1, fontSize: 12, lineHeight: '16px', color: 'text.secondary' }}
            >
              {translate(`reports.about.${it.btnNo}`)}
            </Box>
          </ButtonBase>
        ))}
      </Box>
    </Box>
  );
}
