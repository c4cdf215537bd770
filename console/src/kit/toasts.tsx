import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { Alert, AlertActionCloseButton, AlertGroup } from '@patternfly/react-core/dist/esm/components/Alert';

interface Toast {
  readonly id: number;
  readonly kind: 'success' | 'danger' | 'info';
  readonly text: string;
}

/** Says in a corner what came of something: a success goes by itself. */
export type ShowToast = (kind: Toast['kind'], text: string) => void;

const Saying = createContext<ShowToast>(() => undefined);

/** How to tell the reader what came of something that has no place of its own on the page. */
export function useSay(): ShowToast {
  return useContext(Saying);
}

/** Time that a success can be read, in milliseconds. */
const READING_MS = 6000;

/** Gives everything inside a corner to say things in. */
export function Toasts({ children }: { readonly children: ReactNode }): ReactNode {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const latest = useRef(0);
  const close = useCallback((id: number) => setToasts((all) => all.filter((one) => one.id !== id)), []);
  const say = useCallback<ShowToast>(
    (kind, text) => {
      const id = ++latest.current;
      setToasts((all) => [...all.slice(-4), { id, kind, text }]);
      if (kind !== 'danger') window.setTimeout(() => close(id), READING_MS);
    },
    [close],
  );
  return (
    <Saying.Provider value={useMemo(() => say, [say])}>
      {children}
      <AlertGroup isToast isLiveRegion aria-label="Messages">
        {toasts.map(({ id, kind, text }) => (
          <Alert
            key={id}
            variant={kind}
            title={text}
            actionClose={<AlertActionCloseButton onClose={() => close(id)} />}
          />
        ))}
      </AlertGroup>
    </Saying.Provider>
  );
}
