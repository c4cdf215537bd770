import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import '../../style/forms.css';
import '../history/versions.css';
import './yang.css';
import { useWrite } from '../../api/queries.js';
import type { ApiRequest } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import type { TextPosition } from '../../kit/code-positions.js';
import { Failure, Notice } from '../../kit/feedback.js';
import { Columns, Page } from '../../kit/page.js';
import { OptionsForm } from './options-form.js';
import { Results, type YangReply } from './results.js';
import { TextsPanel } from './texts-panel.js';
import {
  type Dialect,
  yangBody,
  type YangFault,
  yangFaults,
  type YangOptions,
  type YangText,
} from './yang-request.js';
import { text } from './yang-text.js';

const DEFAULT_OPTIONS: YangOptions = {
  features: '',
  deviations: '',
  path: '',
  document: 'modules',
  target: '',
  dialect: 'plain',
  content: 'config',
  draft: '',
  adapterId: '',
  mount: '',
  isLenient: false,
};

/** Converts YANG to JSON Schema: shows the modules, what the schema cannot express, and creates a form. */
export function Yang(): ReactNode {
  const [texts, setTexts] = useState<readonly YangText[]>([]);
  const [options, setOptions] = useState(DEFAULT_OPTIONS);
  const [converted, setConverted] = useState<Dialect>('plain');
  const [shown, setShown] = useState(0);
  const [goTo, setGoTo] = useState<{ readonly position: TextPosition; readonly isFocus: boolean }>();
  const convert = useWrite<YangReply>([]);
  const wanted = useMemo(
    (): ApiRequest => ({ method: 'POST', path: '/json-forms/yangToSchema', body: yangBody(texts, options) }),
    [texts, options],
  );
  const { error, data } = convert;
  const faults = useMemo(() => (error?.code === 'yang_invalid' ? yangFaults(error.errors) : []), [error]);
  const results = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (data) results.current?.focus();
  }, [data]);
  const showFault = ({ text: index, line, column }: YangFault) => {
    if (index !== undefined) setShown(index);
    if (line !== undefined) setGoTo({ position: { line, column: column ?? 1 }, isFocus: true });
  };
  const change = (next: readonly YangText[]) => {
    setTexts(next);
    convert.reset();
  };
  return (
    <Page
      title={text('title')}
      lead={text('lead')}
      primary={
        <Button
          kind="primary"
          isDisabled={texts.length === 0}
          isBusy={convert.isPending}
          onPress={() => {
            setConverted(options.dialect);
            convert.mutate(wanted);
          }}
        >
          {text('convert')}
        </Button>
      }
      {...(texts.length > 0 && { source: wanted })}
    >
      {error && faults.length === 0 && <Failure problem={error} />}
      {faults.length > 0 && <FaultList faults={faults} texts={texts} onPress={showFault} />}
      <Columns>
        <TextsPanel
          texts={texts}
          faults={faults}
          shown={shown}
          goTo={goTo}
          onTexts={change}
          onShow={setShown}
        />
        <OptionsForm options={options} onChange={setOptions} />
      </Columns>
      <div ref={results} tabIndex={-1} className="gh-stack">
        <Results texts={texts} reply={data?.data} dialect={converted} onShow={setShown} />
      </div>
    </Page>
  );
}

export interface FaultListProps {
  readonly faults: readonly YangFault[];
  readonly texts: readonly YangText[];
  readonly onPress: (fault: YangFault) => void;
}

/** Renders the errors of the YANG texts, each with a link to its line. */
export function FaultList({ faults, texts, onPress }: FaultListProps): ReactNode {
  return (
    <Notice kind="danger" title={text('faults', { count: faults.length })}>
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
