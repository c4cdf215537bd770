import { type ReactNode, useMemo, useState } from 'react';
import type { ApiProblem, ProblemError } from '../../api/problem.js';
import { useRead, useWrite } from '../../api/queries.js';
import { type ApiReply, type ApiRequest, pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { DiffView } from '../../kit/diff-view.js';
import { Failure, Loading, Notice } from '../../kit/feedback.js';
import { faultOfObject, prettyJson } from '../../kit/json-text.js';
import { Actions } from '../../kit/page.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { isPlainSuccess } from '../adapters/actions.js';
import { AFFECTED_PATHS } from '../adapters/adapter-request-dialog.js';
import type { Schema } from '../api/operation.js';
import { inWords } from '../configure/adapter-faults.js';
import { ADAPTER_DOCUMENT } from '../configure/adapter-settings.js';
import { ConflictNotice } from '../configure/conflict-notice.js';
import { LeaveDialog, LeaveGuard } from '../configure/leave-guard.js';
import { SettingsEditor } from '../configure/settings-editor.js';
import { settingsIn } from '../configure/settings-text.js';
import { useUnsavedTest } from '../configure/test-connection.js';
import { TestReferences } from '../configure/test-references.js';
import { type ConnectionTestState, useConnectionTest } from '../configure/use-connection-test.js';
import { useOfferedReferences } from '../configure/use-offered-references.js';
import { useVaultPicker } from '../configure/vault-picker.js';
import {
  areValid,
  isEmpty,
  NO_TERMS,
  type TermsEntry,
  TermsFields,
  termsOf,
} from '../history/change-terms.js';
import { type AdapterEntry, documentText, isChanged } from './adapter-entry.js';
import { StepHeading } from './step-heading.js';

const words = textOf('configure');

interface ConfigurationEditorProps {
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
  const [terms, setTerms] = useState(NO_TERMS);
  const isDirty = hasInput(text !== initial, terms);
  const [isLeaving, setLeaving] = useState(false);
  const [isReviewing, setReviewing] = useState(false);
  const write = useWrite<{ readonly message: string }>(AFFECTED_PATHS);
  const showToast = useToast();
  const test = useConnectionTest();
  const problem = write.error ?? test.problem ?? null;
  const errors = useMemo(() => errorsOf(problem), [problem]);
  const fault = faultOfObject(text);
  // Saving without a difference would restart the adapter.
  const hasDifference = isChanged(text, base.text);
  const wanted: ApiRequest = {
    method: 'PUT',
    path: pathOf(['adapters', name]),
    json: changeOf(text, terms),
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
  const startTest: typeof test.start = (tested) => {
    write.reset();
    test.start(tested);
  };
  const acceptConflict = () => {
    if (conflict) setBase(conflict);
    setConflict(undefined);
    write.reset();
  };
  return (
    <>
      <LeaveGuard isDirty={isDirty && !write.isSuccess} />
      <LeaveDialog isOpen={isLeaving} onStay={() => setLeaving(false)} onLeave={onClose} />
      {problem && <RefusedChange problem={problem} count={errors.length} />}
      {conflict && (
        <ConflictNotice
          title={words('conflict')}
          before={base.data.data}
          current={conflict.data.data}
          onTake={acceptConflict}
        />
      )}
      {isReviewing ? (
        <>
          <StepHeading key="review">{words('reviewChanges')}</StepHeading>
          <p>{words('effect')}</p>
          <DiffView
            before={base.data.data}
            after={parsedJson(text)}
            labels={[words('current'), words('new')]}
          />
          <TermsFields entry={terms} onChange={setTerms} />
        </>
      ) : (
        <SettingsPane
          name={name}
          text={text}
          onChange={setText}
          errors={errors}
          isValid={fault === undefined}
          test={{ ...test, start: startTest }}
        />
      )}
      <SaveBar
        isReviewing={isReviewing}
        isBusy={write.isPending}
        canReview={fault === undefined && hasDifference}
        canSave={hasDifference && conflict === undefined && areValid(terms)}
        onReview={setReviewing}
        onSave={save}
        onDiscard={isDirty ? () => setLeaving(true) : onClose}
        wanted={wanted}
      />
    </>
  );
}

interface SaveBarProps {
  readonly isReviewing: boolean;
  readonly isBusy: boolean;
  readonly canReview: boolean;
  readonly canSave: boolean;
  /** Opens the review, or returns to the fields. */
  readonly onReview: (isReviewing: boolean) => void;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
  readonly wanted: ApiRequest;
}

/** Renders the buttons that lead from editing to the review, and from there to the saved configuration. */
function SaveBar(props: SaveBarProps): ReactNode {
  const { isReviewing, isBusy, canReview, canSave, onReview, onSave, onDiscard, wanted } = props;
  return (
    <div className="gh-save-bar">
      <div className="gh-actions">
        {isReviewing ? (
          <>
            <Button kind="primary" isBusy={isBusy} isDisabled={!canSave} onPress={onSave}>
              {words('saveAndRestart')}
            </Button>
            <Button onPress={() => onReview(false)}>{words('backToEditing')}</Button>
          </>
        ) : (
          <Button kind="primary" isDisabled={!canReview} onPress={() => onReview(true)}>
            {words('reviewChanges')}
          </Button>
        )}
        <Button kind="link" onPress={onDiscard}>
          {words('discard')}
        </Button>
        <CopyAsCurl wanted={wanted} />
      </div>
    </div>
  );
}

interface SettingsPaneProps {
  readonly name: string;
  /** The document of the adapter as JSON. */
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly errors: readonly ProblemError[];
  /** False while the text is not a JSON object. */
  readonly isValid: boolean;
  readonly test: ConnectionTestState;
}

/** Edits the document of an adapter, and tests its connection before it is saved. */
function SettingsPane({ name, text, onChange, errors, isValid, test }: SettingsPaneProps): ReactNode {
  const schema = useRead<{ readonly schema: Schema }>(pathOf(['schema', 'adapters', name]));
  const { may } = useSession();
  const unsaved = useUnsavedTest({ test, body: `{"properties":${text}}`, isReady: isValid });
  const offer = useOfferedReferences(name);
  const picker = useVaultPicker(name, offer !== undefined);
  return (
    <>
      <StepHeading key="edit">{words('editTitle')}</StepHeading>
      {schema.isPending ? (
        <Loading what={words('schemaWhat')} />
      ) : (
        <SettingsEditor
          // Without its plugin, an adapter has no schema and no form; its JSON can be changed nevertheless.
          schema={schema.data?.schema ?? {}}
          label={words('adapterJson')}
          value={text}
          kind={ADAPTER_DOCUMENT}
          onChange={onChange}
          offer={offer}
          picker={picker}
          errors={errors}
        />
      )}
      {isValid && <TestReferences adapter={name} settings={settingsIn(text, ADAPTER_DOCUMENT.place)} />}
      {may('testAdapterConnection') && (
        <>
          <Actions>{unsaved.button}</Actions>
          {unsaved.result}
        </>
      )}
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

/** Returns whether leaving the editor loses input. */
function hasInput(isEdited: boolean, terms: TermsEntry): boolean {
  return isEdited || !isEmpty(terms);
}

/** Returns the body of the request that changes an adapter: its document is sent as written. */
function changeOf(document: string, terms: TermsEntry): string {
  const members = Object.entries(termsOf(terms)).map(([name, value]) => `"${name}":${JSON.stringify(value)}`);
  return `{${[`"properties":${document}`, ...members].join(',')}}`;
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
