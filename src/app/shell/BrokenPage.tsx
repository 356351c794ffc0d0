import { useResetErrorBoundaryOnLocationChange } from 'ra-core';
import { ErrorPage } from '#app/shell/ErrorPage.tsx';

/** What stands in place of a page that failed to draw itself; the next address tries anew. */
export function BrokenPage({ resetErrorBoundary }: { resetErrorBoundary: (...cause: unknown[]) => void }) {
  useResetErrorBoundaryOnLocationChange(resetErrorBoundary);
  return <ErrorPage code="500" />;
}
