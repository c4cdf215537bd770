import type { ReactNode } from 'react';
import type { Editor } from '../../model/index.js';
import { formText } from '../form-text.js';
import {
  describedBy,
  type Draft,
  DraftErrors,
  type EditorProps,
  useDraft,
  useInitialFocus,
} from './draft.js';

const HINTS: Readonly<
  Partial<Record<Editor['kind'], 'hintDate' | 'hintTime' | 'hintDateTime' | 'hintColor'>>
> = { date: 'hintDate', time: 'hintTime', 'date-time': 'hintDateTime', color: 'hintColor' };

/** An input for strings, numbers, dates and unions. Typed text is validated, but never changed. */
export function TextEditor(props: EditorProps): ReactNode {
  const { row, initialText, onLeave } = props;
  const draft = useDraft(props);
  const control = useInitialFocus<HTMLInputElement>(onLeave !== undefined, initialText);
  const { editor } = row;
  const hint = HINTS[editor.kind];
  return (
    <span className="gf-editor">
      <input
        ref={control}
        type={editor.kind === 'text' && editor.secret ? 'password' : 'text'}
        inputMode={inputMode(props)}
        placeholder={
          row.value === null ? formText('nullValue') : (row.placeholder ?? (hint && formText(hint)))
        }
        {...wiring(props, draft)}
      />
      {editor.kind === 'color' && onLeave === undefined && (
        <input
          type="color"
          aria-label={`${formText('chooseColor')}: ${row.title}`}
          value={/^#[0-9a-f]{6}$/i.test(draft.text) ? draft.text : '#000000'}
          onInput={(event) => {
            draft.write(event.currentTarget.value);
            draft.accept(event.currentTarget.value);
          }}
        />
      )}
      {row.units !== undefined && <span className="gf-quiet">{row.units}</span>}
      <DraftErrors id={`${props.id}-errors`} errors={draft.errors} />
    </span>
  );
}

export function LinesEditor(props: EditorProps): ReactNode {
  const { row, initialText, onLeave } = props;
  const draft = useDraft(props);
  const control = useInitialFocus<HTMLTextAreaElement>(onLeave !== undefined, initialText);
  return (
    <span className="gf-editor">
      <textarea ref={control} rows={4} placeholder={row.placeholder} {...wiring(props, draft)} />
      <DraftErrors id={`${props.id}-errors`} errors={draft.errors} />
    </span>
  );
}

function inputMode({
  row: { editor },
}: EditorProps): 'numeric' | 'decimal' | 'email' | 'url' | 'tel' | undefined {
  if (editor.kind === 'text') return editor.keyboard;
  if (editor.kind !== 'number') return undefined;
  return editor.integer ? 'numeric' : 'decimal';
}

/** Returns the common properties of the inputs of a draft. */
export function wiring({ id, notesId, row, onLeave }: EditorProps, draft: Draft) {
  return {
    id,
    dir: 'auto' as const,
    className: 'gh-input gf-input',
    value: draft.text,
    autoComplete: 'off',
    spellCheck: false,
    ...(onLeave && { 'aria-label': row.title }),
    'aria-invalid': draft.errors.length > 0,
    'aria-required': row.required,
    'aria-describedby': describedBy({ id, notesId }),
    onInput: (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      draft.write(event.currentTarget.value),
    onFocus: draft.onFocus,
    onBlur: draft.onBlur,
    onKeyDown: draft.onKeyDown,
  };
}
