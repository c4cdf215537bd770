import { type ReactNode, useRef } from 'react';
import { textOf } from '../../../text/text.js';
import { fileFactsOf, fileFactsText, fileValue } from '../file-facts.js';
import { useFormController } from '../form-controller.js';
import { describedBy, DraftErrors, type EditorProps, useInitialFocus } from './draft.js';

const formText = textOf('form');

/** A button that chooses a file; below it the name, the size and the picture of the file. */
export function FileEditor({ row, id, notesId, onLeave }: EditorProps): ReactNode {
  const controller = useFormController();
  const control = useInitialFocus<HTMLInputElement>(onLeave !== undefined, '');
  const name = useRef<string>(undefined);
  const { editor, pointer, text, title } = row;
  if (editor.kind !== 'file' && editor.kind !== 'signature') return null;
  const read = async (file: File | undefined) => {
    if (!file) return;
    name.current = file.name;
    controller.edit({ kind: 'set', pointer, value: await fileValue(editor, file) });
  };
  const { picture } = fileFactsOf(editor, text);
  return (
    <span className="gf-editor gf-file" onKeyDown={(event) => event.key === 'Escape' && onLeave?.('stay')}>
      <span className="gf-line">
        <label className="gh-button gf-file-button">
          <input
            ref={control}
            id={id}
            className="gf-heard"
            type="file"
            accept={editor.accept ?? (editor.kind === 'signature' ? 'image/*' : editor.mediaType)}
            capture={
              editor.capture === 'user' || editor.capture === 'environment' ? editor.capture : undefined
            }
            aria-label={`${formText('chooseFile')}: ${title}`}
            aria-invalid={row.errors.length > 0}
            aria-describedby={describedBy({ id, notesId })}
            onChange={(event) => void read(event.currentTarget.files?.[0])}
          />
          {formText('chooseFile')}
        </label>
        {row.filled && (
          <>
            <span dir="auto">{fileFactsText(editor, text, name.current)}</span>
            <button
              type="button"
              className="gh-button"
              aria-label={`${formText('clear')}: ${title}`}
              onClick={() => controller.edit({ kind: 'clear', pointer })}
            >
              {formText('clear')}
            </button>
          </>
        )}
      </span>
      {picture !== undefined && editor.kind === 'file' && (
        <img className="gf-file-preview" src={picture} alt="" />
      )}
      <DraftErrors id={`${id}-errors`} errors={row.errors} />
    </span>
  );
}
