import { type ReactNode, useState } from 'react';
import { textOf } from '../../text/text.js';
import { LevelFields } from './action-fields.js';
import { LEVEL_PRESET, levelRequest } from './actions.js';
import { AdapterRequestDialog } from './adapter-request-dialog.js';

const text = textOf('actions');

interface LevelDialogProps {
  readonly name: string;
  readonly level?: string;
  readonly onClose: () => void;
}

/** Sets the log level of an adapter, for how long, and why. */
export function LevelDialog({ name, level = LEVEL_PRESET.level, onClose }: LevelDialogProps): ReactNode {
  const [terms, setTerms] = useState({ ...LEVEL_PRESET, level });
  return (
    <AdapterRequestDialog
      title={text('level.title', { name })}
      verb={text('setLevel.verb')}
      request={levelRequest(name, terms)}
      name={name}
      onClose={onClose}
    >
      <LevelFields terms={terms} onChange={setTerms} />
    </AdapterRequestDialog>
  );
}
