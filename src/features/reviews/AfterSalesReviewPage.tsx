import type { PageProps } from '#app/parts/page.ts';
import { ReviewPage } from './ReviewPage.tsx';

export default function AfterSalesReviewPage(props: PageProps) {
  return <ReviewPage {...props} action="afterSalesReview" />;
}
