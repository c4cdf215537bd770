import { type ReactNode, useState } from 'react';
import { textOf } from '../../text/text.js';
import { ActionFields } from './action-fields.js';
import { type AdapterAction, isEndValid, isStartValid, NO_TERMS, requestOf } from './actions.js';
import { AdapterRequestDialog, type AdapterRequestDialogProps } from './adapter-request-dialog.js';
import { ImpactOnCalls, isImpactAction } from './impact.js';

const text = textOf('actions');

interface ActionDialogProps extends Pick<AdapterRequestDialogProps, 'onClose'> {
  readonly name: string;
  readonly action: AdapterAction;
}

/** Describes an action, asks for its reason, its begin and its end, runs it, and shows the result. */
export function ActionDialog({ name, action, onClose }: ActionDialogProps): ReactNode {
  const [terms, setTerms] = useState(NO_TERMS);
  const { effect, isDangerous, verb, canEnd = false } = action;
  return (
    <AdapterRequestDialog
      title={text('title', { verb, name })}
      verb={verb}
      request={requestOf(action, terms)}
      name={name}
      isDangerous={isDangerous}
      isReady={isStartValid(terms) && isEndValid(terms)}
      onClose={onClose}
    >
      <p>{effect}</p>
      {isImpactAction(action.key) && <ImpactOnCalls action={action.key} names={[name]} />}
      <ActionFields terms={terms} canEnd={canEnd} onChange={setTerms} />
    </AdapterRequestDialog>
  );
}
