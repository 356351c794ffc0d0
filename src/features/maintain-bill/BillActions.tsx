import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Close from '@mui/icons-material/Close';
import { useTranslate } from 'ra-core';
import { FeatureDialog } from '#app/engine/ActionDialog.tsx';
import { isOfferedFor } from '#app/engine/actions.ts';
import { nothingElse } from '#app/engine/RowActions.tsx';
import { useAction } from '#app/engine/useAction.ts';
import type { Row, ToolbarButton } from '#app/engine/wire.ts';
import { IconAction } from '#app/parts/IconAction.tsx';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { WorkFooter } from '#app/parts/WorkFrame.tsx';
import { useToolbar } from '#app/shell/pageNames.ts';
import { findMisfits, type FittingUnit, type Misfit } from './rules.ts';

type SelectedUnit = Row & FittingUnit & { sn: string | null; mtbliId: string };

interface Props {
  /** The selected units, of whichever of the bill's lines. */
  rows: readonly SelectedUnit[];
  onUnselect: (rows: readonly SelectedUnit[]) => void;
  onClear: () => void;
  onDone: () => void;
}

const items = 'rmaMaintainBillLineItemList';

/** An action with what stands against it. */
interface Offer {
  button: ToolbarButton;
  isOff: boolean;
  misfits: readonly Misfit<SelectedUnit>[];
  press: () => void;
}

/**
 * What can be done with the selected units: what fits all of them, and of the rest, which it does not fit and why. What
 * cannot be taken back stands apart; what is done with the whole bill stands in its head. Rule: bills#detail.
 */
export function BillActions({ rows, onUnselect, onClear, onDone }: Props) {
  const translate = useTranslate();
  const buttons = useToolbar(items).data ?? [];
  const onItems = useAction(items);
  if (buttons.length === 0) return null;
  if (rows.length === 0) {
    return (
      <WorkFooter>
        <Box role="status" sx={{ fontSize: 13, color: 'text.secondary' }}>
          {translate('stations.billAction.select')}
        </Box>
      </WorkFooter>
    );
  }

  const offers = buttons.map((button): Offer => {
    const misfits = findMisfits(button, rows);
    const isOff = misfits.length > 0 || !isOfferedFor(button, rows);
    return { button, isOff, misfits, press: () => onItems.act(button, rows) };
  });
  return (
    <WorkFooter>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, whiteSpace: 'nowrap' }}>
        <IconAction label={translate('shell.list.unselect')} Icon={Close} size={16} onClick={onClear} />
        <Box role="status" sx={{ fontSize: 13, fontWeight: 600, color: 'primary.main' }}>
          {translate('stations.billAction.rows', { smart_count: rows.length })}
        </Box>
      </Box>
      <Bar offers={offers} />
      <Misfits offers={offers} total={rows.length} onUnselect={onUnselect} />
      {onItems.dialog && (
        <FeatureDialog
          menuNo={items}
          open={onItems.dialog}
          matching={nothingElse}
          onDone={onDone}
          onClose={onItems.closeDialog}
        />
      )}
    </WorkFooter>
  );
}

function Bar({ offers }: { offers: readonly Offer[] }) {
  const translate = useTranslate();
  const isDanger = ({ button }: Offer) => button.tone === 'danger';
  return (
    <SideScroll role="group" aria-label={translate('stations.billAction.bar')} sx={barSx}>
      {offers.filter((it) => !isDanger(it)).map(draw)}
      {offers.some(isDanger) && <Box sx={dangerSx}>{offers.filter(isDanger).map(draw)}</Box>}
    </SideScroll>
  );
}

const draw = ({ button, isOff, press }: Offer): ReactNode => (
  <Button
    key={button.id}
    variant="outlined"
    color={button.tone === 'danger' ? 'error' : 'primary'}
    disabled={isOff}
    onClick={press}
    sx={{ whiteSpace: 'nowrap', flexShrink: 0 }}
  >
    {button.btnName}
  </Button>
);

const barSx = {
  display: 'flex',
  flexWrap: { xs: 'nowrap', md: 'wrap' },
  gap: 2,
  minWidth: 0,
  flex: { md: 1 },
  width: { xs: 1, md: 'auto' },
  // On a phone they lie in one line that is pushed along; its edge must not cut the buttons' own.
  overflowX: { xs: 'auto', md: 'visible' },
  py: 0.5,
} as const;

/** Apart from everything else, behind a line. */
const dangerSx = {
  display: 'flex',
  gap: 2,
  ml: { xs: 2, md: 'auto' },
  pl: 4,
  borderLeft: 1,
  borderColor: 'divider',
} as const;

interface MisfitsProps {
  offers: readonly Offer[];
  total: number;
  onUnselect: Props['onUnselect'];
}

/** So many are named; the others are counted. */
const NAMED = 3;

/**
 * What the actions that are off have against the selection: each reason once, with the units that it is about and the
 * actions that it keeps off. A reason that is pressed takes its units out of the selection.
 */
function Misfits({ offers, total, onUnselect }: MisfitsProps) {
  const translate = useTranslate();
  const comma = translate('stations.billAction.comma');
  const said = new Map<string, { reason: string; units: readonly SelectedUnit[]; names: string[] }>();
  for (const { button, misfits } of offers) {
    for (const { why, units } of misfits) {
      const reason = translate(`stations.billAction.why.${why}`, { _: translate('stations.billAction.why.other') });
      const key = `${why} ${units.map((it) => it.id).join()}`;
      said.set(key, { reason, units, names: [...(said.get(key)?.names ?? []), button.btnName] });
    }
  }
  const named = (units: readonly SelectedUnit[]) => {
    const sns = units.slice(0, NAMED).map((it) => it.sn ?? it.mtbliId);
    const rest = units.length - sns.length;
    return [...sns, ...(rest > 0 ? [`+${rest}`] : [])].join(comma);
  };
  return (
    <Box
      role="status"
      sx={{ width: 1, fontSize: 12, lineHeight: '20px', color: 'text.secondary', '&:empty': { display: 'none' } }}
    >
      {[...said].map(([key, { reason, units, names }]) => {
        const list = names.join(comma);
        // Which of them is meant is the user's to say.
        if (key.startsWith('oneAtATime')) {
          return <div key={key}>{translate('stations.billAction.misfits', { reason, names: list })}</div>;
        }
        const which = named(units);
        return (
          <div key={key}>
            <Link
              component="button"
              type="button"
              color="inherit"
              underline="always"
              title={translate('stations.billAction.untick', {
                sns: units.map((it) => it.sn ?? it.mtbliId).join(comma),
              })}
              onClick={() => onUnselect(units)}
              sx={{ fontSize: 12, lineHeight: '20px', verticalAlign: 'baseline', textAlign: 'left' }}
            >
              {translate('stations.billAction.misfit', { count: units.length, total, reason, which })}
            </Link>
            {translate('stations.billAction.keptOff', { names: list })}
          </div>
        );
      })}
    </Box>
  );
}
