import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import { Confirm } from '#app/parts/Confirm.tsx';
import { findTabAddress, closeTabs, hasUnsaved, findNeighbour } from '#app/shell/tabs.ts';

interface Closing {
  keys: string[];
  stayWith?: string;
}

/** Closes tabs; where one of them holds something unsaved it asks first, once for all of them. */
export function useTabClosing(current: string) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Closing | null>(null);

  const closeNow = ({ keys, stayWith }: Closing) => {
    const next = stayWith ? findTabAddress(stayWith) : findNeighbour(current).address;
    if (keys.includes(current)) void navigate(next);
    closeTabs(keys);
  };
  const close = (keys: string[], stayWith?: string) => {
    if (hasUnsaved(keys)) setAsked({ keys, stayWith });
    else closeNow({ keys, stayWith });
  };
  const confirmation = (
    <Confirm
      open={asked !== null}
      title={translate('shell.tabs.confirmClose')}
      action={translate('ra.action.close')}
      onCancel={() => setAsked(null)}
      onConfirm={() => {
        if (asked) closeNow(asked);
        setAsked(null);
      }}
    />
  );
  return { close, confirmation };
}
