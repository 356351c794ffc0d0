import type { PageProps } from '#app/parts/page.ts';
import { ReviewPage } from './ReviewPage.tsx';

/** A money bill to read. Rule: money#reviews. */
export default function MoneyBillPage(props: PageProps) {
  return <ReviewPage {...props} />;
}
