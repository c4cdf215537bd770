import { type ReactNode, useState } from 'react';
import { useWrite } from '../../api/queries.js';
import type { ApiRequest } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { Dialog } from '../../kit/dialog.js';
import { Failure } from '../../kit/feedback.js';
import { TextAreaField } from '../../kit/fields.js';
import { FileField } from '../../kit/file-field.js';
import { useSay } from '../../kit/toasts.js';
import { ADAPTER_PATHS } from './deed-dialog.js';
import { isPlainSuccess } from './deeds.js';
import { faultOfObject } from './json-text.js';

/** Largest file that is read; the server takes less. */
const MOST_BYTES = 5_000_000;

/** Takes an adapter in that was exported, here or elsewhere. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [text, setText] = useState('');
  const write = useWrite<{ readonly message: string; readonly data: { readonly name: string } }>(
    ADAPTER_PATHS,
  );
  const say = useSay();
  const fault = text === '' ? undefined : faultOfObject(text);
  const request: ApiRequest = { method: 'POST', path: '/adapters/import', json: `{"properties":${text}}` };
  const act = () =>
    write.mutate(request, {
      onSuccess: ({ data: { message, data } }) => {
        say(isPlainSuccess(message, data.name) ? 'success' : 'danger', message);
        onClose();
      },
    });
  return (
    <Dialog
      title="Import adapter"
      isOpen
      isWide
      onClose={onClose}
      actions={
        <Button
          kind="primary"
          isBusy={write.isPending}
          isDisabled={text === '' || fault !== undefined}
          onPress={act}
        >
          Import
        </Button>
      }
    >
      <div className="gh-stack">
        <FileField label="A file" accept=".json,application/json" maxBytes={MOST_BYTES} onText={setText} />
        <TextAreaField
          label="The adapter as JSON"
          isCode
          rows={14}
          value={text}
          onChange={setText}
          help="As an export gives it. It is registered under its name and starts with the answer. A secret in plain text is refused; exports hold references."
          {...(fault !== undefined && { error: fault })}
        />
        {write.error && <Failure problem={write.error} />}
        <p>
          <CopyAsCurl wanted={request} />
        </p>
      </div>
    </Dialog>
  );
}
