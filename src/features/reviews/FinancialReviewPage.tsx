import type { PageProps } from '#app/parts/page.ts';
import { ReviewPage } from './ReviewPage.tsx';

export default function FinancialReviewPage(props: PageProps) {
  return <ReviewPage {...props} action="financialReview" />;
}
