import { Navigate, useNavigate } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ArrowBack from '@mui/icons-material/ArrowBack';
import { Facts } from '#app/engine/Facts.tsx';
import { Lines, listsOf } from '#app/engine/Lines.tsx';
import { nameOf, useDetail } from '#app/engine/useDetail.ts';
import { kindOf, urlsOf } from '#app/fields/format.ts';
import { Images } from '#app/fields/Images.tsx';
import { useReasonOf } from '#app/notify.ts';
import { isRefusal } from '#app/send.ts';
import { ErrorPage } from '#app/shell/ErrorPage.tsx';
import { findTabAddress } from '#app/shell/tabs.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { codeSx } from '#app/theme.ts';

/** A record to read: its facts, its pictures, its lines. Rule: lists#details. */
export default function DetailPage({ menuNo, id }: { menuNo: string; id: string }) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const { data, error, refetch } = useDetail(menuNo, id);
  const reasonOf = useReasonOf();
  useTabName(nameOf(data));
  if (isRefusal(error, 'noRight')) return <Navigate to="/401" replace />;
  if (isRefusal(error, 'notFound')) return <ErrorPage code="404" />;
  if (!data && error) {
    const again = (
      <Button color="inherit" size="small" onClick={() => void refetch()}>
        {translate('shell.list.again')}
      </Button>
    );
    return (
      <Alert severity="error" sx={{ m: 4 }} action={again}>
        {reasonOf(error)}
      </Alert>
    );
  }
  if (!data) return null;

  const { view } = data;
  const pictures = view.fields.filter((it) => kindOf(it) === 'images' && urlsOf(data[it.name]).length > 0);
  const facts = view.fields.filter((it) => kindOf(it) !== 'images');
  return (
    <Box component="main" sx={{ p: 4, pt: 3, display: 'flex', flexDirection: 'column', gap: 4 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, flexWrap: 'wrap' }}>
        <Box component="h1" sx={{ m: 0, fontSize: 18, lineHeight: '28px', fontWeight: 600 }}>
          {view.label}
          {facts.length > 0 && (
            <Box component="span" sx={{ ...codeSx, ml: 3 }}>
              {nameOf(data) ?? id}
            </Box>
          )}
        </Box>
        <Button
          variant="outlined"
          startIcon={<ArrowBack />}
          onClick={() => void navigate(findTabAddress(`/${menuNo}`))}
          sx={{ ml: 'auto' }}
        >
          {translate('shell.detail.back')}
        </Button>
      </Box>
      <Facts module={view.module} columns={facts} row={data} labels={view.labels} />
      {pictures.map((it) => (
        <Section key={it.name} title={it.label}>
          <Images urls={urlsOf(data[it.name])} label={it.label} />
        </Section>
      ))}
      {listsOf(data).map((it) => (
        <Section key={it.name} title={it.view.label}>
          <Lines list={it} maxHeight={view.maxHeight ?? 550} />
        </Section>
      ))}
    </Box>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Box component="section">
      <Box component="h2" sx={{ m: 0, mb: 2, fontSize: 15, lineHeight: '22px', fontWeight: 600 }}>
        {title}
      </Box>
      {children}
    </Box>
  );
}
