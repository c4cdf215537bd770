import type { ReactNode } from 'react';
import { useWrite } from '../../api/queries.js';
import type { ApiRequest } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { Dialog, type DialogProps } from '../../kit/dialog.js';
import { Failure } from '../../kit/feedback.js';
import { useToast } from '../../kit/toasts.js';
import { isPlainSuccess } from './actions.js';

/** Paths that are read again after an action on an adapter. */
export const AFFECTED_PATHS = ['/adapters', '/health', '/console'] as const;

/** Reply to an action on an adapter. */
interface ActionReply {
  readonly message: string;
  /** Set for an imported adapter. */
  readonly data?: { readonly name?: string };
}

export interface RequestDialogProps extends Pick<DialogProps, 'title' | 'isWide' | 'children'> {
  /** Text of the submit button. */
  readonly verb: string;
  readonly request: ApiRequest;
  /** Name of the adapter; absent if the reply contains it. */
  readonly name?: string;
  readonly isDangerous?: boolean;
  /** False while input is missing. */
  readonly isReady?: boolean;
  /** Additional content below the server's errors. */
  readonly below?: ReactNode;
  /** `isDone` is false if nothing was changed. */
  readonly onClose: (isDone: boolean) => void;
}

/**
 * Renders a dialog that sends one request for an adapter after confirmation and shows the result. Errors of
 * the server are shown in the dialog.
 */
export function RequestDialog(props: RequestDialogProps): ReactNode {
  const { verb, request, name, isDangerous = false, isReady = true, below, ...dialog } = props;
  const { onClose, children } = dialog;
  const write = useWrite<ActionReply>(AFFECTED_PATHS);
  const showToast = useToast();
  const submit = () =>
    write.mutate(request, {
      onSuccess: ({ data: { message, data } }) => {
        showToast(isPlainSuccess(message, name ?? data?.name ?? '') ? 'success' : 'danger', message);
        onClose(true);
      },
    });
  return (
    <Dialog
      {...dialog}
      isOpen
      onClose={() => onClose(false)}
      actions={
        <Button
          kind={isDangerous ? 'danger' : 'primary'}
          isBusy={write.isPending}
          isDisabled={!isReady}
          onPress={submit}
        >
          {verb}
        </Button>
      }
    >
      <div className="gh-stack">
        {children}
        {write.error && <Failure problem={write.error} />}
        {below}
        <p>
          <CopyAsCurl wanted={request} />
        </p>
      </div>
    </Dialog>
  );
}
