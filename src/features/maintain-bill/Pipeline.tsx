import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { useTranslate } from 'ra-core';
import { groupedCount } from '#app/fields/format.ts';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { useAge } from '#app/parts/useAge.ts';
import { cutSx, tabularSx } from '#app/theme.ts';
import { endStages, slowestStage, waitingStages, type Stage, type StageCount } from '#domain/pipeline.ts';

interface Props {
  counts: readonly StageCount[];
  /** The one whose units are shown; all of them without one. */
  chosen: string;
  onChoose: (stage: string) => void;
}

const [delivered, ...beside] = endStages;

/** What a stage is called: a step by its own name, an end by what became of the goods. */
export function useStageName(): (stage: string) => string {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  return (stage) =>
    waitingStages.some((it) => it === stage)
      ? labelOf('workflowSteps', stage)
      : translate(`stations.maintainBill.end.${stage}`);
}

/** How many units wait before each step, and how many have ended; pressed, a stage shows its units. Rule: bills#pipeline. */
export function Pipeline({ counts, chosen, onChoose }: Props) {
  const translate = useTranslate();
  const slowest = slowestStage(counts);
  const at = (stage: Stage) => counts.find((it) => it.stage === stage) ?? { stage, count: 0, oldest: null };
  const draw = (stage: Stage) => (
    <StageButton
      key={stage}
      at={at(stage)}
      isSlowest={stage === slowest}
      isWaiting={waitingStages.some((it) => it === stage)}
      isChosen={stage === chosen}
      onPress={() => onChoose(stage === chosen ? '' : stage)}
    />
  );
  const ended = beside.filter((it) => at(it).count > 0 || it === chosen);
  return (
    <SideScroll
      role="group"
      aria-label={translate('stations.maintainBill.pipeline')}
      sx={{ display: 'flex', gap: 2, alignItems: 'stretch' }}
    >
      <Box sx={stripSx}>{[...waitingStages, delivered].map(draw)}</Box>
      {ended.length > 0 && (
        <Box role="group" aria-label={translate('stations.maintainBill.beside')} sx={{ ...stripSx, flex: '0 0 auto' }}>
          {ended.map(draw)}
        </Box>
      )}
    </SideScroll>
  );
}

const stripSx = {
  flex: '1 0 auto',
  display: 'grid',
  gridAutoFlow: 'column',
  gridAutoColumns: 'minmax(84px, 1fr)',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  bgcolor: 'background.paper',
  '& > button + button': { borderLeft: 1, borderColor: 'divider' },
} as const;

interface StageProps {
  at: StageCount;
  isWaiting: boolean;
  isSlowest: boolean;
  isChosen: boolean;
  onPress: () => void;
}

function StageButton({ at: { stage, count, oldest }, isWaiting, isSlowest, isChosen, onPress }: StageProps) {
  const translate = useTranslate();
  const nameOf = useStageName();
  const age = useAge();
  const wait = isWaiting && oldest !== null ? age(oldest) : '';
  return (
    <ButtonBase
      aria-pressed={isChosen}
      disabled={count === 0 && !isChosen}
      onClick={onPress}
      title={isSlowest ? translate('stations.maintainBill.slowest', { age: wait }) : undefined}
      sx={{
        display: 'block',
        textAlign: 'left',
        px: { xs: 3, sm: 2, lg: 3 },
        py: 1.5,
        height: 68,
        // Not cut off by the frame.
        '&:focus-visible': { outlineOffset: -2 },
        minWidth: 0,
        color: count === 0 ? 'text.secondary' : 'text.primary',
        bgcolor: isChosen ? 'action.selected' : undefined,
        boxShadow: isChosen ? (theme) => `inset 0 -2px ${theme.palette.primary.main}` : undefined,
        '&:hover': { bgcolor: isChosen ? 'action.selected' : 'action.hover' },
      }}
    >
      <Box sx={{ ...cutSx, fontSize: 12, lineHeight: '16px', color: 'text.secondary' }}>{nameOf(stage)}</Box>
      <Box sx={{ ...tabularSx, fontSize: 20, lineHeight: '24px', fontWeight: count === 0 ? 400 : 600 }}>
        {groupedCount(count)}
      </Box>
      <Box
        sx={{
          ...cutSx,
          ...tabularSx,
          fontSize: 12,
          lineHeight: '16px',
          minHeight: 16,
          color: isSlowest ? 'warning.main' : 'text.secondary',
          fontWeight: isSlowest ? 600 : 400,
        }}
      >
        {isSlowest ? translate('stations.maintainBill.slowest', { age: wait }) : wait}
      </Box>
    </ButtonBase>
  );
}
