import type { ReactNode } from 'react';
import type { LogLevel } from '../../api/observe.js';
import { useSession } from '../../app/session.js';
import { DialogButton } from '../../kit/dialog-button.js';
import { textOf } from '../../text/text.js';
import { LevelDialog } from '../adapters/level-dialog.js';
import { LogView } from '../log/log-view.js';

const text = textOf('log');

/** Renders the live log of an adapter, with a button that changes its level. */
export function LogTab({ name }: { readonly name: string }): ReactNode {
  return <LogView name={name} actions={(level) => <SetLevel name={name} level={level} />} />;
}

function SetLevel({
  name,
  level,
}: {
  readonly name: string;
  readonly level: LogLevel | undefined;
}): ReactNode {
  const { may } = useSession();
  if (!may('updateAdapterLogging')) return null;
  return (
    <DialogButton verb={text('setLevel')}>
      {(close) => <LevelDialog name={name} {...(level !== undefined && { level })} onClose={close} />}
    </DialogButton>
  );
}
