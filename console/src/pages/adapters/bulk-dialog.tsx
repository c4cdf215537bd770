import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { AdapterStatusView } from '../../api/observe.js';
import { problemOf } from '../../api/problem.js';
import { invalidate } from '../../api/queries.js';
import { request } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { Dialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/fields.js';
import { formatList } from '../../kit/numbers.js';
import { StatusLabel } from '../../kit/status.js';
import { textOf } from '../../text/text.js';
import { ActionFields, LevelFields } from './action-fields.js';
import { isEndValid, isPlainSuccess, isStartValid, LEVEL_PRESET, type LevelTerms } from './actions.js';
import { AFFECTED_PATHS } from './adapter-request-dialog.js';
import { type BulkAct, bulkRequest, type BulkResult, canEnd } from './bulk.js';
import { ImpactOnCalls, isImpactAction } from './impact.js';
import { runForEach } from './run-for-each.js';

const text = textOf('bulk');

export interface BulkDialogProps {
  readonly act: BulkAct;
  /** The adapters that the action changes, as they were when the user chose it. */
  readonly adapters: readonly AdapterStatusView[];
  /** Names of the selected adapters that it would not change. */
  readonly skipped: readonly string[];
  readonly onClose: () => void;
}

/** Number of adapters up to which a stop needs no typed confirmation. */
const MAX_STOPPED_UNTYPED = 20;

/** Asks for confirmation of an action on several adapters, runs it, and shows the result of each adapter. */
export function BulkDialog({ act, adapters, skipped, onClose }: BulkDialogProps): ReactNode {
  const [terms, setTerms] = useState(LEVEL_PRESET);
  const [typed, setTyped] = useState('');
  const names = adapters.map(({ name }) => name);
  const { results, isRunning, isStopped, run, stop } = useBulkRun(act, terms);
  const failed = results.filter(({ isDone }) => !isDone);
  const hasBegun = results.length > 0 || isRunning;
  const close = () => {
    stop();
    onClose();
  };
  return (
    <Dialog
      title={text('title', { act: text(act), count: names.length })}
      isOpen
      onClose={close}
      {...(!hasBegun && {
        actions: (
          <Button
            kind={act === 'stop' ? 'danger' : 'primary'}
            isDisabled={!isConfirmed(act, names.length, typed) || !isStartValid(terms) || !isEndValid(terms)}
            onPress={() => run(adapters)}
          >
            {text(act)}
          </Button>
        ),
      })}
    >
      <div className="gh-stack">
        {hasBegun ? (
          <Results results={results} total={names.length} isRunning={isRunning} />
        ) : (
          <Question {...{ act, names, skipped, terms, typed }} onTerms={setTerms} onType={setTyped} />
        )}
        {isRunning && <Button onPress={stop}>{text('stopRun')}</Button>}
        {isStopped && <p>{text('stopped', { count: names.length - results.length })}</p>}
        {!isRunning && failed.length > 0 && (
          <Button onPress={() => run(adapters.filter(({ name }) => failed.some((one) => one.name === name)))}>
            {text('retry', { count: failed.length })}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function needsTyping(act: BulkAct, count: number): boolean {
  return act === 'stop' && count > MAX_STOPPED_UNTYPED;
}

function isConfirmed(act: BulkAct, count: number, typed: string): boolean {
  return count > 0 && (!needsTyping(act, count) || typed.trim() === String(count));
}

interface QuestionProps extends Pick<BulkDialogProps, 'act' | 'skipped'> {
  readonly names: readonly string[];
  readonly terms: LevelTerms;
  /** What was typed to confirm the action. */
  readonly typed: string;
  readonly onTerms: (terms: LevelTerms) => void;
  readonly onType: (typed: string) => void;
}

/** Renders what the action changes, its terms, and what it needs to be confirmed. */
function Question({ act, names, skipped, terms, typed, onTerms, onType }: QuestionProps): ReactNode {
  return (
    <>
      <p>{names.length === 0 ? text('none') : text(`effect.${act}`)}</p>
      <NameList names={names} />
      {isImpactAction(act) && <ImpactOnCalls action={act} names={names} />}
      {skipped.length > 0 && (
        <p className="gh-quiet">
          {text('skipped', { count: skipped.length, names: formatList(skipped.slice(0, 10)) })}
        </p>
      )}
      {names.length > 0 && <Terms act={act} terms={terms} onChange={onTerms} />}
      {needsTyping(act, names.length) && (
        <TextField
          label={text('confirm', { count: names.length })}
          value={typed}
          onChange={onType}
          isRequired
        />
      )}
    </>
  );
}

/** Runs an action and keeps the latest result of each adapter. */
function useBulkRun(act: BulkAct, terms: LevelTerms) {
  const client = useQueryClient();
  const [results, setResults] = useState<readonly BulkResult[]>([]);
  const [isRunning, setRunning] = useState(false);
  const [isStopped, setStopped] = useState(false);
  const controller = useRef(new AbortController());
  useEffect(() => () => controller.current.abort(), []);
  const run = (adapters: readonly AdapterStatusView[]) => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    setRunning(true);
    setStopped(false);
    setResults((before) => before.filter(({ name }) => !adapters.some((one) => one.name === name)));
    const onResult = (result: BulkResult) => setResults((before) => [...before, result]);
    void runForEach(adapters, (adapter) => resultOf(act, adapter, terms), { signal, onResult }).then(() => {
      setRunning(false);
      setStopped(signal.aborted);
      return invalidate(client, AFFECTED_PATHS);
    });
  };
  return { results, isRunning, isStopped, run, stop: () => controller.current.abort() };
}

/** Reply of the operations that the actions call. */
interface ActReply {
  readonly message?: string;
  /** Set by a test of the connection. */
  readonly ok?: boolean;
  readonly cause?: string | null;
}

async function resultOf(act: BulkAct, adapter: AdapterStatusView, terms: LevelTerms): Promise<BulkResult> {
  const { name } = adapter;
  try {
    const {
      message = '',
      ok = true,
      cause,
    } = (await request<ActReply>(bulkRequest(act, adapter, terms))).data;
    if (!ok) return { name, isDone: false, message: cause ?? '' };
    return { name, isDone: true, message: isPlainSuccess(message, name) ? '' : message };
  } catch (error) {
    return { name, isDone: false, message: problemOf(error).message };
  }
}

interface TermsProps {
  readonly act: BulkAct;
  readonly terms: LevelTerms;
  readonly onChange: (terms: LevelTerms) => void;
}

function Terms({ act, terms, onChange }: TermsProps): ReactNode {
  if (act === 'test') return null;
  if (act === 'level') return <LevelFields terms={terms} onChange={onChange} />;
  return (
    <ActionFields terms={terms} canEnd={canEnd(act)} onChange={(next) => onChange({ ...terms, ...next })} />
  );
}

/** Renders the names of the adapters; the list scrolls if it is long. */
function NameList({ names }: { readonly names: readonly string[] }): ReactNode {
  if (names.length === 0) return null;
  return (
    <ul className="gh-bulk-names" tabIndex={0} aria-label={text('list')}>
      {names.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  );
}

function Results({
  results,
  total,
  isRunning,
}: {
  readonly results: readonly BulkResult[];
  readonly total: number;
  readonly isRunning: boolean;
}): ReactNode {
  const failed = results.filter(({ isDone }) => !isDone);
  const done = results.filter(({ isDone }) => isDone);
  const counts = { done: results.length, total, failed: failed.length };
  return (
    <>
      <p role="status">{isRunning ? text('progress', counts) : text('finished', counts)}</p>
      <progress
        className="gh-bulk-progress"
        aria-label={text('progressLabel')}
        max={total}
        value={results.length}
      />
      <ul className="gh-bulk-results" tabIndex={0} aria-label={text('results')}>
        {[...failed, ...done].map(({ name, isDone, message }) => (
          <li key={name}>
            <StatusLabel status={isDone ? 'good' : 'bad'}>{name}</StatusLabel>{' '}
            {message !== '' && <span className="gh-wrap">{message}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
