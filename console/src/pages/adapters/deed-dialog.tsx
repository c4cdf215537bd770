import type { ReactNode } from 'react';
import { useWrite } from '../../api/queries.js';
import { Button } from '../../kit/button.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { Dialog } from '../../kit/dialog.js';
import { Failure } from '../../kit/feedback.js';
import { useSay } from '../../kit/toasts.js';
import { type Deed, isPlainSuccess } from './deeds.js';

/** What changes with anything that is done to an adapter. */
export const ADAPTER_PATHS = ['/adapters', '/health', '/console'] as const;

export interface DeedDialogProps {
  readonly name: string;
  readonly deed: Deed;
  /** `isDone` is false when nothing was done. */
  readonly onClose: (isDone: boolean) => void;
}

/** Says what a deed does, does it with a yes, and says what came of it. */
export function DeedDialog({ name, deed, onClose }: DeedDialogProps): ReactNode {
  const write = useWrite<{ readonly message: string }>(ADAPTER_PATHS);
  const say = useSay();
  const { verb, effect, isDangerous, request } = deed;
  const act = async () => {
    try {
      // What was deleted is gone from the page, and this dialog with it, before the answer is told: so no callbacks of mutate.
      const { message } = (await write.mutateAsync(request)).data;
      say(isPlainSuccess(message, name) ? 'success' : 'danger', message);
      onClose(true);
    } catch {
      // The dialog shows write.error.
    }
  };
  return (
    <Dialog
      title={`${verb.split(':')[0] ?? verb} ${name}?`}
      isOpen
      onClose={() => onClose(false)}
      actions={
        <Button kind={isDangerous ? 'danger' : 'primary'} isBusy={write.isPending} onPress={() => void act()}>
          {verb.split(':')[0]}
        </Button>
      }
    >
      <div className="gh-stack">
        <p>{effect}</p>
        {write.error && <Failure problem={write.error} />}
        <p>
          <CopyAsCurl wanted={request} />
        </p>
      </div>
    </Dialog>
  );
}
