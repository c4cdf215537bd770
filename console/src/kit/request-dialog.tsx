import type { ReactNode } from 'react';
import { useWrite } from '../api/queries.js';
import type { ApiRequest } from '../api/request.js';
import { Button } from './button.js';
import { CopyAsCurl } from './copy.js';
import { Dialog, type DialogProps } from './dialog.js';
import { Failure } from './feedback.js';

export interface RequestDialogProps<Data> extends Pick<DialogProps, 'title' | 'isWide' | 'children'> {
  /** Text of the submit button. */
  readonly verb: string;
  readonly request: ApiRequest;
  /** Paths that are read again after the request. */
  readonly affects: readonly string[];
  readonly isDangerous?: boolean;
  /** False while input is missing. */
  readonly isReady?: boolean;
  /** Additional content below the server's errors. */
  readonly below?: ReactNode;
  /** Receives the reply to the request; the dialog is closed by its owner. */
  readonly onDone: (reply: Data) => void;
  /** Called if the user leaves the dialog without sending the request. */
  readonly onClose: () => void;
}

/**
 * Renders a dialog that describes an action, sends its request after confirmation, and shows the request as a curl command.
 * Errors of the server are shown in the dialog.
 */
export function RequestDialog<Data>(props: RequestDialogProps<Data>): ReactNode {
  const { verb, request, affects, isDangerous = false, isReady = true, below, onDone, ...dialog } = props;
  const { mutate, error, isPending } = useWrite<Data>(affects);
  return (
    <Dialog
      {...dialog}
      isOpen
      actions={
        <Button
          kind={isDangerous ? 'danger' : 'primary'}
          isBusy={isPending}
          isDisabled={!isReady}
          onPress={() => mutate(request, { onSuccess: ({ data }) => onDone(data) })}
        >
          {verb}
        </Button>
      }
    >
      <div className="gh-stack">
        {dialog.children}
        {error && <Failure problem={error} />}
        {below}
        <p>
          <CopyAsCurl wanted={request} />
        </p>
      </div>
    </Dialog>
  );
}
