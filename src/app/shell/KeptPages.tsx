import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Location, Route, Routes } from 'react-router-dom';
import { useQueryClient } from '@tanstack/react-query';
import { readAnew } from '#app/queryClient.ts';
import { useUser } from '#app/session.ts';
import { Resting } from '#app/shell/Resting.tsx';

interface Props {
  /** Where the user is; nowhere while the pages stay behind a sign-in. */
  at: Location | null;
  children: ReactNode;
}

/** What is typed outlives a lost session: hidden and at rest, the pages stay where they were. Rule: sessions#login-page. */
export function KeptPages({ at, children }: Props) {
  const [left, setLeft] = useState(at);
  if (at && at !== left) setLeft(at);
  useReadingAnew();
  return (
    left && (
      <Resting isShown={at !== null}>
        <Routes location={left}>
          <Route path="*" element={children} />
        </Routes>
      </Resting>
    )
  );
}

/** Whoever comes back after a lost session may have other rights by then. */
function useReadingAnew(): void {
  const client = useQueryClient();
  const token = useUser()?.token;
  const read = useRef(token);
  useEffect(() => {
    if (read.current === token) return;
    read.current = token;
    void readAnew(client, { predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  }, [client, token]);
}
