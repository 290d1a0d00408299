import {
  QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { createContext, useCallback, useContext } from 'react'
import { isTemporary, type Problem, type SendRequest } from './request.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Problem
  }
}

/** The `request` function of the nearest session provider. */
export const RequestContext = createContext<SendRequest | null>(null)

function useRequest(): SendRequest {
  const request = useContext(RequestContext)
  if (request === null) throw new Error('Reading from the API needs a SessionProvider')
  return request
}

/**
 * A failed request is shown with a button to try again. Temporary problems are also retried automatically. By default, nothing is
 * cached after its page is closed: amounts on the screen must not be old ones.
 */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        gcTime: 0,
        networkMode: 'always',
        refetchOnReconnect: false,
        refetchOnWindowFocus: false,
        retry: false,
      },
    },
  })

export type Resource<Data> = {
  /** Null until the first successful response. A failed reload doesn't change it. */
  readonly data: Data | null
  readonly problem: Problem | null
  /** The server's clock when it sent the data. */
  readonly serverMs: number
  readonly reload: () => void
}

const RECONNECT_MS = 3_000

/** Retries soon after a temporary problem, so that the page recovers without a reload. */
const refetchDelayMs = (error: Problem | null, refreshMs: number | false | undefined) =>
  error !== null && isTemporary(error) ? RECONNECT_MS : (refreshMs ?? false)

type RefreshMs<Data> = number | ((data: Data | undefined) => number | false)

/** Reads a path. With `refreshMs`, reads it again at this interval while the page is visible. */
export function useResource<Data>(path: string, refreshMs?: RefreshMs<Data>): Resource<Data> {
  const request = useRequest()
  const { data, error, refetch } = useQuery({
    queryKey: ['resource', path],
    queryFn: ({ signal }) => read<Data>(request, path, signal),
    refetchInterval: ({ state }) =>
      refetchDelayMs(
        state.error,
        typeof refreshMs === 'function' ? refreshMs(state.data?.data) : refreshMs,
      ),
    refetchOnReconnect: ({ state }) => state.error !== null,
    refetchOnWindowFocus: refreshMs !== undefined,
  })
  const reload = useCallback(() => void refetch(), [refetch])
  return { data: data?.data ?? null, problem: error, serverMs: data?.serverMs ?? 0, reload }
}

/** Returns a function that reads everything on the page again. */
export function useReloadAll(): () => void {
  const client = useQueryClient()
  return useCallback(() => void client.invalidateQueries(), [client])
}

/** A list with more loaded pages is not read again when it opens or a payment changes: that would load all of them. */
export const MAX_REFRESHED_PAGES = 4

type Page = { readonly next_cursor: string | null }

export type Pages<Data extends Page> = {
  readonly pages: readonly Data[]
  readonly problem: Problem | null
  readonly isBusy: boolean
  readonly reload: () => void
  /** Null on the last page. */
  readonly loadMore: (() => void) | null
  readonly cancel: () => void
}

/**
 * Reads a list page by page. Each path has its own list, so a response is never added to the list of another
 * filter. With `keepMs`, the list is shown immediately when the user comes back to it, and is read again if it is short.
 */
export function usePages<Data extends Page>(
  path: string,
  { refreshMs, keepMs = 0 }: { refreshMs?: RefreshMs<Data>; keepMs?: number } = {},
): Pages<Data> {
  const request = useRequest()
  const client = useQueryClient()
  const queryKey: QueryKey = ['pages', path]
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const separator = path.includes('?') ? '&' : '?'
      const next = cursor === null ? '' : `${separator}cursor=${encodeURIComponent(cursor)}`
      return (await read<Data>(request, `${path}${next}`, signal)).data
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      refetchDelayMs(
        state.error,
        typeof refreshMs === 'function' ? refreshMs(state.data?.pages[0]) : refreshMs,
      ),
    refetchOnReconnect: ({ state }) => state.error !== null,
    refetchOnMount: ({ state }) => (state.data?.pages.length ?? 0) <= MAX_REFRESHED_PAGES,
    gcTime: keepMs,
  })
  const loadMore = () => void query.fetchNextPage()
  return {
    pages: query.data?.pages ?? [],
    problem: query.error,
    isBusy: query.isPending || query.isFetchingNextPage,
    reload: query.isFetchNextPageError ? loadMore : () => void query.refetch(),
    loadMore: query.hasNextPage ? loadMore : null,
    cancel: () => void client.cancelQueries({ queryKey }),
  }
}

async function read<Data>(request: SendRequest, path: string, signal: AbortSignal) {
  const response = await request<Data>(path, { signal })
  if (!response.ok) throw response.problem
  return response
}
