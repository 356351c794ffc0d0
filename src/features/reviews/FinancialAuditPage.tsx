import type { PageProps } from '#app/parts/page.ts';
import { ReviewPage } from './ReviewPage.tsx';

export default function FinancialAuditPage(props: PageProps) {
  return <ReviewPage {...props} action="financialAudit" />;
}
