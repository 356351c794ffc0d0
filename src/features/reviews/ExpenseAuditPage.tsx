import type { PageProps } from '#app/parts/page.ts';
import { ReviewPage } from './ReviewPage.tsx';

export default function ExpenseAuditPage(props: PageProps) {
  return <ReviewPage {...props} action="audit" />;
}
