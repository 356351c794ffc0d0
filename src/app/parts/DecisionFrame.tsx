import { useEffect, useRef, useState, type ReactNode } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslate } from 'ra-core';
import type { Problem } from '#domain/refusal.ts';
import { Panel } from '#app/parts/Facts.tsx';
import { FormFrame } from '#app/parts/FormFrame.tsx';
import { QueueNext } from '#app/parts/QueueNext.tsx';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import type { useQueuePlace } from '#app/parts/useQueuePlace.ts';
import { keysAsShown, shortcuts } from '#app/shell/shortcuts.ts';
import { useShortcuts } from '#app/shell/useShortcuts.ts';

interface Decision {
  value: string;
  /** What its button says, a verb. */
  label: string;
}

interface Props<Word> {
  menuNo: string;
  title: string;
  head: ReactNode;
  queue: ReturnType<typeof useQueuePlace>;
  /** The record is not yet read. */
  isReading: boolean;
  /** It waits for a decision; else `closed` says why it can only be read. */
  isOpen: boolean;
  closed: string;
  sending: boolean;
  problem: string;
  /** Said in place of the problem: what has changed since. */
  notice?: ReactNode;
  yes: Decision;
  no: Decision;
  chosen: string;
  onChoose: (decision: string) => void;
  /** The word as it stands in the form, with this decision. */
  wordOf: (decision: string) => Word;
  rules: (word: Word) => Problem[];
  /** Whether the word was taken. */
  send: (word: Word) => Promise<boolean>;
  /** Above the form, beside what is judged. */
  facts?: ReactNode;
  /** The form, told what is wrong with each of its fields. */
  form: (problems: Record<string, string>) => ReactNode;
  children: ReactNode;
}

/**
 * A page on which one record is judged: what it is judged by, the form beside it, and two buttons with their keys. Each
 * chooses its decision and leads to what that still asks for; with all of it there it sends. Rule: screens#queues.
 */
export function DecisionFrame<Word>({ menuNo, title, head, queue, isReading, isOpen, closed, ...rest }: Props<Word>) {
  const { sending, problem, notice, yes, no, chosen, onChoose, wordOf, rules, send, facts, form, children } = rest;
  const translate = useTranslate();
  const { byField } = useProblemWords();
  const [asked, setAsked] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  const [led, setLed] = useState(0);
  useEffect(() => {
    if (led > 0) focusFirst(fields.current);
  }, [led]);

  const isOff = isReading || !isOpen || sending;
  const decide = async (decision: string) => {
    if (isOff) return;
    onChoose(decision);
    const word = wordOf(decision);
    const isComplete = rules(word).length === 0;
    // What the other decision asks for is not yet missing.
    setAsked(decision === chosen || isComplete);
    if (!isComplete) return setLed((it) => it + 1);
    if (await send(word)) queue.leadOn();
  };
  useShortcuts({
    pass: () => void decide(yes.value),
    notPass: () => void decide(no.value),
    nextReview: () => queue.hasNext && queue.leadOn(),
  });
  const button = ({ value, label }: Decision, name: 'pass' | 'notPass', lead: () => void) => (
    <Button
      size="medium"
      variant={name === 'pass' ? 'contained' : 'outlined'}
      color={name === 'pass' ? 'primary' : 'error'}
      disabled={sending}
      title={keysAsShown(shortcuts[name].keys).join('+')}
      onClick={() => {
        lead();
        void decide(value);
      }}
      sx={{ minWidth: 144, flex: { xs: 1, sm: 'none' } }}
    >
      {label}
    </Button>
  );
  return (
    <FormFrame
      wide
      menuNo={menuNo}
      title={title}
      head={head}
      isReading={isReading}
      problem={problem}
      primary={{ label: translate('stations.confirm.do'), press: () => void decide(chosen), disabled: isOff }}
      more={<QueueNext {...queue} />}
      buttons={(lead) =>
        !isReading &&
        isOpen && (
          <>
            {button(no, 'notPass', lead)}
            {button(yes, 'pass', lead)}
          </>
        )
      }
      aside={
        !isReading &&
        facts && (
          <>
            {facts}
            <Panel title={title} isDense>
              {isOpen ? (
                <Box ref={fields} sx={{ display: 'flex', flexDirection: 'column', gap: 3, pt: 2 }}>
                  {form(asked ? byField(rules(wordOf(chosen))) : {})}
                </Box>
              ) : (
                <Alert severity="info">{closed}</Alert>
              )}
            </Panel>
          </>
        )
      }
    >
      {notice}
      {children}
    </FormFrame>
  );
}

/** What a decision still asks for: the first field after the decision itself, or that one while there is none. */
function focusFirst(form: HTMLElement | null): void {
  const [decision, asked] =
    form?.querySelectorAll<HTMLElement>('[role=combobox], input:not([aria-hidden]), textarea:not([aria-hidden])') ?? [];
  const wrong = form?.querySelector<HTMLElement>('[aria-invalid=true]');
  (wrong ?? asked ?? decision)?.focus();
}
