import {
  QueryClient,
  skipToken,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ApiProblem } from './problem.js';
import { type ApiReply, type ApiRequest, request } from './request.js';

/** Creates the query cache. Reads are retried only if there was no response. */
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

interface ReadOptions {
  /** False delays the read. */
  readonly enabled?: boolean;
  /**
   * Interval between reads, in milliseconds. Without an interval, the path is read again when the server
   * reports a change.
   */
  readonly everyMs?: number;
  /** True keeps the result until an explicit refetch: for reads that are recorded on the server. */
  readonly isCached?: boolean;
  /** Returns true for a path whose data may be shown until the data of the present path arrives. */
  readonly isSimilar?: (previousPath: string) => boolean;
}

/**
 * Reads a path and caches the result for the next use. The path is the query key.
 */
export function useRead<Data>(
  path: string,
  { enabled = true, everyMs, isCached = false, isSimilar }: ReadOptions = {},
): UseQueryResult<Data, ApiProblem> {
  return useQuery<Data, ApiProblem>({
    queryKey: [path],
    queryFn: async ({ signal }) => (await request<Data>({ path, signal })).data,
    enabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(isCached && { staleTime: Infinity }),
    ...(isSimilar && {
      placeholderData: (data: unknown, previous?: { readonly queryKey: readonly unknown[] }) =>
        isSimilar(String(previous?.queryKey[0])) ? (data as never) : undefined,
    }),
  });
}

/** Asks a question that changes nothing, and whose words are in a body. */
export function useAnswer<Data>(wanted: ApiRequest): UseQueryResult<Data, ApiProblem> {
  return useQuery<Data, ApiProblem>({
    queryKey: [wanted.path, JSON.stringify(wanted.body)],
    queryFn: async ({ signal }) => (await request<Data>({ ...wanted, signal })).data,
    staleTime: 0,
  });
}

/** Same as {@link useRead}, but also returns the `etag` that a change must name, and the original text. */
export function useReadReply<Data>(path: string): UseQueryResult<ApiReply<Data>, ApiProblem> {
  return useQuery<ApiReply<Data>, ApiProblem>({
    queryKey: [path, 'whole'],
    queryFn: ({ signal }) => request<Data>({ path, signal }),
  });
}

/**
 * Returns a value that other code put into the cache, for example `app/use-live.ts`; sends no request. Not for a path that
 * `useRead` reads, because the cache has one function for each path.
 */
export function useCached<Data>(path: string): UseQueryResult<Data> {
  return useQuery<Data>({ queryKey: [path], queryFn: skipToken });
}

interface WriteCallbacks<Data> {
  readonly onSuccess?: (reply: ApiReply<Data>) => void;
  readonly onError?: (problem: ApiProblem) => void;
}

interface Write<Data> extends Omit<UseMutationResult<ApiReply<Data>, ApiProblem, ApiRequest>, 'mutate'> {
  readonly mutate: (wanted: ApiRequest, reported?: WriteCallbacks<Data>) => void;
}

/**
 * Returns a function that changes data on the server. Afterwards, all paths that start with one of `changes`
 * are read again. The callbacks also run after the component was unmounted, because the server's events often
 * arrive before its response.
 */
export function useWrite<Data = unknown>(changes: readonly string[]): Write<Data> {
  const client = useQueryClient();
  const mutation = useMutation<ApiReply<Data>, ApiProblem, ApiRequest>({
    mutationFn: (wanted) => request<Data>(wanted),
    onSettled: () => invalidate(client, changes),
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

/** Invalidates all queries whose path starts with one of `prefixes`. */
export function invalidate(client: QueryClient, prefixes: readonly string[]): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      typeof path === 'string' && prefixes.some((prefix) => path.startsWith(prefix)),
  });
}
