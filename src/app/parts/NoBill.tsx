import Skeleton from '@mui/material/Skeleton';
import { useTranslate } from 'ra-core';
import { Panel } from '#app/parts/Facts.tsx';

/** In place of a bill: nobody knows yet whether one was loaded before, or there is none and its number is asked for. */
export function NoBill({ title, isUnread }: { title: string; isUnread: boolean }) {
  const translate = useTranslate();
  return <Panel title={title}>{isUnread ? <Skeleton width="60%" /> : translate('stations.shipNoMsg')}</Panel>;
}
