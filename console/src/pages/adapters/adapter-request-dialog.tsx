import type { ReactNode } from 'react';
import { RequestDialog, type RequestDialogProps } from '../../kit/request-dialog.js';
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

export interface AdapterRequestDialogProps extends Omit<
  RequestDialogProps<ActionReply>,
  'affects' | 'onDone' | 'onClose'
> {
  /** Name of the adapter; absent if the reply contains it. */
  readonly name?: string;
  /** `isDone` is false if nothing was changed. */
  readonly onClose: (isDone: boolean) => void;
}

/** Renders a dialog that sends one request for an adapter after confirmation, and shows the message of the server. */
export function AdapterRequestDialog({ name, onClose, ...dialog }: AdapterRequestDialogProps): ReactNode {
  const showToast = useToast();
  return (
    <RequestDialog<ActionReply>
      {...dialog}
      affects={AFFECTED_PATHS}
      onClose={() => onClose(false)}
      onDone={({ message, data }) => {
        showToast(isPlainSuccess(message, name ?? data?.name ?? '') ? 'success' : 'danger', message);
        onClose(true);
      }}
    />
  );
}
