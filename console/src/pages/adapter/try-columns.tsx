import type { ReactNode } from 'react';
import type { ApiRequest } from '../../api/api-request.js';
import { Button } from '../../kit/button.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { Columns, Panel } from '../../kit/page.js';
import { textOf } from '../../text/text.js';

const text = textOf('try');

interface TryColumnsProps {
  /** The fields of the request. */
  readonly children: ReactNode;
  /** The button that sends it. */
  readonly send: ReactNode;
  readonly isBusy: boolean;
  readonly onCancel: () => void;
  readonly wanted: ApiRequest | undefined;
  /** The response; undefined before the first one. */
  readonly reply: ReactNode;
}

/** Renders a test request beside its response. */
export function TryColumns({ children, send, isBusy, onCancel, wanted, reply }: TryColumnsProps): ReactNode {
  return (
    <Columns>
      <Panel title={text('request')}>
        <div className="gh-stack">
          {children}
          <div className="gh-actions">
            {send}
            {isBusy && <Button onPress={onCancel}>{text('cancel')}</Button>}
            {wanted && <CopyAsCurl wanted={wanted} />}
          </div>
        </div>
      </Panel>
      <Panel title={text('response')}>{reply ?? <p className="gh-quiet">{text('noResponse')}</p>}</Panel>
    </Columns>
  );
}
