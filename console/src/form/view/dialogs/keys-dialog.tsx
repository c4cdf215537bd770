import type { ReactNode } from 'react';
import { useDesk } from '../form-controller.js';
import { FormDialog } from './form-dialog.js';

/** Dialog that lists the keyboard shortcuts. */
export function KeysDialog(): ReactNode {
  const { labels } = useDesk();
  return (
    <FormDialog title={labels.keys}>
      <dl className="gf-keys">
        {labels.keySheet.map(([keys, says]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </FormDialog>
  );
}
