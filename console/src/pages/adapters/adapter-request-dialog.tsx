import type { ReactNode } from 'react';
import { RequestDialog, type RequestDialogProps } from '../../kit/request-dialog.js';
import { useToast } from '../../kit/toasts.js';
import { isPlainSuccess } from './actions.js';

/** Paths that are read again after an action on an adapter. */
export const AFFECTED_PATHS = ['/adapters', '/health', '/console'] as const;

/** Reply to an action on an adapter. */
export interface ActionReply {
  readonly message: string;
  /** Set for an imported adapter. */
  readonly data?: { readonly name?: string };
}

export interface AdapterRequestDialogProps extends Omit<
  RequestDialogProps<ActionReply>,
  'affects' | 'onDone' | 'onClose'
> {
  readonly name: string;
  /** `isDone` is false if nothing was changed. */
  readonly onClose: (isDone: boolean) => void;
}

/** Returns how to show the message of the server about an adapter. */
export function useReplyToast(name?: string): (reply: ActionReply) => void {
  const showToast = useToast();
  return ({ message, data }) =>
    showToast(isPlainSuccess(message, name ?? data?.name ?? '') ? 'success' : 'danger', message);
}

/** Renders a dialog that sends one request for an adapter after confirmation, and shows the message of the server. */
export function AdapterRequestDialog({ name, onClose, ...dialog }: AdapterRequestDialogProps): ReactNode {
  const showReply = useReplyToast(name);
  return (
    <RequestDialog<ActionReply>
      {...dialog}
      affects={AFFECTED_PATHS}
      onClose={() => onClose(false)}
      onDone={(reply) => {
        showReply(reply);
        onClose(true);
      }}
    />
  );
}
