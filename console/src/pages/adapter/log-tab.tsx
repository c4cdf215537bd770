import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import '../../style/parts.css';
import { LOG_LEVELS, type LogLine, type LogReply } from '../../api/observe.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { Failure, Loading, Notice } from '../../kit/feedback.js';
import { TextField } from '../../kit/fields.js';
import { Filter } from '../../kit/choices.js';
import { formatAmount } from '../../kit/numbers.js';
import { RawLinks } from '../../kit/copy.js';
import { useUrlState } from '../../kit/url-state.js';
import { LevelDialog } from '../adapters/level-dialog.js';
import { formatFields, matchingLines, EMPTY_TAIL, type LogTail, withReply } from './log-lines.js';
import { type ApiProblem, problemOf } from '../../api/problem.js';
import { pathOf, request } from '../../api/request.js';

/** Renders the live log of an adapter, with level, search and pause. */
export function LogTab({ name }: { readonly name: string }): ReactNode {
  const { may } = useSession();
  const [{ level: wanted, find }, setUrl] = useUrlState({ level: 'info', find: '' });
  const level = LOG_LEVELS.find((one) => one === wanted) ?? 'info';
  const [isPaused, setPaused] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const { tail, problem, isFirst } = useTail(name, level, isPaused);
  const shown = useMemo(() => matchingLines(tail.lines, find), [tail.lines, find]);
  return (
    <>
      <div className="gh-toolbar gh-log-tools">
        <Filter
          label="Level"
          value={level}
          onChange={(next) => setUrl({ level: next })}
          options={LOG_LEVELS.map((value) => ({
            value,
            label: value === 'error' ? 'error' : `${value} and above`,
          }))}
        />
        <TextField label="Search" value={find} onChange={(next) => setUrl({ find: next })} />
        <Button onPress={() => setPaused(!isPaused)}>{isPaused ? 'Follow' : 'Pause'}</Button>
        {may('updateAdapterLogging') && <Button onPress={() => setChanging(true)}>Set log level</Button>}
        <RawLinks path={logPath(name, level)} />
      </div>
      {problem && <Failure problem={problem} />}
      {tail.hint !== null && <Notice kind="info" title={tail.hint} />}
      {tail.missed && (
        <Notice
          kind="warning"
          title="Some lines are missing: the server dropped them before this page read them."
        />
      )}
      {isFirst && !problem ? (
        <Loading what="the log" />
      ) : (
        <LogLines lines={shown} name={name} isFollowed={!isPaused} />
      )}
      <p className="gh-quiet">
        {formatAmount(shown.length, 'line')}
        {tail.writtenLevel !== undefined && `; ${tail.writtenLevel} and above is written`}
      </p>
      {isChanging && (
        <LevelDialog
          name={name}
          {...(tail.writtenLevel !== undefined && { level: tail.writtenLevel })}
          onClose={() => setChanging(false)}
        />
      )}
    </>
  );
}

interface LinesProps {
  readonly lines: readonly LogLine[];
  readonly name: string;
  readonly isFollowed: boolean;
}

/** Renders the lines, oldest first. Follows the end unless the reader has scrolled up. */
function LogLines({ lines, name, isFollowed }: LinesProps): ReactNode {
  const container = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const element = container.current;
    if (element && isFollowed && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [lines, isFollowed]);
  const updateAtEnd = () => {
    const element = container.current;
    if (element) isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40;
  };
  return (
    <div
      ref={container}
      className="gh-log"
      role="log"
      aria-label={`Log of ${name}`}
      tabIndex={0}
      onScroll={updateAtEnd}
    >
      {lines.length === 0 && <p className="gh-quiet">No log lines.</p>}
      {lines.map((line) => (
        <LogLineRow key={line.id} line={line} />
      ))}
    </div>
  );
}

function LogLineRow({ line: { at, level, message, fields } }: { readonly line: LogLine }): ReactNode {
  const time = new Date(at);
  return (
    <p className="gh-log-line" data-level={level}>
      <time dateTime={time.toISOString()} title={time.toISOString()}>
        {time.toLocaleTimeString('en-GB')}
      </time>
      <span className="gh-log-level">{level}</span>
      <span className="gh-log-text">
        {message} <span className="gh-log-fields">{formatFields(fields, ['adapter'])}</span>
      </span>
    </p>
  );
}

/** Interval between reads, in milliseconds. */
const READ_INTERVAL_MS = 2000;

/** Number of lines in the first read. */
const MAX_LINES_PER_READ = 500;

/** Returns the path of an adapter's log. */
function logPath(
  adapter: string,
  level: string,
  more: { readonly limit?: number; readonly after?: number } = {},
) {
  return pathOf(['console', 'log'], { adapter, level, ...more });
}

/** Reads the log of an adapter continuously, at `level` and above, until the log is paused or hidden. */
function useTail(
  adapter: string,
  level: string,
  isPaused: boolean,
): { readonly tail: LogTail; readonly problem: ApiProblem | undefined; readonly isFirst: boolean } {
  const key = `${adapter} ${level}`;
  const [current, setCurrent] = useState<{ key: string; tail: LogTail }>({ key, tail: EMPTY_TAIL });
  const [problem, setProblem] = useState<ApiProblem>();
  const tail = current.key === key ? current.tail : EMPTY_TAIL;
  const { next } = tail;
  useEffect(() => {
    if (isPaused && next !== undefined) return undefined;
    const stop = new AbortController();
    const read = async () => {
      const path = logPath(
        adapter,
        level,
        next === undefined ? { limit: MAX_LINES_PER_READ } : { after: next, limit: MAX_LINES_PER_READ },
      );
      try {
        const { data } = await request<LogReply>({ path, signal: stop.signal });
        setProblem(undefined);
        setCurrent((before) => ({
          key,
          tail: withReply(before.key === key ? before.tail : EMPTY_TAIL, data),
        }));
      } catch (error) {
        if (!stop.signal.aborted) setProblem(problemOf(error));
      }
    };
    if (next === undefined) void read();
    const timer = window.setInterval(() => void read(), READ_INTERVAL_MS);
    return () => {
      stop.abort();
      window.clearInterval(timer);
    };
  }, [adapter, level, key, next, isPaused]);
  return { tail, problem, isFirst: next === undefined };
}
