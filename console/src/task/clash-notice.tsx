import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { type Json, labelOf, writeJson } from '../form/model/index.js';
import { Button } from '../form/view/controls.js';
import { listFormat } from '../text/locale.js';
import { rich } from '../text/rich.js';
import type { Clash, ClashChoice } from './clashes.js';
import { focusHeading, TaskTime } from './parts.js';
import { text } from './task-text.js';
import type { TaskEditing } from './use-task.js';

/** Maximum length of a shown value, in characters. */
const MAX_VALUE_LENGTH = 200;

/**
 * Shown after another person saved a draft. Changes to different values are merged; for values that both changed,
 * the person chooses.
 */
export function OthersDraftNotice({ work }: { readonly work: TaskEditing }): ReactNode {
  const { othersDraft, clashes } = work;
  if (clashes.length > 0) return <ClashForm work={work} />;
  if (!othersDraft) return null;
  const { by, at } = othersDraft;
  return (
    <div className="gh-task-notice" role="status">
      <p>{rich(text, 'othersDraft', { name: by, time: () => <TaskTime at={at} /> })}</p>
      <Button
        data-size="small"
        onClick={() => {
          work.dismiss();
          focusHeading();
        }}
      >
        {text('dismiss')}
      </Button>
    </div>
  );
}

function ClashForm({ work }: { readonly work: TaskEditing }): ReactNode {
  const { clashes, refusals } = work;
  const [choices, setChoices] = useState<Readonly<Record<string, ClashChoice>>>({});
  const title = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (refusals > 0) title.current?.focus();
  }, [refusals]);
  const people = [...new Set(clashes.map(({ by }) => by))];
  return (
    <div className="gh-task-notice" data-kind="warning" role="alert">
      <p ref={title} tabIndex={-1}>
        <strong>{text('clashTitle', { count: clashes.length, name: listFormat().format(people) })}</strong>
      </p>
      <p>{text('clashHint')}</p>
      {refusals > 0 && <p>{text('clashFirst')}</p>}
      {clashes.map((clash) => (
        <ClashField
          key={clash.pointer}
          clash={clash}
          choice={choices[clash.pointer] ?? 'mine'}
          onChoose={(choice) => setChoices({ ...choices, [clash.pointer]: choice })}
        />
      ))}
      <Button
        kind="primary"
        onClick={() => {
          work.choose(choices);
          focusHeading();
        }}
      >
        {text('applyChoices')}
      </Button>
    </div>
  );
}

interface ClashFieldProps {
  readonly clash: Clash;
  readonly choice: ClashChoice;
  readonly onChoose: (choice: ClashChoice) => void;
}

function ClashField({ clash, choice, onChoose }: ClashFieldProps): ReactNode {
  const name = useId();
  return (
    <fieldset className="gh-task-clash">
      <legend dir="auto">
        {clash.title} <code>{clash.pointer === '' ? '/' : clash.pointer}</code>
      </legend>
      {(['mine', 'theirs', 'proposed'] as const).map((each) => (
        <label key={each}>
          <input type="radio" name={name} checked={choice === each} onChange={() => onChoose(each)} />{' '}
          {rich(text, each, {
            name: clash.by,
            value: () => <code dir="auto">{shownValue(clash.shown[each])}</code>,
          })}
        </label>
      ))}
    </fieldset>
  );
}

function shownValue(value: Json | undefined): string {
  if (value === undefined) return text('notSet');
  const shown = typeof value === 'object' && value !== null ? writeJson(value) : labelOf(value);
  return shown.length > MAX_VALUE_LENGTH ? `${shown.slice(0, MAX_VALUE_LENGTH)} …` : shown;
}
