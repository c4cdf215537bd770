import { type ReactNode, useMemo, useState } from 'react';
import type { ApiProblem, ProblemError } from '../../api/problem.js';
import { useRead, useWrite } from '../../api/queries.js';
import { type ApiReply, type ApiRequest, pathOf } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { DiffView } from '../../kit/diff-view.js';
import { Failure, Loading, Notice } from '../../kit/feedback.js';
import { faultOfObject, prettyJson } from '../../kit/json-text.js';
import { useToast } from '../../kit/toasts.js';
import { isPlainSuccess } from '../adapters/actions.js';
import { AFFECTED_PATHS } from '../adapters/request-dialog.js';
import type { Schema } from '../api/operation.js';
import { inWords } from '../configure/adapter-faults.js';
import { LeaveGuard } from '../configure/leave-guard.js';
import { SettingsEditor } from '../configure/settings-editor.js';
import { textOf } from '../../text/text.js';
import { type AdapterEntry, documentText } from './adapter-entry.js';

const words = textOf('configure');

/** Where the settings are in the document of an adapter. */
const SETTINGS: readonly string[] = ['properties', 'properties'];

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
  const [initial] = useState(() => prettyJson(documentText(current.text)));
  const [text, setText] = useState(initial);
  const [isReviewing, setReviewing] = useState(false);
  const write = useWrite<{ readonly message: string }>(AFFECTED_PATHS);
  const showToast = useToast();
  const schema = useRead<{ readonly schema: Schema }>(pathOf(['schema', 'adapters', name]));
  const errors = useMemo(() => errorsOf(write.error), [write.error]);
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
      onError: ({ status, errors: found }) => {
        if (found.length > 0) setReviewing(false);
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
      <LeaveGuard isDirty={text !== initial && !write.isSuccess} />
      {write.error && <RefusedChange problem={write.error} count={errors.length} />}
      {conflict && <Conflict base={base} conflict={conflict} onTake={acceptConflict} />}
      {isReviewing ? (
        <DiffView before={base.data.data} after={parsedJson(text)} labels={['Current', 'New']} />
      ) : (
        <>
          {schema.isPending ? (
            <Loading what={words('schemaWhat')} />
          ) : (
            <SettingsEditor
              // Without its plugin, an adapter has no schema and no form; its JSON can be changed nevertheless.
              schema={schema.data?.schema ?? {}}
              label={words('adapterJson')}
              value={text}
              path={SETTINGS}
              onChange={setText}
              errors={errors}
            />
          )}
        </>
      )}
      <div className="gh-save-bar">
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
      </div>
    </>
  );
}

/** Returns the server's errors with pointers into the document, which the request contains as `properties`. */
function errorsOf(problem: ApiProblem | null): readonly ProblemError[] {
  return inWords(problem?.errors ?? []).map(({ pointer, message }) => ({
    pointer: pointer.replace(/^\/properties/, ''),
    message,
  }));
}

function parsedJson(text: string): unknown {
  return JSON.parse(text);
}

interface RefusedProps {
  readonly problem: ApiProblem;
  /** Number of errors that the editor shows at their fields. */
  readonly count: number;
}

/** Shows that fields are marked, or why the server refused the change. */
function RefusedChange({ problem, count }: RefusedProps): ReactNode {
  if (count === 0) return <Failure problem={problem} />;
  return <Notice kind="danger" title={words('fixFields', { count })} />;
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
