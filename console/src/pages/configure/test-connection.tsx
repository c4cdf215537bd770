import { type ReactNode, useState } from 'react';
import { type ApiRequest, pathOf } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { Failure } from '../../kit/feedback.js';
import { Actions, Panel } from '../../kit/page.js';
import { textOf } from '../../text/text.js';
import { ConnectionResult } from './connection-result.js';
import { type ConnectionTestState, useConnectionTest } from './use-connection-test.js';

const text = textOf('configure');

/** Tests the connection of an adapter of the configuration, and shows the five steps. */
export function TestConnection({ name }: { readonly name: string }): ReactNode {
  const test = useConnectionTest();
  return (
    <TestPanel
      test={test}
      help={text('testSavedHelp')}
      request={{ method: 'POST', path: pathOf(['adapters', name, 'connection-test']) }}
    />
  );
}

interface TestUnsavedProps {
  readonly test: ConnectionTestState;
  /** The body that would register or change the adapter. */
  readonly body: string;
  readonly isReady: boolean;
}

/** Tests the connection of an adapter with settings that are not saved. The page shows a refused request at its fields. */
export function TestUnsaved({ test, body, isReady }: TestUnsavedProps): ReactNode {
  const [tested, setTested] = useState(body);
  const start: typeof test.start = (wanted) => {
    setTested(body);
    test.start(wanted);
  };
  return (
    <TestPanel
      test={{ ...test, start, problem: undefined }}
      help={text('testUnsavedHelp')}
      request={{ method: 'POST', path: '/adapters/connection-test', json: body }}
      isReady={isReady}
      isOutdated={tested !== body}
    />
  );
}

interface TestPanelProps {
  readonly test: ConnectionTestState;
  readonly help: string;
  readonly request: ApiRequest;
  readonly isReady?: boolean;
  /** True if the settings were changed after the test. */
  readonly isOutdated?: boolean;
}

function TestPanel(props: TestPanelProps): ReactNode {
  const { test, help, request, isReady = true, isOutdated = false } = props;
  const { isRunning, result, problem, start, cancel } = test;
  return (
    <Panel title={text('testTitle')}>
      <div className="gh-stack">
        <p className="gh-quiet" role="status">
          {isRunning ? text('testing') : help}
        </p>
        <Actions>
          <Button isBusy={isRunning} isDisabled={!isReady} onPress={() => start(request)}>
            {result || problem ? text('testAgain') : text('testConnection')}
          </Button>
          {isRunning && <Button onPress={cancel}>{text('cancelTest')}</Button>}
        </Actions>
        {problem && <Failure problem={problem} />}
        {result && isOutdated && <p>{text('testOutdated')}</p>}
        {result && <ConnectionResult test={result} />}
      </div>
    </Panel>
  );
}
