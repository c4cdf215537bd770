import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import '../../style/parts.css';
import { LOG_LEVELS, type LogLine } from '../../api/observe.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { Failure, Loading, Notice } from '../../kit/feedback.js';
import { TextField } from '../../kit/fields.js';
import { Filter } from '../../kit/filter.js';
import { amountWords } from '../../kit/numbers.js';
import { RawLinks } from '../../kit/raw-links.js';
import { useUrlState } from '../../kit/url-state.js';
import { LevelDialog } from '../adapters/level-dialog.js';
import { fieldWords, foundLines } from './log-lines.js';
import { logPath, useTail } from './use-tail.js';

/** The live log of an adapter, with level, search and pause. */
export function LogTab({ name }: { readonly name: string }): ReactNode {
  const { may } = useSession();
  const [{ level: wanted, find }, setUrl] = useUrlState({ level: 'info', find: '' });
  const level = LOG_LEVELS.find((one) => one === wanted) ?? 'info';
  const [isPaused, setPaused] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const { tail, problem, isFirst } = useTail(name, level, isPaused);
  const shown = useMemo(() => foundLines(tail.lines, find), [tail.lines, find]);
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
        <Lines lines={shown} name={name} isFollowed={!isPaused} />
      )}
      <p className="gh-quiet">
        {amountWords(shown.length, 'line')}
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

/** The lines, oldest first. Follows the end unless the reader has scrolled up. */
function Lines({ lines, name, isFollowed }: LinesProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const element = box.current;
    if (element && isFollowed && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [lines, isFollowed]);
  const note = () => {
    const element = box.current;
    if (element) isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40;
  };
  return (
    <div ref={box} className="gh-log" role="log" aria-label={`Log of ${name}`} tabIndex={0} onScroll={note}>
      {lines.length === 0 && <p className="gh-quiet">No log lines.</p>}
      {lines.map((line) => (
        <Line key={line.id} line={line} />
      ))}
    </div>
  );
}

function Line({ line: { at, level, message, fields } }: { readonly line: LogLine }): ReactNode {
  const time = new Date(at);
  return (
    <p className="gh-log-line" data-level={level}>
      <time dateTime={time.toISOString()} title={time.toISOString()}>
        {time.toLocaleTimeString('en-GB')}
      </time>
      <span className="gh-log-level">{level}</span>
      <span className="gh-log-text">
        {message} <span className="gh-log-fields">{fieldWords(fields, ['adapter'])}</span>
      </span>
    </p>
  );
}
