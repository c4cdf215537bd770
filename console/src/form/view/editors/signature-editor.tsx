import { type PointerEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { textOf } from '../../../text/text.js';
import { fileFactsOf } from '../file-facts.js';
import { useFormController } from '../form-controller.js';
import type { EditorProps } from './draft.js';
import { FileEditor } from './file-editor.js';

const formText = textOf('form');

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
