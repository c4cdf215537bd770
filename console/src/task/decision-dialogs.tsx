import { type ReactNode, useId } from 'react';
import { changesOf, type FormState, rowAt, rowIdOf } from '../form/model/index.js';
import { ChangeList } from '../form/view/change-list.js';
import { Button } from '../form/view/controls.js';
import { errorText } from '../form/view/error-text.js';
import { TaskDialog } from './parts.js';
import type { Decision } from './server.js';
import { text } from './task-text.js';

/** Maximum length of a reason, in characters. */
const MAX_REASON_LENGTH = 2000;

/** Maximum number of listed errors. */
const MAX_SHOWN_ERRORS = 20;

interface DecisionProps {
  /** The comment or the reason. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onDecide: (decision: Decision) => void;
  readonly onClose: () => void;
}

interface ApproveDialogProps extends DecisionProps {
  readonly form: FormState;
  /** Closes the dialog and goes to a row. */
  readonly onGoTo: (row: { readonly id: string }) => void;
}

/** The review before an approval: the errors, the changes to the proposal, and a comment. */
export function ApproveDialog(props: ApproveDialogProps): ReactNode {
  const { form, text: comment, onText, onGoTo, onDecide, onClose } = props;
  const hasErrors = form.errors.length > 0;
  return (
    <TaskDialog title={text('approveTitle')} onClose={onClose}>
      {hasErrors && <Errors form={form} onGoTo={onGoTo} />}
      <h3>{text('changesToProposal', { count: changesOf(form).length })}</h3>
      {changesOf(form).length > 0 && <ChangeList state={form} base={form.loaded} />}
      {!hasErrors && (
        <>
          <ReasonField label={text('approveComment')} value={comment} onChange={onText} />
          <p className="gh-task-quiet">{text('approveFinal')}</p>
        </>
      )}
      <div className="gh-actions">
        {!hasErrors && (
          <Button kind="primary" onClick={() => onDecide({ outcome: 'approved', reason: comment.trim() })}>
            {text('approve')}
          </Button>
        )}
        <Button onClick={onClose}>{text('backToForm')}</Button>
      </div>
    </TaskDialog>
  );
}

/** The errors of the form; each one leads to its field. */
function Errors({ form, onGoTo }: Pick<ApproveDialogProps, 'form' | 'onGoTo'>): ReactNode {
  const rest = form.errors.length - MAX_SHOWN_ERRORS;
  return (
    <div className="gh-task-notice" data-kind="bad" role="alert">
      <p>
        <strong>{text('errorsFirst', { count: form.errors.length })}</strong>
      </p>
      <ul>
        {form.errors.slice(0, MAX_SHOWN_ERRORS).map((error) => (
          <li key={`${error.pointer} ${error.message}`}>
            <button
              type="button"
              className="gh-task-link"
              onClick={() => {
                const id = rowIdOf(form, error.pointer);
                if (id !== undefined) onGoTo({ id });
              }}
            >
              {rowAt(form, error.pointer)?.title ??
                (error.pointer === '' ? text('wholeForm') : error.pointer)}
            </button>{' '}
            {errorText(form, error)}
          </li>
        ))}
      </ul>
      {rest > 0 && <p>{text('moreErrors', { count: rest })}</p>}
    </div>
  );
}

/** Asks for the reason of a rejection. The requester of the task receives it. */
export function RejectDialog({ text: reason, onText, onDecide, onClose }: DecisionProps): ReactNode {
  return (
    <TaskDialog title={text('rejectTitle')} onClose={onClose}>
      <ReasonField label={text('rejectReason')} value={reason} onChange={onText} />
      <div className="gh-actions">
        <Button
          kind="danger"
          disabled={reason.trim() === ''}
          onClick={() => onDecide({ outcome: 'rejected', reason: reason.trim() })}
        >
          {text('reject')}
        </Button>
        <Button onClick={onClose}>{text('cancel')}</Button>
      </div>
    </TaskDialog>
  );
}

interface ReasonFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ReasonField({ label, value, onChange }: ReasonFieldProps): ReactNode {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="gh-input"
        rows={4}
        maxLength={MAX_REASON_LENGTH}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </>
  );
}
