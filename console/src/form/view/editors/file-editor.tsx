import { type PointerEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { Button } from '../controls.js';
import { useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { fileFactsOf, fileFactsText, fileValue } from '../shown-text.js';
import { describedBy, DraftErrors, type EditorProps, useInitialFocus } from './draft.js';

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
            <Button
              aria-label={`${formText('clear')}: ${title}`}
              onClick={() => controller.edit({ kind: 'clear', pointer })}
            >
              {formText('clear')}
            </Button>
          </>
        )}
      </span>
      {row.filled && picture !== undefined && editor.kind === 'file' && (
        <img className="gf-file-preview" src={picture} alt="" />
      )}
      <DraftErrors id={`${id}-errors`} errors={row.errors} />
    </span>
  );
}

/** Size of the picture in pixels. */
const [WIDTH, HEIGHT] = [480, 160];

/** A box to sign in with the mouse, a pen or a finger; or a picture of a signature. */
export function SignatureEditor(props: EditorProps): ReactNode {
  const controller = useFormController();
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef('');
  const { row } = props;
  const { editor, pointer, text } = row;
  const pen = () => canvas.current?.getContext('2d');
  useLayoutEffect(() => {
    if (text === drawn.current || !('isUrl' in editor)) return;
    drawn.current = text;
    pen()?.clearRect(0, 0, WIDTH, HEIGHT);
    const { picture } = fileFactsOf(editor, text);
    if (picture === undefined) return;
    const image = new Image();
    image.onload = () => pen()?.drawImage(image, 0, 0, WIDTH, HEIGHT);
    image.src = picture;
  }, [text]);
  const lineTo = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLCanvasElement>, isStart: boolean) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const to = [((clientX - left) * WIDTH) / width, ((clientY - top) * HEIGHT) / height] as const;
    const line = pen();
    if (!line) return;
    if (isStart) line.beginPath();
    line.lineWidth = 2.5;
    line.lineCap = 'round';
    line.lineTo(...to);
    line.stroke();
  };
  const keep = () => {
    const url = canvas.current?.toDataURL('image/png') ?? '';
    drawn.current = 'isUrl' in editor && editor.isUrl ? url : url.slice(url.indexOf(',') + 1);
    controller.edit({ kind: 'set', pointer, value: drawn.current });
  };
  return (
    <>
      <canvas
        ref={canvas}
        className="gf-signature"
        width={WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={`${formText('signHere')}: ${row.title}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          lineTo(event, true);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) lineTo(event, false);
        }}
        onPointerUp={keep}
      />
      <FileEditor {...props} />
    </>
  );
}
