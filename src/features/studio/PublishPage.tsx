import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import type { DataOf } from '#domain/call.ts';
import { mayDo } from '#domain/rights.ts';
import { momentOf, listed } from '#app/fields/format.ts';
import { useReasonOf } from '#app/notify.ts';
import { DetailLayout, Section } from '#app/parts/DetailLayout.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { PageHead } from '#app/parts/PageHead.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { readAnew } from '#app/queryClient.ts';
import { useLanguage, useUser } from '#app/session.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { Changes } from './Changes.tsx';
import { readPublish, readTakingBack } from './contract.ts';
import { LeftOutNote } from './LeftOut.tsx';
import { ProblemList } from './ProblemList.tsx';
import { PublishingNote } from './PublishingProgress.tsx';
import { TakeBackModal } from './TakeBackModal.tsx';
import { isRunning, useLastPublishing } from './usePublishing.ts';
import type { ToldPart } from './useWording.ts';

/** What was published, when, by whom and why. Rule: definitions#publishing. */
export default function PublishPage({ menuNo, id = '' }: PageProps) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const lang = useLanguage();
  const say = (key: string, args?: object) => translate(`studio.history.${key}`, args);
  const { data, error, refetch } = useLookup(readPublish, { id: Number(id) }, { staleTime: 0 });
  const { last } = useLastPublishing(readTakingBack, Number(id));
  const client = useQueryClient();
  const rights = new Set(useUser()?.access);
  const [isTaking, setTaking] = useState(false);
  useTabName(data && String(data.id));
  const statusOf = ({ isInForce, trouble }: DataOf<typeof readPublish>) => {
    if (isInForce && trouble.length > 0) return { label: say('aside'), tone: 'refused' as const };
    return isInForce
      ? { label: say('inForce'), tone: 'done' as const }
      : { label: say('gone'), tone: 'closed' as const };
  };
  const mayTake = data?.isInForce === true && !isRunning(last) && mayDo(rights, 'sysPublish:takeBack');
  const isBack = data !== undefined && data.takesBack.length > 0;
  return (
    <DetailLayout
      isReading={!data && !error}
      head={
        <PageHead
          menuNo={menuNo}
          isReading={!data && !error}
          status={data && statusOf(data)}
          facts={
            data && [
              { label: say('by'), value: data.userName },
              { label: say('at'), value: momentOf(data.at) },
              { label: say('note'), value: data.note },
              ...(isBack ? [{ label: say('takesBack'), value: listed(data.takesBack.map(String)) }] : []),
            ]
          }
          actions={
            mayTake
              ? [
                  {
                    label: translate('studio.takeBack.action'),
                    tone: 'danger',
                    onPress: () => setTaking(true),
                  },
                ]
              : []
          }
        />
      }
    >
      {error && <Alert severity="error">{reasonOf(error)}</Alert>}
      <PublishingNote kind="takeBack" publishing={last} onOver={() => void refetch()} />
      {data?.isInForce === false && !isTaking && <LeftOutNote kind="takeBack" publishing={last} />}
      {data && data.trouble.length > 0 && (
        <Alert severity={data.isInForce ? 'error' : 'info'} role="status">
          {say(data.isInForce ? 'trouble' : 'keptAside')}
          <ProblemList problems={data.trouble} placeOf={({ module }) => data.names.modules[module]?.[lang] ?? module} />
        </Alert>
      )}
      {data && (
        <Section title={say(isBack ? 'wasChanged' : 'changed')}>
          {data.parts.map((it, i) => (
            // The same module may stand in several of the publishes that were taken back.
            <Changes key={`${it.module} ${i}`} part={it as ToldPart} names={data.names} />
          ))}
        </Section>
      )}
      {isTaking && data && (
        <TakeBackModal
          id={data.id}
          onClose={() => setTaking(false)}
          onDone={() => {
            setTaking(false);
            void refetch();
            void readAnew(client, { queryKey: ['sysPublishList'] });
          }}
        />
      )}
    </DetailLayout>
  );
}
