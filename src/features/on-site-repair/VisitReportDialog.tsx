import { useState, type ReactNode } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { ThemeProvider } from '@mui/material/styles';
import { useTranslate } from 'ra-core';
import { fileAddress } from '#app/fileAddress.ts';
import { useReasonOf } from '#app/notify.ts';
import { Moment } from '#app/parts/cells.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { FactGrid } from '#app/parts/Facts.tsx';
import { InLanguage } from '#app/parts/InLanguage.tsx';
import { Reading } from '#app/parts/Reading.tsx';
import { PrintedCard } from '#app/parts/scan/PrintedCard.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { codeSx, lightTheme } from '#app/theme.ts';
import type { DataOf } from '#domain/call.ts';
import { isPicture } from '#domain/images.ts';
import type { Language } from '#domain/words.ts';
import { visitReport } from './contract.ts';

type Report = DataOf<typeof visitReport>;
type Device = Report['devices'][number];

/** What was done at a customer, to be handed to them on paper or as a file, in their language. Rule: on-site-repair#report. */
export default function VisitReportDialog({ button, rows: [row], onClose }: DialogProps) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const [chosen, setChosen] = useState<Language>();
  const osbId = String(row?.['osbId'] ?? '');
  const input = chosen ? { osbId, language: chosen } : { osbId };
  const { data, error } = useLookup(visitReport, input, { enabled: osbId !== '', staleTime: 0 });
  const language = chosen ?? data?.language;
  return (
    <PrintedCard hasOwnTitle title={`${button.btnName} · ${osbId}`} onClose={onClose}>
      <Box data-no-print="" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3, mb: 4 }}>
        <Box id="visit-report-language">{translate('bills.visitReport.language')}</Box>
        <ToggleButtonGroup
          exclusive
          size="small"
          aria-labelledby="visit-report-language"
          value={language ?? null}
          onChange={(_, it: Language | null) => it && setChosen(it)}
        >
          <ToggleButton value="zh">中文</ToggleButton>
          <ToggleButton value="en">English</ToggleButton>
        </ToggleButtonGroup>
      </Box>
      {error && (
        <Alert severity="error" role="alert">
          {reasonOf(error)}
        </Alert>
      )}
      {!data && !error && <Reading />}
      {data && (
        <InLanguage language={data.language} reading={<Reading />}>
          <Paper report={data} />
        </InLanguage>
      )}
    </PrintedCard>
  );
}

/** Black on white in the dark as well, as it is printed. */
function Paper({ report }: { report: Report }) {
  const translate = useTranslate();
  const say = (name: string, options?: object) => translate(`bills.visitReport.${name}`, options);
  const { workshop, customer } = report;
  return (
    <ThemeProvider theme={lightTheme()}>
      <Box
        component="article"
        lang={report.language}
        aria-label={say('title')}
        sx={{
          ...{ bgcolor: '#fff', color: '#111', border: 1, borderColor: 'divider', p: { xs: 4, sm: 8 }, minWidth: 0 },
          '@media print': { border: 0, p: 0 },
        }}
      >
        <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: 4, mb: 6 }}>
          <Box>
            <Box component="h2" sx={{ m: 0, fontSize: 22, fontWeight: 700 }}>
              {say('title')}
            </Box>
            <Box sx={{ ...codeSx, mt: 1 }}>{report.osbId}</Box>
          </Box>
          <Box sx={{ textAlign: { sm: 'right' }, fontSize: 13 }}>
            <Box sx={{ fontWeight: 600 }}>{workshop.name}</Box>
            <Box>{workshop.address}</Box>
            <Box>{workshop.phone}</Box>
          </Box>
        </Box>
        <FactGrid
          hidesEmpty
          facts={[
            { label: say('customer'), value: customer.name },
            { label: say('order'), value: report.mtbId, code: true },
            { label: say('start'), value: <Moment at={report.startTime} /> },
            { label: say('end'), value: report.finishTime === null ? say('open') : <Moment at={report.finishTime} /> },
            { label: say('devices'), value: report.devices.length },
            { label: say('place'), value: customer.place, wide: true },
          ]}
        />
        {report.devices.map((it) => (
          <DeviceReport key={it.sn} device={it} say={say} />
        ))}
        {report.isCut && <Box sx={{ mt: 4, fontWeight: 600 }}>{say('cut')}</Box>}
        <Box sx={{ display: 'flex', gap: 8, mt: 12, breakInside: 'avoid' }}>
          <Signature>{say('signedBy')}</Signature>
          <Signature>{say('signedFor')}</Signature>
        </Box>
      </Box>
    </ThemeProvider>
  );
}

interface DeviceReportProps {
  device: Device;
  say: (name: string, options?: object) => string;
}

/** One device: what was found, what was done to each part, and what is in it instead of what. */
function DeviceReport({ device, say }: DeviceReportProps) {
  const columns = ['part', 'issues', 'method', 'slots', 'material'] as const;
  const cellOf = (it: Device['records'][number]): Record<(typeof columns)[number], ReactNode> => ({
    part: <Two first={it.kind} second={<Box sx={codeSx}>{it.componentSn}</Box>} />,
    issues: listed(it.issues),
    method: <Two first={it.method} second={it.marking} />,
    slots: it.slot,
    material: [it.material, it.count === null ? '' : `× ${it.count}`].filter(Boolean).join(' '),
  });
  const pictures = device.records.flatMap((it) => it.urls.filter(isPicture).map((url) => ({ url, of: it })));
  return (
    <Box component="section" aria-label={device.sn} sx={{ mt: 8 }}>
      <Box sx={{ breakInside: 'avoid', breakAfter: 'avoid' }}>
        <Box component="h3" sx={{ m: 0, mb: 2, fontSize: 16, fontWeight: 600 }}>
          <Box component="span" sx={codeSx}>
            {device.sn}
          </Box>
          {device.name && ` · ${device.name}`}
        </Box>
        <FactGrid
          hidesEmpty
          facts={[
            { label: say('found'), value: listed(device.checkIssues) },
            { label: say('by'), value: device.technician },
            { label: say('at'), value: <Moment at={device.time} /> },
          ]}
        />
      </Box>
      <Box sx={{ overflowX: 'auto', mt: 3, '@media print': { overflow: 'visible' } }}>
        {/* On a phone it is scrolled; on paper it has the width there is. */}
        <Table
          size="small"
          aria-label={say('records', { sn: device.sn })}
          sx={{ minWidth: 600, '@media print': { minWidth: 0 } }}
        >
          <TableHead>
            <TableRow>
              {columns.map((it) => (
                <TableCell key={it}>{say(it)}</TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {device.records.map((it, i) => {
              const cells = cellOf(it);
              return (
                <TableRow key={i} sx={{ breakInside: 'avoid', '& td': { verticalAlign: 'top' } }}>
                  {columns.map((name) => (
                    <TableCell key={name}>{cells[name]}</TableCell>
                  ))}
                </TableRow>
              );
            })}
          </TableBody>
        </Table>
      </Box>
      {(device.putIn.length > 0 || device.takenOut.length > 0) && (
        <Box sx={{ mt: 3 }}>
          <FactGrid
            hidesEmpty
            facts={[
              { label: say('takenOut'), value: partsOf(device.takenOut), wide: true },
              { label: say('putIn'), value: partsOf(device.putIn), wide: true },
            ]}
          />
        </Box>
      )}
      {pictures.length > 0 && (
        <Box sx={{ display: 'grid', gap: 3, mt: 4, gridTemplateColumns: 'repeat(auto-fill, minmax(180px, 1fr))' }}>
          {pictures.map(({ url, of }) => (
            <Box component="figure" key={url} sx={{ m: 0, breakInside: 'avoid' }}>
              <Box
                component="img"
                src={fileAddress(url)}
                alt={say('picture', { part: of.componentSn || of.kind })}
                sx={{ width: 1, height: 180, objectFit: 'contain', border: 1, borderColor: 'divider' }}
              />
              <Box component="figcaption" sx={{ fontSize: 12, color: 'text.secondary' }}>
                {[of.kind, of.componentSn].filter(Boolean).join(' · ')}
              </Box>
            </Box>
          ))}
        </Box>
      )}
    </Box>
  );
}

const listed = (issues: Device['checkIssues']) => issues.map((it) => `${it.code} ${it.name}`.trim()).join('; ');
const partsOf = (parts: Device['putIn']) => parts.map((it) => `${it.kind} ${it.sn}`.trim()).join('; ');

const Two = ({ first, second }: { first: ReactNode; second: ReactNode }) => (
  <>
    <Box>{first}</Box>
    <Box sx={{ color: 'text.secondary' }}>{second}</Box>
  </>
);

const Signature = ({ children }: { children: string }) => (
  <Box sx={{ flex: 1, borderTop: 1, borderColor: '#111', pt: 1, fontSize: 12 }}>{children}</Box>
);
