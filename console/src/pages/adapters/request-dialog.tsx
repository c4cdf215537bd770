import type { ReactNode } from 'react';
import { useWrite } from '../../api/queries.js';
import type { ApiRequest } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { Dialog, type DialogProps } from '../../kit/dialog.js';
import { Failure } from '../../kit/feedback.js';
import { useSay } from '../../kit/toasts.js';
import { isPlainSuccess } from './actions.js';

/** What changes with anything that is done to an adapter. */
export const ADAPTER_PATHS = ['/adapters', '/health', '/console'] as const;

/** What the server tells of anything that was done to an adapter. */
interface SubmitResult {
  readonly message: string;
  /** Of an adapter that was imported. */
  readonly data?: { readonly name?: string };
}

export interface RequestDialogProps extends Pick<DialogProps, 'title' | 'isWide' | 'children'> {
  /** Text of the button that sends. */
  readonly verb: string;
  readonly request: ApiRequest;
  /** The adapter; absent where the answer tells it. */
  readonly name?: string;
  readonly isDangerous?: boolean;
  /** False while something is missing. */
  readonly isReady?: boolean;
  /** Something long to look things up in, below what the server has against the request. */
  readonly below?: ReactNode;
  /** `isDone` is false when nothing was done. */
  readonly onClose: (isDone: boolean) => void;
}

/** Asks, sends one request for an adapter with a yes, and says what came of it. What the server has against it stands in the dialog. */
export function RequestDialog(props: RequestDialogProps): ReactNode {
  const { verb, request, name, isDangerous = false, isReady = true, below, ...dialog } = props;
  const { onClose, children } = dialog;
  const write = useWrite<SubmitResult>(ADAPTER_PATHS);
  const say = useSay();
  const act = () =>
    write.mutate(request, {
      onSuccess: ({ data: { message, data } }) => {
        say(isPlainSuccess(message, name ?? data?.name ?? '') ? 'success' : 'danger', message);
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
          onPress={act}
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
