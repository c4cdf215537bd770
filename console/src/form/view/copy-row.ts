import type { ClipboardEvent } from 'react';
import { textOf } from '../../text/text.js';
import { type Row, rowAt, withoutSecrets, writeJson } from '../model/index.js';
import { isTextInput } from './form-actions.js';
import type { FormController } from './form-controller.js';

const formText = textOf('form');

/**
 * Copies the path and the value of a row as a line that can be pasted into a form again. A selected text and
 * the text in an input are copied by the browser. A secret is never copied.
 */
export function copyRow(event: ClipboardEvent, controller: FormController, id: string | undefined): void {
  const hasSelection = window.getSelection()?.isCollapsed === false;
  const row = id === undefined ? undefined : rowAt(controller.now(), id);
  if (!row || hasSelection || isTextInput(event.target)) return;
  event.preventDefault();
  event.clipboardData.setData('text/plain', lineOf(controller, row));
  controller.announce(formText('copiedRow'));
}

function lineOf(controller: FormController, { pointer, editor }: Row): string {
  const isSecret = editor.kind === 'text' && editor.secret;
  const value = withoutSecrets(controller.now(), pointer, '');
  return value === undefined || isSecret ? pointer : `${pointer} ${writeJson(value)}`;
}

/** Copies the path of a row. */
export function copyPath(controller: FormController, { pointer }: Row): void {
  navigator.clipboard.writeText(pointer).then(
    () => controller.announce(formText('copiedPath')),
    () => controller.announce(formText('notCopied')),
  );
}
