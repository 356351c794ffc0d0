import Skeleton from '@mui/material/Skeleton';
import { Panel } from '#app/parts/Facts.tsx';

interface Props {
  title: string;
  /** What to do, while there is none. */
  loadFirst: string;
  isUnread: boolean;
}

/** In place of a bill: nobody knows yet whether one was loaded before, or there is none and its number is asked for. */
export function NoBill({ title, loadFirst, isUnread }: Props) {
  return <Panel title={title}>{isUnread ? <Skeleton width="60%" /> : loadFirst}</Panel>;
}
