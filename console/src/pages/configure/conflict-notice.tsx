import type { ReactNode } from 'react';
import { Button } from '../../kit/button.js';
import { DiffView } from '../../kit/diff-view.js';
import { Notice } from '../../kit/feedback.js';
import { textOf } from '../../text/text.js';

const text = textOf('configure');

interface ConflictNoticeProps {
  readonly title: string;
  /** The document when the editing began. */
  readonly before: unknown;
  /** The document of the server now. */
  readonly current: unknown;
  /** Continues with the current document, and keeps the edits. */
  readonly onTake: () => void;
}

/** Shows what another user has changed since the editing began. */
export function ConflictNotice({ title, before, current, onTake }: ConflictNoticeProps): ReactNode {
  return (
    <Notice
      kind="warning"
      title={title}
      actions={
        <Button kind="link" onPress={onTake}>
          {text('keepAndCompare')}
        </Button>
      }
    >
      <DiffView before={before} after={current} labels={[text('whenYouStarted'), text('current')]} />
    </Notice>
  );
}
