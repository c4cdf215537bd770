import type { ReactNode } from 'react';
import { textOf } from '../../../text/text.js';
import type { Editor } from '../../model/index.js';
import { useFormController } from '../form-controller.js';
import {
  describedBy,
  type Draft,
  DraftErrors,
  type EditorProps,
  useDraft,
  useInitialFocus,
} from './draft.js';

const formText = textOf('form');

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
        placeholder={row.placeholder ?? (hint && formText(hint))}
        {...wiring(props, draft)}
      />
      {row.units !== undefined && <span className="gf-quiet">{row.units}</span>}
      <DraftErrors id={`${props.id}-errors`} errors={draft.errors} />
    </span>
  );
}

/** Several lines of text. */
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

/** Returns the common properties of input and textarea. */
function wiring({ id, notesId, row, onLeave }: EditorProps, draft: Draft) {
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

/** An input for Base64 bytes, typed or from a file. */
export function FileEditor(props: EditorProps): ReactNode {
  const controller = useFormController();
  const { row, id } = props;
  const read = async (file: File | undefined) => {
    if (!file) return;
    const value = base64(new Uint8Array(await file.arrayBuffer()));
    controller.setPending(undefined);
    controller.edit({ kind: 'set', pointer: row.pointer, value });
  };
  return (
    <span className="gf-file">
      <LinesEditor {...props} />
      <input
        type="file"
        id={`${id}-file`}
        aria-label={row.title}
        // Prevents that the text input loses the focus and its editor closes.
        onMouseDown={(event) => event.preventDefault()}
        onChange={(event) => void read(event.currentTarget.files?.[0])}
      />
    </span>
  );
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
