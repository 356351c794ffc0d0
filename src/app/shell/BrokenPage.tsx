import { useEffect } from 'react';
import { useResetErrorBoundaryOnLocationChange } from 'ra-core';
import { captureError, describeError } from '#app/errorLog.ts';
import { ErrorPage } from '#app/shell/ErrorPage.tsx';

interface BrokenPageProps {
  error: Error;
  resetErrorBoundary: (...cause: unknown[]) => void;
}

/** What stands in place of a page that failed to draw itself; the next address tries anew. */
export function BrokenPage({ error, resetErrorBoundary }: BrokenPageProps) {
  useResetErrorBoundaryOnLocationChange(resetErrorBoundary);
  useEffect(() => captureError({ type: 'script', message: describeError(error) || String(error) }), [error]);
  return <ErrorPage code="500" />;
}
