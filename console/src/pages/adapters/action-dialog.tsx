import type { ReactNode } from 'react';
import type { AdapterAction } from './actions.js';
import { RequestDialog, type RequestDialogProps } from './request-dialog.js';

export interface DeedDialogProps extends Pick<RequestDialogProps, 'onClose'> {
  readonly name: string;
  readonly deed: AdapterAction;
}

/** Describes an action, runs it after confirmation, and shows the result. */
export function ActionDialog({ name, deed, onClose }: DeedDialogProps): ReactNode {
  const { effect, isDangerous, request } = deed;
  const [verb = deed.verb] = deed.verb.split(':');
  return (
    <RequestDialog
      title={`${verb} ${name}?`}
      verb={verb}
      request={request}
      name={name}
      isDangerous={isDangerous}
      onClose={onClose}
    >
      <p>{effect}</p>
    </RequestDialog>
  );
}
