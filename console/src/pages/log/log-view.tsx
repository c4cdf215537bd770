import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import '../../style/parts.css';
import { LOG_LEVELS, type LogLevel, type LogLine } from '../../api/observe.js';
import { Button } from '../../kit/button.js';
import { Filter } from '../../kit/choices.js';
import { RawLinks } from '../../kit/copy.js';
import { DownloadButton } from '../../kit/download.js';
import { Failure, Loading, Notice } from '../../kit/feedback.js';
import { RequestLink } from '../../kit/request-link.js';
import { SearchBox } from '../../kit/search-box.js';
import { formatTime } from '../../kit/time.js';
import { useUrlState } from '../../kit/url-state.js';
import { formatClockTime } from '../../text/span.js';
import { textOf } from '../../text/text.js';
import { asJsonLines, asText, formatFields, matchingLines } from './log-lines.js';
import { logPath, useTail } from './use-tail.js';

const text = textOf('log');

const LEVEL_KEYS = {
  error: 'levelError',
  warn: 'levelWarn',
  info: 'levelInfo',
  debug: 'levelDebug',
  trace: 'levelTrace',
  spam: 'levelSpam',
} as const;

interface LogViewProps {
  /** Name of the adapter; absent: all lines of the server. */
  readonly name?: string;
  /** More buttons beside the filters; receives the level that is written. */
  readonly actions?: (writtenLevel: LogLevel | undefined) => ReactNode;
}

/** Renders the live log of an adapter or of the server, with level, search, pause and download. */
export function LogView({ name, actions }: LogViewProps): ReactNode {
  const [{ level: wanted, find }, setUrl] = useUrlState({ level: 'info', find: '' });
  const level = LOG_LEVELS.find((one) => one === wanted) ?? 'info';
  const [isPaused, setPaused] = useState(false);
  const { tail, problem, isFirst } = useTail(name, level, isPaused);
  const { lines, missed, writtenLevel } = tail;
  const shown = useMemo(() => matchingLines(lines, find), [lines, find]);
  const file = `${name ?? 'gatehouse'}-log`;
  return (
    <>
      <div className="gh-toolbar">
        <SearchBox
          label={text('search')}
          value={find}
          count={shown.length}
          onChange={(next) => setUrl({ find: next })}
        />
        <Filter
          label={text('level')}
          value={level}
          onChange={(next) => setUrl({ level: next })}
          options={LOG_LEVELS.map((value) => ({ value, label: text(LEVEL_KEYS[value]) }))}
        />
        <Button onPress={() => setPaused(!isPaused)}>{isPaused ? text('follow') : text('pause')}</Button>
        {actions?.(writtenLevel)}
        <DownloadButton file={() => ({ name: `${file}.txt`, type: 'text/plain', text: asText(shown) })}>
          {text('downloadText')}
        </DownloadButton>
        <DownloadButton
          file={() => ({ name: `${file}.jsonl`, type: 'application/x-ndjson', text: asJsonLines(shown) })}
        >
          {text('downloadJson')}
        </DownloadButton>
        <RawLinks path={logPath(name, level)} />
      </div>
      {problem && <Failure problem={problem} />}
      {isOff(level, writtenLevel) && (
        <Notice kind="info" title={text('off', { written: text(LEVEL_KEYS[writtenLevel]) })} />
      )}
      {missed && <Notice kind="warning" title={text('dropped')} />}
      {isFirst && !problem ? (
        <Loading what={text('loading')} />
      ) : (
        <LogLines
          lines={shown}
          none={lines.length === 0 ? text('noLines') : text('noLinesMatch', { count: lines.length })}
          name={name}
          isFollowed={!isPaused}
        />
      )}
      <p className="gh-quiet">
        {text('count', { count: shown.length })}
        {writtenLevel !== undefined && `. ${text('written', { level: text(LEVEL_KEYS[writtenLevel]) })}`}
      </p>
    </>
  );
}

function isOff(level: LogLevel, written: LogLevel | undefined): written is LogLevel {
  return written !== undefined && LOG_LEVELS.indexOf(level) > LOG_LEVELS.indexOf(written);
}

interface LinesProps {
  readonly lines: readonly LogLine[];
  /** Shown without lines. */
  readonly none: string;
  readonly name: string | undefined;
  readonly isFollowed: boolean;
}

/** Renders the lines, oldest first. Follows the end unless the reader has scrolled up. */
function LogLines({ lines, none, name, isFollowed }: LinesProps): ReactNode {
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
      aria-label={name === undefined ? text('logOfServer') : text('logOf', { name })}
      tabIndex={0}
      onScroll={updateAtEnd}
    >
      {lines.length === 0 && <p className="gh-quiet">{none}</p>}
      {lines.map((line) => (
        <LogLineRow key={line.id} line={line} isOfAdapter={name !== undefined} />
      ))}
    </div>
  );
}

interface RowProps {
  readonly line: LogLine;
  readonly isOfAdapter: boolean;
}

/** Renders a line once: up to 2,000 lines are on the page, and new ones come every two seconds. */
const LogLineRow = memo(function LogLineRow({ line, isOfAdapter }: RowProps): ReactNode {
  const { at, level, message, fields } = line;
  const time = new Date(at);
  const { requestId } = fields;
  const hidden = [...(isOfAdapter ? ['adapter'] : []), 'requestId'];
  return (
    <p className="gh-log-line" data-level={level}>
      <time dateTime={time.toISOString()} title={formatTime(time)}>
        {formatClockTime(time)}
      </time>
      <span className="gh-log-level">{level}</span>
      <span className="gh-log-text">
        {message} <span className="gh-log-fields">{formatFields(fields, hidden)}</span>
        {typeof requestId === 'string' && (
          <>
            {' '}
            <RequestLink id={requestId}>{requestId}</RequestLink>
          </>
        )}
      </span>
    </p>
  );
});
