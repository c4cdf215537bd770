import { useCallback } from 'react';
import {
  QueryClient,
  skipToken,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { ApiProblem } from './problem.js';
import { type ApiReply, type ApiRequest, request } from './request.js';

/** Makes the memory of what was read. Reads are tried again only when no answer came: a refusal stays one. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5000,
        retry: (count, error) => (error as unknown as ApiProblem).status === 0 && count < 2,
      },
    },
  });
}

export interface ReadOptions {
  /** False waits. */
  readonly enabled?: boolean;
  /** Reads again after so many milliseconds; without it, when the server tells of a change. */
  readonly everyMs?: number;
  /** True keeps what came until it is asked for anew: for reads that leave a trace on the server. */
  readonly isKept?: boolean;
}

/** Reads a path, keeps what came, and shows it at once the next time. The path is the key of what is kept. */
export function useRead<Data>(
  path: string,
  { enabled = true, everyMs, isKept = false }: ReadOptions = {},
): UseQueryResult<Data, ApiProblem> {
  return useQuery<Data, ApiProblem>({
    queryKey: [path],
    queryFn: async ({ signal }) => (await request<Data>({ path, signal })).data,
    enabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(isKept && { staleTime: Infinity }),
  });
}

/** As {@link useRead}, with the `etag` that a change must name and the text as it came. */
export function useReadWhole<Data>(path: string): UseQueryResult<ApiReply<Data>, ApiProblem> {
  return useQuery<ApiReply<Data>, ApiProblem>({
    queryKey: [path, 'whole'],
    queryFn: ({ signal }) => request<Data>({ path, signal }),
  });
}

/** What somebody else keeps under a path, for example `app/use-live.ts`; nothing is asked of the server. */
export function useKept<Data>(path: string): UseQueryResult<Data> {
  return useQuery<Data>({ queryKey: [path], queryFn: skipToken });
}

/** What is done with what came of a request. */
export interface QueryState<Data> {
  readonly onSuccess?: (reply: ApiReply<Data>) => void;
  readonly onError?: (problem: ApiProblem) => void;
}

/** A way to change something on the server. */
export interface Write<Data> extends Omit<
  UseMutationResult<ApiReply<Data>, ApiProblem, ApiRequest>,
  'mutate'
> {
  readonly mutate: (wanted: ApiRequest, reported?: QueryState<Data>) => void;
}

/**
 * Sends requests that change something; what begins with one of `changes` is read again afterwards. Who asked is told even
 * when what stood on the page is gone by then: the server's events often arrive before its answer.
 */
export function useWrite<Data = unknown>(changes: readonly string[]): Write<Data> {
  const client = useQueryClient();
  const mutation = useMutation<ApiReply<Data>, ApiProblem, ApiRequest>({
    mutationFn: (wanted) => request<Data>(wanted),
    onSettled: () => forget(client, changes),
  });
  const { mutateAsync } = mutation;
  const mutate = useCallback<Write<Data>['mutate']>(
    (wanted, { onSuccess, onError } = {}) => {
      mutateAsync(wanted).then(onSuccess, (problem: unknown) => onError?.(problem as ApiProblem));
    },
    [mutateAsync],
  );
  return { ...mutation, mutate };
}

/** Has everything read again whose path begins with one of these. */
export function forget(client: QueryClient, prefixes: readonly string[]): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      typeof path === 'string' && prefixes.some((prefix) => path.startsWith(prefix)),
  });
}
