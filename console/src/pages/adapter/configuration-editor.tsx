import { type ReactNode, useState } from 'react';
import type { ApiProblem } from '../../api/problem.js';
import { useWrite } from '../../api/queries.js';
import { type ApiReply, type ApiRequest, pathOf } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { CodeEditor, type CodeMark } from '../../kit/code-editor.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { DiffView } from '../../kit/diff-view.js';
import { Failure, Notice } from '../../kit/feedback.js';
import { faultOfObject, prettyJson } from '../../kit/json-text.js';
import { useToast } from '../../kit/toasts.js';
import { isPlainSuccess } from '../adapters/actions.js';
import { AFFECTED_PATHS } from '../adapters/request-dialog.js';
import { type AdapterEntry, documentText } from './adapter-entry.js';

export interface ConfigurationEditorProps {
  readonly name: string;
  readonly current: ApiReply<AdapterEntry>;
  /** Reads the server's current configuration. */
  readonly readAgain: () => Promise<ApiReply<AdapterEntry> | undefined>;
  readonly onClose: () => void;
}

/**
 * Edits an adapter's configuration in three steps: edit, review the difference, save unless another user has
 * changed it meanwhile.
 */
export function ConfigurationEditor({
  name,
  current,
  readAgain,
  onClose,
}: ConfigurationEditorProps): ReactNode {
  const [base, setBase] = useState(current);
  const [conflict, setConflict] = useState<ApiReply<AdapterEntry>>();
  const [text, setText] = useState(() => prettyJson(documentText(current.text)));
  const [isReviewing, setReviewing] = useState(false);
  const write = useWrite<{ readonly message: string }>(AFFECTED_PATHS);
  const showToast = useToast();
  const fault = faultOfObject(text);
  const wanted: ApiRequest = {
    method: 'PUT',
    path: pathOf(['adapters', name]),
    json: `{"properties":${text}}`,
    ...(base.etag !== undefined && { ifMatch: base.etag }),
  };
  const save = () =>
    write.mutate(wanted, {
      onSuccess: ({ data: { message } }) => {
        showToast(isPlainSuccess(message, name) ? 'success' : 'danger', message);
        onClose();
      },
      onError: ({ status }) => {
        if (status === 412) void readAgain().then(setConflict);
      },
    });
  const acceptConflict = () => {
    if (conflict) setBase(conflict);
    setConflict(undefined);
    write.reset();
  };
  return (
    <>
      {write.error && <Failure problem={write.error} />}
      {conflict && <Conflict base={base} conflict={conflict} onTake={acceptConflict} />}
      {isReviewing ? (
        <DiffView before={base.data.data} after={parsedJson(text)} labels={['Current', 'New']} />
      ) : (
        <>
          <CodeEditor
            label="The adapter as JSON"
            height="large"
            value={text}
            onChange={setText}
            marks={marksOf(write.error)}
          />
          <p className="gh-quiet" role="status">
            {fault ?? 'Write secrets as Vault references: $VAULT_<path>#<field>. The name cannot be changed.'}
          </p>
        </>
      )}
      <div className="gh-actions">
        {isReviewing ? (
          <>
            <Button
              kind="primary"
              isBusy={write.isPending}
              isDisabled={conflict !== undefined}
              onPress={save}
            >
              Save and restart adapter
            </Button>
            <Button onPress={() => setReviewing(false)}>Back to editing</Button>
          </>
        ) : (
          <Button kind="primary" isDisabled={fault !== undefined} onPress={() => setReviewing(true)}>
            Review changes
          </Button>
        )}
        <Button kind="link" onPress={onClose}>
          Discard
        </Button>
        <CopyAsCurl wanted={wanted} />
      </div>
    </>
  );
}

/**
 * Returns the server's errors at their positions in the text; the request body contains the text as
 * `properties`.
 */
function marksOf(problem: ApiProblem | null): readonly CodeMark[] {
  return (problem?.errors ?? []).map(({ pointer, message }) => ({
    position: { pointer: pointer.replace(/^\/properties/, '') },
    message,
    kind: 'error',
  }));
}

function parsedJson(text: string): unknown {
  return JSON.parse(text);
}

interface ConflictProps {
  readonly base: ApiReply<AdapterEntry>;
  readonly conflict: ApiReply<AdapterEntry>;
  readonly onTake: () => void;
}

function Conflict({ base, conflict, onTake }: ConflictProps): ReactNode {
  return (
    <Notice
      kind="warning"
      title="Another user changed this adapter while you were editing. Your changes were not saved."
      actions={
        <Button kind="link" onPress={onTake}>
          Keep my changes and compare
        </Button>
      }
    >
      <DiffView
        before={base.data.data}
        after={conflict.data.data}
        labels={['When you started editing', 'Current']}
      />
    </Notice>
  );
}
