import type { ReactNode } from 'react';
import { Button } from '../../kit/button.js';
import { Notice } from '../../kit/feedback.js';
import type { YangFault, YangText } from './yang-request.js';

export interface FaultListProps {
  readonly faults: readonly YangFault[];
  readonly texts: readonly YangText[];
  readonly onPress: (fault: YangFault) => void;
}

/** Faults of the YANG texts; each links to its line. */
export function FaultList({ faults, texts, onPress }: FaultListProps): ReactNode {
  const title = faults.length === 1 ? 'The YANG has 1 error' : `The YANG has ${faults.length} errors`;
  return (
    <Notice kind="danger" title={title}>
      <ol className="gh-yang-faults">
        {faults.map((fault, at) => (
          <li key={at}>
            {fault.text !== undefined && (
              <Button kind="link" isSmall onPress={() => onPress(fault)}>
                {`${texts[fault.text]?.name ?? ''}${fault.line === undefined ? '' : `:${fault.line}:${fault.column ?? 1}`}`}
              </Button>
            )}
            <span>{fault.message}</span>
          </li>
        ))}
      </ol>
    </Notice>
  );
}
