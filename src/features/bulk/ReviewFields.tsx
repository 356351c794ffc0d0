import { useTranslate } from 'ra-core';
import { Choice } from '#app/parts/Choice.tsx';
import { RemarkField } from '#app/parts/RemarkField.tsx';
import { ReviewResult } from '#domain/review.ts';
import { isUnseen } from '#domain/signs.ts';

interface Props {
  values: Readonly<Record<string, unknown>>;
  onChange: (values: Record<string, unknown>) => void;
}

/** One decision for all of the bills; a no says why. Rule: money#reviews. */
export function ReviewFields({ values, onChange }: Props) {
  const translate = useTranslate();
  const remark = String(values['remark'] ?? '');
  const isRejected = values['result'] === ReviewResult.NotPassed;
  return (
    <>
      <Choice
        required
        label={translate('bills.review.decision')}
        value={String(values['result'] ?? '')}
        options={[
          { value: ReviewResult.Passed, label: translate('bills.review.pass') },
          { value: ReviewResult.NotPassed, label: translate('bills.review.fail') },
        ]}
        onChange={(result) => onChange({ ...values, result })}
      />
      <RemarkField
        required={isRejected}
        label={translate('bills.review.remark')}
        value={remark}
        problem={isRejected && isUnseen(remark) ? translate('bills.review.whyNot') : undefined}
        onChange={(it) => onChange({ ...values, remark: it })}
      />
    </>
  );
}
