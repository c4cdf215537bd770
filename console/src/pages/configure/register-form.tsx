import { type ReactNode, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { ApiProblem } from '../../api/problem.js';
import { useRead, useWrite } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { afterPress } from '../../form/view/after-press.js';
import { Button } from '../../kit/button.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { Failure, Notice, Read } from '../../kit/feedback.js';
import { TextField } from '../../kit/fields.js';
import { faultOfObject } from '../../kit/json-text.js';
import { leaveUnasked } from '../../kit/leaving.js';
import { Panel } from '../../kit/page.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { isPlainSuccess } from '../adapters/actions.js';
import { pathOfAdapter } from '../adapters/adapter-path.js';
import { AFFECTED_PATHS } from '../adapters/adapter-request-dialog.js';
import { sampleSettings, type SettingsSchema } from '../adapters/settings-sample.js';
import type { Schema } from '../api/operation.js';
import { adapterFaults, type AdapterFaults, faultCount, nameFault, NO_FAULTS } from './adapter-faults.js';
import { ADAPTER_SETTINGS } from './adapter-settings.js';
import type { StartingPoint } from './adapter-template.js';
import { LeaveDialog, LeaveGuard } from './leave-guard.js';
import { registrationOf } from './registration.js';
import { savedMessage } from './saved-message.js';
import { SettingsEditor } from './settings-editor.js';
import { withOwnReferences } from './settings-text.js';
import { useUnsavedTest } from './test-connection.js';
import { TestReferences } from './test-references.js';
import { useConnectionTest } from './use-connection-test.js';
import { useFirstFocus } from './use-first-focus.js';
import { useOfferedReferences } from './use-offered-references.js';
import { useVaultPicker } from './vault-picker.js';

const text = textOf('configure');

interface RegisterFormProps {
  readonly start: StartingPoint;
  /** Returns to the choice of the orchestrator. */
  readonly onBack: () => void;
}

type AdapterSchema = Schema & SettingsSchema;

/** Reads the schema of the plugin, and then renders the form. */
export function RegisterForm({ start, onBack }: RegisterFormProps): ReactNode {
  const schema = useRead<{ readonly schema: AdapterSchema }>(pathOf(['schema', 'adapters', start.model]));
  return (
    <Read query={schema} what={text('schemaWhat')}>
      {(data) => <AdapterForm start={start} schema={data.schema} onBack={onBack} />}
    </Read>
  );
}

interface AdapterFormProps extends RegisterFormProps {
  readonly schema: AdapterSchema;
}

function AdapterForm({ start, schema, onBack }: AdapterFormProps): ReactNode {
  const [draft] = useState(() => draftOf(start, schema));
  const [name, setName] = useState('');
  const [settings, setSettings] = useState(draft);
  // The name that the references to the own secrets of the adapter have in the settings.
  const [referencedName, setReferencedName] = useState('');
  const isDirty = name !== '' || settings !== draft;
  const referenced = name === referencedName ? settings : withOwnReferences(settings, name, referencedName);
  const changeReferences = () => {
    setSettings(referenced);
    setReferencedName(name);
  };
  const offer = useOfferedReferences(referencedName);
  const picker = useVaultPicker(referencedName, offer !== undefined);
  const body = registrationOf({ name, model: start.model, settings: referenced });
  const { faults, problem, write, save, test } = useRegistration({ name, settings: referenced, body });
  const isJson = faultOfObject(settings) === undefined;
  const mayTest = useSession().may('testAdapterConnection');
  const unsaved = useUnsavedTest({ test, body, isReady: isJson && name !== '' });
  const first = useFirstFocus();
  const [isLeaving, setLeaving] = useState(false);
  return (
    <>
      <LeaveDialog isOpen={isLeaving} onStay={() => setLeaving(false)} onLeave={() => leaveUnasked(onBack)} />
      <LeaveGuard isDirty={isDirty && !write.isSuccess} />
      <Panel
        title={start.title ?? start.model}
        actions={
          <Button kind="link" onPress={isDirty ? () => setLeaving(true) : onBack}>
            {text('changeTemplate')}
          </Button>
        }
      >
        <div className="gh-stack">
          <p className="gh-quiet">
            {start.title === undefined
              ? text('startsFromPlugin', { model: start.model })
              : text('startsFrom', { title: start.title })}
          </p>
          <div ref={first} onBlur={() => afterPress(changeReferences)}>
            <TextField
              label={text('name')}
              value={name}
              onChange={setName}
              isRequired
              help={text('nameHelp')}
              {...(faults.name !== undefined && { error: faults.name })}
            />
          </div>
          <SettingsEditor
            schema={schema}
            label={text('settings')}
            value={settings}
            kind={ADAPTER_SETTINGS}
            onChange={setSettings}
            offer={offer}
            picker={picker}
            errors={faults.settings}
          />
        </div>
      </Panel>
      {isJson && <TestReferences adapter={name} settings={referenced} />}
      <div className="gh-save-bar">
        <RefusedRegistration faults={faults} problem={problem} />
        {mayTest && unsaved.result}
        <div className="gh-actions">
          <Button kind="primary" isBusy={write.isPending} isDisabled={!isJson} onPress={save}>
            {text('register')}
          </Button>
          {mayTest && unsaved.button}
          <CopyAsCurl wanted={{ method: 'POST', path: '/adapters', json: body }} />
        </div>
      </div>
    </>
  );
}

/** Returns the settings that a new adapter starts from, as JSON with references to its own secrets. */
function draftOf({ settings }: StartingPoint, schema: SettingsSchema): string {
  return withOwnReferences(JSON.stringify(settings ?? sampleSettings(schema, ''), null, 2), '');
}

interface RegistrationTerms {
  readonly name: string;
  readonly settings: string;
  readonly body: string;
}

/** Saves and tests a new adapter; the errors of both are those of the fields. */
function useRegistration({ name, settings, body }: RegistrationTerms) {
  const [missing, setMissing] = useState<string>();
  const write = useWrite<{ readonly message: string }>(AFFECTED_PATHS);
  const test = useConnectionTest();
  const showToast = useToast();
  const [, navigate] = useLocation();
  const problem = write.error ?? test.problem ?? null;
  const refused = useMemo(() => (problem ? adapterFaults(problem) : NO_FAULTS), [problem]);
  const faults = useMemo(
    () => (missing === undefined ? refused : { ...refused, name: missing }),
    [missing, refused],
  );
  const save = () => {
    const fault = nameFault(name);
    setMissing(fault);
    if (fault !== undefined) return;
    test.reset();
    write.mutate(
      { method: 'POST', path: '/adapters', json: body },
      {
        onSuccess: ({ data: { message } }) => {
          const isPlain = isPlainSuccess(message, name);
          showToast(
            isPlain ? 'success' : 'danger',
            isPlain ? text('saved', { name }) : savedMessage({ name, message, settings }),
          );
          leaveUnasked(() => navigate(`${pathOfAdapter(name)}${isPlain ? '' : '?tab=configuration'}`));
        },
      },
    );
  };
  const start: typeof test.start = (wanted) => {
    setMissing(undefined);
    write.reset();
    test.start(wanted);
  };
  return { faults, problem, write, save, test: { ...test, start } };
}

interface RefusedProps {
  readonly faults: AdapterFaults;
  readonly problem: ApiProblem | null;
}

/** Shows that fields are marked, and every error that has no field. */
function RefusedRegistration({ faults, problem }: RefusedProps): ReactNode {
  const count = faultCount(faults);
  if (count === 0) return problem && <Failure problem={problem} />;
  return (
    <Notice kind="danger" title={text('fixFields', { count })}>
      {faults.others.length > 0 && (
        <ul className="gh-faults">
          {faults.others.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              <code>{pointer}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
